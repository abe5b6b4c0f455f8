// Whose turn it is: the messages of a case in the order of their versions, applied and marked in one transaction.
import type { CaseWork, Received } from './inbox-case.ts'
import { advance, type Entity, type Line, type Outcome, supersede, type Waiting } from './inbox-rows.ts'
import { factsOf } from './inbox-stuck.ts'
import { counter } from './metrics.ts'
import type { Refusal } from './refusal.ts'
import { isPassing, type Tx } from './sql.ts'
import { traced } from './trace.ts'

const settledTotal = counter('inbox_settled_total', 'Messages that were settled', ['outcome'])

export const nameOf = ({ entityType, entityId }: Entity): string => `${entityType}/${entityId}`

/** The version that is next, by object. */
export type Next = Map<string, number>

/** Those that could have their turn one after the other: without a gap before them. */
export function ready(rows: Waiting[], next: Next): Waiting[] {
  const reach = new Map(next)
  return rows
    .toSorted((a, b) => a.entityVersion - b.entityVersion)
    .filter((row) => {
      const name = nameOf(row)
      if (row.entityVersion < next.get(name)! || row.entityVersion > reach.get(name)!) return false
      reach.set(name, row.entityVersion + 1)
      return true
    })
}

/** At most so many in the order of their turns: of those whose turn it is, the one that came first. */
export function inTurn(events: Received[], next: Next, most: number): Received[] {
  const then = new Map(next)
  const turns: Received[] = []
  while (turns.length < most) {
    let first: Received | undefined
    for (const event of events)
      if (event.entityVersion === then.get(nameOf(event)) && (!first || event.receivedAt < first.receivedAt))
        first = event
    if (!first) break
    turns.push(first)
    then.set(nameOf(first), first.entityVersion + 1)
  }
  return turns
}

/** Another worker has been quicker: what is known about a case is no longer so. */
export class Overtaken extends Error {}

export interface Threw {
  event: Received
  error: unknown
  /** How many were applied before it, and undone with it. */
  before: number
}

/**
 * Applies these in one transaction: all of them, or, when one throws, none. They are marked, and their objects locked, by
 * its first statement; that goes out together with the first one of the effects, and must have found the versions expected.
 */
export async function applyAll(work: CaseWork, line: Line, events: Received[]): Promise<Threw | null> {
  const at = work.clock()
  const done = events.map(({ eventId }): Outcome => ({ eventId, outcome: 'APPLIED', reason: null }))
  const hand: { event: Received | null; before: number } = { event: null, before: 0 }
  try {
    await work.db.tx(async (tx) => {
      hand.before = 0
      const isOurs = advanced(tx, line, events, done, at)
      try {
        for (hand.event of events) {
          await applyOne(work, tx, hand.event!, at)
          hand.before++
        }
      } catch (error) {
        await isOurs()
        throw error
      }
      hand.event = null
      await isOurs()
    })
  } catch (error) {
    if (hand.event === null || isPassing(error) || error instanceof Overtaken) throw error
    return { event: hand.event, error, before: hand.before }
  }
  tell(work, events, done)
  return null
}

/** Marks a message failed, with what is said about that to its sender. */
export async function fail(work: CaseWork, line: Line, event: Received, refusal: Refusal): Promise<void> {
  const done: Outcome[] = [{ eventId: event.eventId, outcome: 'FAILED', reason: refusal.message.slice(0, 500) }]
  await work.db.tx(async (tx) => {
    const at = work.clock()
    const isOurs = advanced(tx, line, [event], done, at)
    await isOurs()
    await work.failed(tx, event, refusal, at)
  })
  tell(work, [event], done)
}

/** Marks those whose version was settled before: by themselves, or else they are superseded. */
export async function pass(work: CaseWork, line: Line, rows: Waiting[]): Promise<void> {
  if (rows.length === 0) return
  const late = new Set(await supersede(work.db, line, rows, 'its version was settled by another message', work.clock()))
  for (const row of rows) {
    if (!late.has(row.eventId)) continue
    settledTotal.inc({ outcome: 'SUPERSEDED' })
    const { sender, caseRef, entityType, entityId, entityVersion, eventId } = row
    work.log.warn({ eventId, sender, caseRef, entityType, entityId, entityVersion }, 'a message came too late')
  }
}

/** Sends the mark; the returned function waits for it, and throws when another worker was quicker. */
function advanced(tx: Tx, line: Line, events: Received[], done: Outcome[], at: Date): () => Promise<void> {
  const moved = advance(tx, line, events, done, at)
  moved.catch(() => {})
  return async () => {
    if (!(await moved)) throw new Overtaken('another worker has these messages')
  }
}

const applyOne = (work: CaseWork, tx: Tx, event: Received, at: Date): Promise<void> =>
  traced(event.correlationId === null ? undefined : { correlationId: event.correlationId }, () =>
    work.apply(tx, event, at),
  )

/** One line a message, found by its id. */
function tell({ log }: CaseWork, events: Received[], done: Outcome[]): void {
  for (const [i, { outcome, reason }] of done.entries()) {
    settledTotal.inc({ outcome })
    const facts = { ...factsOf(events[i]!), outcome, ...(reason !== null && { reason }) }
    if (outcome === 'APPLIED') log.info(facts, 'applied')
    else log.warn(facts, 'a message failed')
  }
}
