// Whose turn it is: the messages of a case applied in the order of their versions, and marked in the same transaction.
import type { CaseWork, Received } from './inbox-case.ts'
import { type Entity, type Line, lockEntities, type Outcome, recordOutcomes, settledBefore } from './inbox-rows.ts'
import { factsOf } from './inbox-stuck.ts'
import { counter } from './metrics.ts'
import type { Refusal } from './refusal.ts'
import { isPassing, type Tx } from './sql.ts'
import { traced } from './trace.ts'

const settledTotal = counter('inbox_settled_total', 'Messages that were settled', ['outcome'])

export const nameOf = ({ entityType, entityId }: Entity): string => `${entityType}/${entityId}`

export interface Run {
  settled: string[]
  /** The version that is next, by object. */
  next: Map<string, number>
  threw: { event: Received; error: unknown; before: number } | null
}

/** Applies at most so many, as their turns come, in one transaction: all of them, or, when one throws, none. */
export async function applyInOrder(work: CaseWork, line: Line, events: Received[], most: number): Promise<Run> {
  const at = work.clock()
  const hand: { event: Received | null; before: number } = { event: null, before: 0 }
  let done: Outcome[] = []
  try {
    const run = await work.db.tx(async (tx) => {
      done = []
      Object.assign(hand, { event: null, before: 0 })
      const next = await nextOf(tx, line, events)
      for (let event = turn(events, next); event && hand.before < most; event = turn(events, next)) {
        hand.event = event
        await applyOne(work, tx, event, at)
        Object.assign(hand, { event: null, before: hand.before + 1 })
        done.push({ eventId: event.eventId, outcome: 'APPLIED', reason: null })
        next.set(nameOf(event), event.entityVersion + 1)
      }
      const known = await passedBy(tx, line, events, next, done)
      if (done.length > 0) record(tx, line, done, next, at)
      return { settled: [...known, ...done.map(({ eventId }) => eventId)], next, threw: null }
    })
    tell(work, events, done)
    return run
  } catch (error) {
    if (hand.event === null || isPassing(error)) throw error
    return { settled: [], next: new Map(), threw: { event: hand.event, error, before: hand.before } }
  }
}

/** Marks a message failed, with what is said about that to its sender. */
export async function fail(work: CaseWork, line: Line, event: Received, refusal: Refusal): Promise<void> {
  const outcome: Outcome = { eventId: event.eventId, outcome: 'FAILED', reason: refusal.message.slice(0, 500) }
  const isOurs = await work.db.tx(async (tx) => {
    const at = work.clock()
    const next = await nextOf(tx, line, [event])
    if (next.get(nameOf(event)) !== event.entityVersion) return false
    await work.failed(tx, event, refusal, at)
    next.set(nameOf(event), event.entityVersion + 1)
    record(tx, line, [outcome], next, at)
    return true
  })
  if (isOurs) tell(work, [event], [outcome])
}

const applyOne = (work: CaseWork, tx: Tx, event: Received, at: Date): Promise<void> =>
  traced(event.correlationId === null ? undefined : { correlationId: event.correlationId }, () =>
    work.apply(tx, event, at),
  )

async function nextOf(tx: Tx, line: Line, events: Received[]): Promise<Map<string, number>> {
  const entities = new Map(events.map((event) => [nameOf(event), event]))
  const locked = await lockEntities(tx, line, [...entities.values()])
  return new Map(locked.map((one) => [nameOf(one), one.nextVersion]))
}

/** Of the messages whose turn it is, the one that came first. */
function turn(events: Received[], next: Map<string, number>): Received | undefined {
  let first: Received | undefined
  for (const event of events)
    if (event.entityVersion === next.get(nameOf(event)) && (!first || event.receivedAt < first.receivedAt))
      first = event
  return first
}

/** Gives those that were settled before, when a worker died between the effect and its end; others that are passed are superseded. */
async function passedBy(tx: Tx, line: Line, events: Received[], next: Map<string, number>, done: Outcome[]) {
  const now = new Set(done.map(({ eventId }) => eventId))
  const passed = events.filter((event) => event.entityVersion < next.get(nameOf(event))! && !now.has(event.eventId))
  if (passed.length === 0) return []
  const ids = passed.map(({ eventId }) => eventId)
  const known = await settledBefore(tx, line, ids)
  const reason = 'its version was settled by another message'
  for (const eventId of ids) if (!known.has(eventId)) done.push({ eventId, outcome: 'SUPERSEDED', reason })
  return known
}

/** Goes out together with the commit, which fails when this does. */
function record(tx: Tx, line: Line, done: Outcome[], next: Map<string, number>, at: Date): void {
  const versions = [...next].map(([name, nextVersion]) => {
    const end = name.indexOf('/')
    return { entityType: name.slice(0, end), entityId: name.slice(end + 1), nextVersion }
  })
  recordOutcomes(tx, line, done, versions, at).catch(() => {})
}

/** One line a message, found by its id. */
function tell({ log }: CaseWork, events: Received[], done: Outcome[]): void {
  const byId = new Map(events.map((event) => [event.eventId, event]))
  for (const { eventId, outcome, reason } of done) {
    settledTotal.inc({ outcome })
    const facts = { ...factsOf(byId.get(eventId)!), outcome, ...(reason !== null && { reason }) }
    if (outcome === 'APPLIED') log.info(facts, 'applied')
    else log.warn(facts, outcome === 'FAILED' ? 'a message failed' : 'a message came too late')
  }
}
