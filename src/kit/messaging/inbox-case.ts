// One look at one case: what has its turn is applied, all in one transaction when nothing fails; the rest says why it waits.

import { uuidv4 } from '#kit/crypto/id.ts'
import { type Db, isPassing, type Tx } from '#kit/db/sql.ts'
import { Refusal, whyOf } from '#kit/http/refusal.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import type { Log } from '#kit/runtime/log.ts'
import { counter } from '#kit/runtime/metrics.ts'
import { messageOf } from '#kit/runtime/narrow.ts'
import { grouped } from '#kit/runtime/pairs.ts'
import { traced } from '#kit/runtime/trace.ts'
import {
  advance,
  type Entity,
  factsOf,
  type Line,
  nameOf,
  type Received,
  type Step,
  supersede,
  type Waiting,
} from './inbox-rows.ts'

const settledTotal = counter('inbox_settled_total', 'Messages that were settled', ['outcome'])

/** Thrown by `apply` for a message whose prerequisite may still come: it is held, and tried when its case goes on (D3 §6). */
export class NotYet extends Error {}

/** What applying is done with. */
export interface CaseWork {
  db: Db
  clock: Clock
  log: Log
  /**
   * The effect of one message, in the transaction that marks it applied; it locks its case first. It runs again, from the
   * beginning, when its transaction did not commit. A `Refusal` fails the message for good; `NotYet` holds it; anything
   * else is tried again, with growing delays, and what comes after it waits.
   */
  apply(tx: Tx, event: Received, at: Date): Promise<void>
  /** Says so to the sender when a message failed, in the transaction that marks it failed. */
  failed(tx: Tx, event: Received, refusal: Refusal, at: Date): Promise<void>
  /** Reads a message as it was stored. */
  open(line: Line, row: Waiting): Promise<Received>
}

/** The messages of one case that are looked at together. */
export interface CaseRows {
  rows: [Waiting, ...Waiting[]]
  known: Promise<Known>
}

/** The owner of the case, and the version that is next for each of its objects. */
export interface Known {
  line: Line
  next: Next
}

/** A message that did not go on. */
export interface Left {
  waiting: Waiting
  /** It failed, it waits for another one, or nothing is known about it: the database was away, or another worker quicker. */
  why: 'failed' | 'waits' | 'unknown'
  because: string
  /** Whether operators should know of it when it takes long: of several that wait in a row, the first one says why. */
  isTelling: boolean
}

/** What looking at a case came to. */
export interface CaseOutcome {
  settled: Waiting[]
  left: Left[]
}

/** Looks at the messages of one sender about one case. Never throws: what could not be done is put off. */
export async function inspectCase(work: CaseWork, { rows, known }: CaseRows): Promise<CaseOutcome> {
  try {
    return await inspect(work, rows, await known)
  } catch (error) {
    const errorId = uuidv4()
    const isMomentary = error instanceof Overtaken || isPassing(error)
    const because = isMomentary ? messageOf(error) : whyOf(error, errorId)
    const [{ sender, partitionKey }] = rows
    if (!isMomentary) work.log.error({ err: error, errorId, sender, partitionKey }, 'a case could not be looked at')
    else work.log.warn({ sender, partitionKey, because }, 'a case is looked at again')
    const why = isMomentary ? 'unknown' : 'failed'
    return { settled: [], left: rows.map((waiting) => ({ waiting, why, because, isTelling: !isMomentary })) }
  }
}

async function inspect(work: CaseWork, rows: Waiting[], { line, next }: Known): Promise<CaseOutcome> {
  const events = await Promise.all(ready(rows, next).map((row) => work.open(line, row)))
  const left = new Map(events.map((event) => [event.eventId, event]))
  const blocked = new Map<string, Blocked>()
  const settled = new Set<string>()
  const isDone = (event: Received) => {
    left.delete(event.eventId)
    settled.add(event.eventId)
    next.set(nameOf(event), event.entityVersion + 1)
  }
  let most = Number.POSITIVE_INFINITY
  for (;;) {
    const free = [...left.values()].filter((event) => !blocked.has(nameOf(event)))
    const turns = inTurn(free, next, most)
    if (turns.length === 0) break
    const threw = await applyAll(work, line, turns)
    if (threw === null) {
      turns.forEach(isDone)
      most = Number.POSITIVE_INFINITY
      // Where the case went on, what waited for that may have its turn.
      for (const [name, { fails }] of blocked) if (!fails) blocked.delete(name)
    } else if (threw.before > 0) {
      // What was applied before it was undone with it: that first, by itself.
      most = threw.before
    } else {
      const why = await failOrBlock(work, line, threw.event, threw.error)
      if (why) blocked.set(nameOf(threw.event), why)
      else isDone(threw.event)
    }
  }
  const passed = rows.filter((row) => !settled.has(row.eventId) && row.entityVersion < nextOf(next, row))
  await pass(work, line, passed)
  for (const { eventId } of passed) settled.add(eventId)
  const waiting = rows.filter(({ eventId }) => !settled.has(eventId))
  return { settled: rows.filter(({ eventId }) => settled.has(eventId)), left: leftOf(waiting, blocked, next) }
}

