// Applies the waiting messages of one partition: those that are next in order in one transaction, unless one fails; the
// rest record why they wait.

import { uuidv4 } from '#kit/crypto/id.ts'
import { type Db, isTransient, type Tx } from '#kit/db/sql.ts'
import { publicMessageOf, Refusal } from '#kit/http/refusal.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import type { Log } from '#kit/runtime/log.ts'
import { counter } from '#kit/runtime/metrics.ts'
import { grouped, messageOf } from '#kit/runtime/record.ts'
import { runCorrelated } from '#kit/runtime/trace.ts'
import {
  advance,
  factsOf,
  type HistoryStep,
  type InboxEntity,
  type InboxEvent,
  nameOf,
  type SenderPartition,
  supersede,
  type WaitingEvent,
} from './inbox-rows.ts'

const settledTotal = counter('inbox_settled_total', 'Messages that were settled', ['outcome'])

/**
 * Thrown by `apply` while a prerequisite may still arrive: the message is held until its partition advances (D3 §6).
 */
export class PrerequisiteError extends Error {}

export interface ApplyDeps {
  db: Db
  clock: Clock
  log: Log
  /**
   * Applies one message, in the transaction that marks it applied; it first locks what the partition key names. It runs again
   * from the beginning when its transaction did not commit. A `Refusal` fails the message for good; `PrerequisiteError` holds it; any
   * other error is retried, with growing delays, and the later messages of its object wait.
   */
  apply(tx: Tx, event: InboxEvent, at: Date): Promise<void>
  /** Reports a failed message to its sender, in the transaction that marks it failed. */
  failed(tx: Tx, event: InboxEvent, refusal: Refusal, at: Date): Promise<void>
  /** Reads a message as it was stored. */
  open(partition: SenderPartition, row: WaitingEvent): Promise<InboxEvent>
}

/** The next version of each object, by name. */
type NextVersions = Map<string, number>

/** The tenant of a partition, and the next version of each of its objects. */
export interface PartitionState {
  partition: SenderPartition
  next: NextVersions
}

/** The waiting messages of one sender in one partition. */
export interface PartitionBatch {
  rows: [WaitingEvent, ...WaitingEvent[]]
  state: Promise<PartitionState>
}

/** A message that was not settled. */
export interface PendingEvent {
  waiting: WaitingEvent
  /** `unknown`: the database was unavailable, or another worker was faster. */
  why: 'failed' | 'waits' | 'unknown'
  because: string
  /** Whether a long delay alerts operators: of several messages waiting in a row, the first. */
  shouldAlert: boolean
}

export interface PartitionOutcome {
  settled: WaitingEvent[]
  pending: PendingEvent[]
}

/** Applies the messages of a partition. Never throws: a message that could not be applied is pending. */
export async function applyPartition(deps: ApplyDeps, { rows, state }: PartitionBatch): Promise<PartitionOutcome> {
  try {
    return await applyRows(deps, rows, await state)
  } catch (error) {
    const errorId = uuidv4()
    const isTransientError = error instanceof ConcurrentUpdate || isTransient(error)
    const because = isTransientError ? messageOf(error) : publicMessageOf(error, errorId)
    const [{ sender, partitionKey }] = rows
    if (!isTransientError)
      deps.log.error({ err: error, errorId, sender, partitionKey }, 'a partition could not be applied')
    else deps.log.warn({ sender, partitionKey, because }, 'a partition will be retried')
    const why = isTransientError ? 'unknown' : 'failed'
    return { settled: [], pending: rows.map((waiting) => ({ waiting, why, because, shouldAlert: !isTransientError })) }
  }
}

