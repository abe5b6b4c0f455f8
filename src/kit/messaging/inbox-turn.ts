// Whose turn it is: the messages of a case in the order of their versions, applied and marked in one transaction.

import { isPassing, type Tx } from '#kit/db/sql.ts'
import type { Refusal } from '#kit/http/refusal.ts'
import { counter } from '#kit/runtime/metrics.ts'
import { grouped } from '#kit/runtime/pairs.ts'
import { traced } from '#kit/runtime/trace.ts'
import { advance, type Entity, type Line, type Step, supersede, type Waiting } from './inbox-rows.ts'
import { type CaseWork, factsOf, type Received } from './inbox-work.ts'

const settledTotal = counter('inbox_settled_total', 'Messages that were settled', ['outcome'])

export const nameOf = ({ entityType, entityId }: Entity): string => `${entityType}/${entityId}`

/** The version that is next, by object. */
export type Next = Map<string, number>

/** The version that is next for the object of a message: the first one for an object that is new. */
export const nextOf = (next: Next, row: Entity): number => next.get(nameOf(row)) ?? 1

/** Those that could have their turn one after the other: without a gap before them. */
export function ready(rows: Waiting[], next: Next): Waiting[] {
  const reachable = new Map(next)
  return rows
    .toSorted((a, b) => a.entityVersion - b.entityVersion)
    .filter((row) => {
      if (row.entityVersion < nextOf(next, row) || row.entityVersion > nextOf(reachable, row)) return false
      reachable.set(nameOf(row), row.entityVersion + 1)
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
  const hand: { event: Received | null; before: number } = { event: null, before: 0 }
  try {
    await work.db.tx(async (tx) => {
      hand.before = 0
      const isOurs = advanced(tx, line, stepsOf(events, 'APPLIED', null), at)
      try {
        for (const event of events) {
          hand.event = event
          await applyOne(work, tx, event, at)
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
  for (const event of events) tell(work, event, 'APPLIED')
  return null
}

/** Marks a message failed, with what is said about that to its sender. */
export async function fail(work: CaseWork, line: Line, event: Received, refusal: Refusal): Promise<void> {
  const steps = stepsOf([event], 'FAILED', refusal.message.slice(0, 500))
  await work.db.tx(async (tx) => {
    const at = work.clock()
    const isOurs = advanced(tx, line, steps, at)
    await isOurs()
    await work.failed(tx, event, refusal, at)
  })
  tell(work, event, 'FAILED', refusal.message)
}

/** Marks those whose version was settled before: by themselves, or else they are superseded. */
export async function pass(work: CaseWork, line: Line, rows: Waiting[]): Promise<void> {
  if (rows.length === 0) return
  const late = new Set(await supersede(work.db, line, rows, work.clock()))
  for (const row of rows) {
    if (!late.has(row.eventId)) continue
    settledTotal.inc({ outcome: 'SUPERSEDED' })
    const { sender, partitionKey, entityType, entityId, entityVersion, eventId } = row
    work.log.warn({ eventId, sender, partitionKey, entityType, entityId, entityVersion }, 'a message came too late')
  }
}

/** In the order of the objects' names, so that two transactions do not wait for each other in a circle. */
const stepsOf = (events: Received[], outcome: Step['outcome'], reason: string | null): Step[] =>
  [...grouped(events, nameOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, of]) => {
      const [{ entityType, entityId, entityVersion: from }] = of
      return { entityType, entityId, from, eventIds: of.map(({ eventId }) => eventId), outcome, reason }
    })

/** Sends the marks; the returned function waits for them, and throws when another worker was quicker. */
function advanced(tx: Tx, line: Line, steps: Step[], at: Date): () => Promise<void> {
  const moves = Promise.all(steps.map((step) => advance(tx, line, step, at)))
  moves.catch(() => {})
  return async () => {
    if (!(await moves).every(Boolean)) throw new Overtaken('another worker has these messages')
  }
}

const applyOne = (work: CaseWork, tx: Tx, event: Received, at: Date): Promise<void> =>
  traced(event.correlationId === null ? undefined : { correlationId: event.correlationId }, () =>
    work.apply(tx, event, at),
  )

/** One line a message, found by its id. */
function tell({ log }: CaseWork, event: Received, outcome: Step['outcome'], reason?: string): void {
  settledTotal.inc({ outcome })
  if (outcome === 'APPLIED') log.info(factsOf(event), 'applied')
  else log.warn({ ...factsOf(event), reason }, 'a message failed')
}