/** Why an object does not go on: its next message fails, or waits for something else than its turn. */
interface Blocked {
  event: Received
  because: string
  fails: boolean
}

function leftOf(rows: Waiting[], blocked: Map<string, Blocked>, next: Next): Left[] {
  return rows.map((waiting) => {
    const name = nameOf(waiting)
    const block = blocked.get(name)
    const isFirst = !rows.some((row) => nameOf(row) === name && row.entityVersion < waiting.entityVersion)
    if (block?.event.eventId === waiting.eventId) {
      const { fails, because } = block
      return { waiting, why: fails ? 'failed' : 'waits', because, isTelling: fails || isFirst }
    }
    return { waiting, why: 'waits', because: `waits for version ${next.get(name)}`, isTelling: isFirst && !block }
  })
}

/** A refusal is final, and null when it was said; anything else keeps the object waiting. */
async function failOrBlock(work: CaseWork, line: Line, event: Received, error: unknown): Promise<Blocked | null> {
  if (error instanceof NotYet) return { event, because: error.message, fails: false }
  const errorId = uuidv4()
  const because = whyOf(error, errorId)
  if (!(error instanceof Refusal)) {
    work.log.error({ err: error, errorId, ...factsOf(event) }, 'a message could not be applied and will be tried again')
    return { event, because, fails: true }
  }
  try {
    await fail(work, line, event, error)
    return null
  } catch (failure) {
    if (isPassing(failure) || failure instanceof Overtaken) throw failure
    work.log.error(
      { err: failure, ...factsOf(event) },
      'that a message failed could not be said; it will be tried again',
    )
    return { event, because: `it failed (${because}), and that could not be said`, fails: true }
  }
}

/** The version that is next, by object. */
type Next = Map<string, number>

/** The version that is next for the object of a message: the first one for an object that is new. */
const nextOf = (next: Next, row: Entity): number => next.get(nameOf(row)) ?? 1

/** Those that could have their turn one after the other: without a gap before them. */
function ready(rows: Waiting[], next: Next): Waiting[] {
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
function inTurn(events: Received[], next: Next, most: number): Received[] {
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
class Overtaken extends Error {}

interface Threw {
  event: Received
  error: unknown
  /** How many were applied before it, and undone with it. */
  before: number
}

/**
 * Applies these in one transaction: all of them, or, when one throws, none. They are marked, and their objects locked, by
 * its first statement; that goes out together with the first one of the effects, and must have found the versions expected.
 */
async function applyAll(work: CaseWork, line: Line, events: Received[]): Promise<Threw | null> {
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
  for (const event of events) logOutcome(work, event, 'APPLIED')
  return null
}

/** Marks a message failed, with the error that is sent to its sender. */
async function fail(work: CaseWork, line: Line, event: Received, refusal: Refusal): Promise<void> {
  const steps = stepsOf([event], 'FAILED', refusal.message.slice(0, 500))
  await work.db.tx(async (tx) => {
    const at = work.clock()
    const isOurs = advanced(tx, line, steps, at)
    await isOurs()
    await work.failed(tx, event, refusal, at)
  })
  logOutcome(work, event, 'FAILED', refusal.message)
}

/** Marks those whose version was settled before: by themselves, or else they are superseded. */
async function pass(work: CaseWork, line: Line, rows: Waiting[]): Promise<void> {
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
function logOutcome({ log }: CaseWork, event: Received, outcome: Step['outcome'], reason?: string): void {
  settledTotal.inc({ outcome })
  if (outcome === 'APPLIED') log.info(factsOf(event), 'applied')
  else log.warn({ ...factsOf(event), reason }, 'a message failed')
}