async function applyRows(
  deps: ApplyDeps,
  rows: WaitingEvent[],
  { partition, next }: PartitionState,
): Promise<PartitionOutcome> {
  const events = await Promise.all(reachable(rows, next).map((row) => deps.open(partition, row)))
  const open = new Map(events.map((event) => [event.eventId, event]))
  const blocks = new Map<string, Block>()
  const settled = new Set<string>()
  const settle = (event: InboxEvent) => {
    open.delete(event.eventId)
    settled.add(event.eventId)
    next.set(nameOf(event), event.entityVersion + 1)
  }
  let batchLimit = Number.POSITIVE_INFINITY
  for (;;) {
    const ready = [...open.values()].filter((event) => !blocks.has(nameOf(event)))
    const batch = nextBatch(ready, next, batchLimit)
    if (batch.length === 0) break
    const failure = await applyBatch(deps, partition, batch)
    if (failure === null) {
      batch.forEach(settle)
      batchLimit = Number.POSITIVE_INFINITY
      // An applied message may be the one that another object waited for.
      for (const [name, { fails }] of blocks) if (!fails) blocks.delete(name)
    } else if (failure.appliedBefore > 0) {
      // The failure rolled back the messages before it: they are applied first, without it.
      batchLimit = failure.appliedBefore
    } else {
      const block = await failOrBlock(deps, partition, failure)
      if (block) blocks.set(nameOf(failure.event), block)
      else settle(failure.event)
    }
  }
  const late = rows.filter((row) => !settled.has(row.eventId) && row.entityVersion < nextOf(next, row))
  await supersedeLate(deps, partition, late)
  for (const { eventId } of late) settled.add(eventId)
  const waiting = rows.filter(({ eventId }) => !settled.has(eventId))
  return { settled: rows.filter(({ eventId }) => settled.has(eventId)), pending: pendingOf(waiting, blocks, next) }
}

/** Why the next message of an object is not applied: it fails, or its prerequisite is missing. */
interface Block {
  event: InboxEvent
  because: string
  fails: boolean
}

function pendingOf(rows: WaitingEvent[], blocks: Map<string, Block>, next: NextVersions): PendingEvent[] {
  return rows.map((waiting) => {
    const name = nameOf(waiting)
    const block = blocks.get(name)
    const isFirst = !rows.some((row) => nameOf(row) === name && row.entityVersion < waiting.entityVersion)
    if (block?.event.eventId === waiting.eventId) {
      const { fails, because } = block
      return { waiting, why: fails ? 'failed' : 'waits', because, shouldAlert: fails || isFirst }
    }
    return { waiting, why: 'waits', because: `waits for version ${next.get(name)}`, shouldAlert: isFirst && !block }
  })
}

/** Fails a refused message for good and returns null; any other error blocks the object. */
async function failOrBlock(
  deps: ApplyDeps,
  partition: SenderPartition,
  { event, error }: Failure,
): Promise<Block | null> {
  if (error instanceof PrerequisiteError) return { event, because: error.message, fails: false }
  const errorId = uuidv4()
  const because = publicMessageOf(error, errorId)
  if (!(error instanceof Refusal)) {
    deps.log.error({ err: error, errorId, ...factsOf(event) }, 'a message could not be applied and will be retried')
    return { event, because, fails: true }
  }
  try {
    await fail(deps, partition, event, error)
    return null
  } catch (failure) {
    if (isTransient(failure) || failure instanceof ConcurrentUpdate) throw failure
    deps.log.error(
      { err: failure, ...factsOf(event) },
      'the failure of a message could not be reported; it will be retried',
    )
    return { event, because: `it failed (${because}), and the failure could not be reported`, fails: true }
  }
}

/** Returns the next version of an object, 1 for a new one. */
const nextOf = (next: NextVersions, row: InboxEntity): number => next.get(nameOf(row)) ?? 1

/** The messages without a gap before them. */
function reachable(rows: WaitingEvent[], next: NextVersions): WaitingEvent[] {
  const expected = new Map(next)
  return rows
    .toSorted((a, b) => a.entityVersion - b.entityVersion)
    .filter((row) => {
      if (row.entityVersion < nextOf(next, row) || row.entityVersion > nextOf(expected, row)) return false
      expected.set(nameOf(row), row.entityVersion + 1)
      return true
    })
}

/** Up to `limit` messages in the order of their versions, and among objects in the order of arrival. */
function nextBatch(events: InboxEvent[], next: NextVersions, limit: number): InboxEvent[] {
  const expected = new Map(next)
  const batch: InboxEvent[] = []
  while (batch.length < limit) {
    let first: InboxEvent | undefined
    for (const event of events)
      if (event.entityVersion === expected.get(nameOf(event)) && (!first || event.receivedAt < first.receivedAt))
        first = event
    if (!first) break
    batch.push(first)
    expected.set(nameOf(first), first.entityVersion + 1)
  }
  return batch
}

/** Another worker changed the partition since its state was read. */
class ConcurrentUpdate extends Error {}

interface Failure {
  event: InboxEvent
  error: unknown
  /** Messages of the batch that were applied before it, and rolled back with it. */
  appliedBefore: number
}

/**
 * Applies all of these messages in one transaction, or none. The first statement marks them and locks their objects; it
 * is sent together with the first effect, and must match the expected versions.
 */
async function applyBatch(deps: ApplyDeps, partition: SenderPartition, events: InboxEvent[]): Promise<Failure | null> {
  const at = deps.clock()
  const progress: { event: InboxEvent | null; applied: number } = { event: null, applied: 0 }
  try {
    await deps.db.tx(async (tx) => {
      progress.applied = 0
      const confirmVersions = sendSteps(tx, partition, stepsOf(events, 'APPLIED', null), at)
      try {
        for (const event of events) {
          progress.event = event
          await runCorrelated(event.correlationId, () => deps.apply(tx, event, at))
          progress.applied++
        }
      } catch (error) {
        await confirmVersions()
        throw error
      }
      progress.event = null
      await confirmVersions()
    })
  } catch (error) {
    if (progress.event === null || isTransient(error) || error instanceof ConcurrentUpdate) throw error
    return { event: progress.event, error, appliedBefore: progress.applied }
  }
  for (const event of events) logOutcome(deps, event, 'APPLIED')
  return null
}

/** Marks a message failed and reports that to its sender. */
async function fail(deps: ApplyDeps, partition: SenderPartition, event: InboxEvent, refusal: Refusal): Promise<void> {
  const steps = stepsOf([event], 'FAILED', refusal.message.slice(0, 500))
  await deps.db.tx(async (tx) => {
    const at = deps.clock()
    await sendSteps(tx, partition, steps, at)()
    await deps.failed(tx, event, refusal, at)
  })
  logOutcome(deps, event, 'FAILED', refusal.message)
}

/** Marks messages superseded whose version another message has settled. */
async function supersedeLate(deps: ApplyDeps, partition: SenderPartition, rows: WaitingEvent[]): Promise<void> {
  if (rows.length === 0) return
  const superseded = new Set(await supersede(deps.db, partition, rows, deps.clock()))
  for (const row of rows) {
    if (!superseded.has(row.eventId)) continue
    settledTotal.inc({ outcome: 'SUPERSEDED' })
    deps.log.warn(factsOf(row), 'a message was superseded')
  }
}

/** In the order of the objects' names, so that two transactions cannot deadlock. */
const stepsOf = (events: InboxEvent[], outcome: HistoryStep['outcome'], reason: string | null): HistoryStep[] =>
  [...grouped(events, nameOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, events]) => {
      const [{ entityType, entityId, entityVersion: from }] = events
      return { entityType, entityId, from, eventIds: events.map(({ eventId }) => eventId), outcome, reason }
    })

/** Sends the steps; the returned function awaits them, and throws when another worker was faster. */
function sendSteps(tx: Tx, partition: SenderPartition, steps: HistoryStep[], at: Date): () => Promise<void> {
  const moves = Promise.all(steps.map((step) => advance(tx, partition, step, at)))
  moves.catch(() => {})
  return async () => {
    if (!(await moves).every(Boolean)) throw new ConcurrentUpdate('another worker has these messages')
  }
}

/** One line per message, found by its id. */
function logOutcome({ log }: ApplyDeps, event: InboxEvent, outcome: HistoryStep['outcome'], reason?: string): void {
  settledTotal.inc({ outcome })
  if (outcome === 'APPLIED') log.info(factsOf(event), 'applied')
  else log.warn({ ...factsOf(event), reason }, 'a message failed')
}
