// Applies the waiting messages of one partition. Messages that are next in order share a transaction, unless one fails.
// For each message that must wait, the reason is returned.

import { uuidv4 } from '#kit/crypto/id.ts'
import { type Db, isTransient, type Tx } from '#kit/db/sql.ts'
import { publicMessageOf, Refusal } from '#kit/http/refusal.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import type { Log } from '#kit/runtime/log.ts'
import { counter } from '#kit/runtime/metrics.ts'
import { grouped, messageOf } from '#kit/runtime/record.ts'
import { continueTrace } from '#kit/runtime/trace.ts'
import { type NextVersions, nextBatch, nextOf, reachable } from './inbox-order.ts'
import {
  advance,
  factsOf,
  type InboxEvent,
  nameOf,
  PrerequisiteError,
  type SenderPartition,
  supersede,
  type VersionRange,
  type WaitingEvent,
} from './inbox-rows.ts'

const settledTotal = counter('inbox_settled_total', 'Messages that were settled', ['outcome'])

export interface ApplyDeps {
  db: Db
  clock: Clock
  log: Log
  /**
   * Applies one message in the transaction that marks the message applied. Must first lock the record of the partition
   * key. May run again if the transaction does not commit. A `Refusal` fails the message permanently; a
   * `PrerequisiteError` holds it. After any other error the message is retried, and later messages of its object wait.
   */
  apply(tx: Tx, event: InboxEvent, at: Date): Promise<void>
  /** Reports a failed message to its sender, in the transaction that marks it failed. */
  reportFailure(tx: Tx, event: InboxEvent, refusal: Refusal, at: Date): Promise<void>
  /** Discards messages that are refused, late or waiting, if the records of the partition are erased. */
  discardIfErased(partition: SenderPartition, rows: WaitingEvent[]): Promise<boolean>
  /** Reads the stored message of a waiting row. */
  readEvent(partition: SenderPartition, row: WaitingEvent): Promise<InboxEvent>
}

export interface PartitionState {
  partition: SenderPartition
  next: NextVersions
}

/** The waiting messages of one sender in one partition. */
export interface PartitionBatch {
  rows: [WaitingEvent, ...WaitingEvent[]]
  state: Promise<PartitionState>
}

export interface PendingEvent {
  waiting: WaitingEvent
  /** `unknown`: the database failed, or another worker has changed the partition. */
  kind: 'failed' | 'waits' | 'unknown'
  because: string
  /** Whether a long delay alerts operators. Of several messages that wait in one object, only the first does. */
  shouldAlert: boolean
}

export interface PartitionOutcome {
  settled: WaitingEvent[]
  pending: PendingEvent[]
}

/** Never throws: messages that could not be applied are returned as pending. */
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
    const kind = isTransientError ? 'unknown' : 'failed'
    return { settled: [], pending: rows.map((waiting) => ({ waiting, kind, because, shouldAlert: !isTransientError })) }
  }
}

async function applyRows(
  deps: ApplyDeps,
  rows: WaitingEvent[],
  { partition, next }: PartitionState,
): Promise<PartitionOutcome> {
  const events = await Promise.all(reachable(rows, next).map((row) => deps.readEvent(partition, row)))
  const open = new Map(events.map((event) => [event.eventId, event]))
  const blocks = new Map<string, Block>()
  const settled = new Set<string>()
  const unsettled = () => rows.filter(({ eventId }) => !settled.has(eventId))
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
      // An applied message may be the prerequisite of a blocked message.
      for (const [name, { hasFailed }] of blocks) if (!hasFailed) blocks.delete(name)
    } else if (failure.appliedBefore > 0) {
      // The failure also rolled back earlier messages of the batch. The next batch contains only these.
      batchLimit = failure.appliedBefore
    } else if (failure.error instanceof Refusal && (await deps.discardIfErased(partition, unsettled()))) {
      return { settled: rows, pending: [] }
    } else {
      const block = await failOrBlock(deps, partition, failure)
      if (block) blocks.set(nameOf(failure.event), block)
      else settle(failure.event)
    }
  }
  if (await deps.discardIfErased(partition, unsettled())) return { settled: rows, pending: [] }
  const late = unsettled().filter((row) => row.entityVersion < nextOf(next, row))
  await supersedeLate(deps, partition, late)
  for (const { eventId } of late) settled.add(eventId)
  return { settled: rows.filter(({ eventId }) => settled.has(eventId)), pending: pendingOf(unsettled(), blocks, next) }
}

/** Why the next message of an object is not applied: an error, or a missing prerequisite. */
interface Block {
  event: InboxEvent
  because: string
  hasFailed: boolean
}

function pendingOf(rows: WaitingEvent[], blocks: Map<string, Block>, next: NextVersions): PendingEvent[] {
  return rows.map((waiting) => {
    const name = nameOf(waiting)
    const block = blocks.get(name)
    const isFirst = !rows.some((row) => nameOf(row) === name && row.entityVersion < waiting.entityVersion)
    if (block?.event.eventId === waiting.eventId) {
      const { hasFailed, because } = block
      return { waiting, kind: hasFailed ? 'failed' : 'waits', because, shouldAlert: hasFailed || isFirst }
    }
    return { waiting, kind: 'waits', because: `waits for version ${next.get(name)}`, shouldAlert: isFirst && !block }
  })
}

/** Fails a refused message permanently and returns null; after any other error returns the block of its object. */
async function failOrBlock(
  deps: ApplyDeps,
  partition: SenderPartition,
  { event, error }: Failure,
): Promise<Block | null> {
  if (error instanceof PrerequisiteError) return { event, because: error.message, hasFailed: false }
  const errorId = uuidv4()
  const because = publicMessageOf(error, errorId)
  if (!(error instanceof Refusal)) {
    deps.log.error({ err: error, errorId, ...factsOf(event) }, 'a message could not be applied and will be retried')
    return { event, because, hasFailed: true }
  }
  try {
    await fail(deps, partition, event, error)
    return null
  } catch (failure) {
    if (isTransient(failure) || failure instanceof ConcurrentUpdate) throw failure
    deps.log.error(
      { err: failure, ...factsOf(event) },
      'a failed message could not be reported to its sender and will be retried',
    )
    return {
      event,
      because: `the message failed (${because}), but the failure could not be reported to the sender`,
      hasFailed: true,
    }
  }
}

/** Another worker has changed the partition since its state was read. */
class ConcurrentUpdate extends Error {}

interface Failure {
  event: InboxEvent
  error: unknown
  /** Number of messages that had been applied in the same transaction, and were rolled back. */
  appliedBefore: number
}

/**
 * Applies all messages in one transaction, or none. The first statements lock the objects and advance their versions.
 * These are sent together with the first effect. If a version is not the expected one, everything is rolled back.
 */
async function applyBatch(deps: ApplyDeps, partition: SenderPartition, events: InboxEvent[]): Promise<Failure | null> {
  const at = deps.clock()
  const progress: { event: InboxEvent | null; applied: number } = { event: null, applied: 0 }
  try {
    await deps.db.tx(async (tx) => {
      progress.applied = 0
      const confirmVersions = sendRanges(tx, partition, rangesOf(events, 'APPLIED', null), at)
      try {
        for (const event of events) {
          progress.event = event
          await continueTrace(event, { name: `apply ${event.type}`, kind: 'consumer', isExpected }, () =>
            deps.apply(tx, event, at),
          )
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

const isExpected = (error: unknown): boolean => error instanceof Refusal || error instanceof PrerequisiteError

/** Marks a message as failed, and reports the failure to its sender. */
async function fail(deps: ApplyDeps, partition: SenderPartition, event: InboxEvent, refusal: Refusal): Promise<void> {
  const ranges = rangesOf([event], 'FAILED', refusal.message.slice(0, 500))
  await deps.db.tx(async (tx) => {
    const at = deps.clock()
    await sendRanges(tx, partition, ranges, at)()
    await deps.reportFailure(tx, event, refusal, at)
  })
  logOutcome(deps, event, 'FAILED', refusal.message)
}

/** Marks messages as superseded, because other messages have settled their versions. */
async function supersedeLate(deps: ApplyDeps, partition: SenderPartition, rows: WaitingEvent[]): Promise<void> {
  if (rows.length === 0) return
  const entry = { reason: 'its version was settled by another message', at: deps.clock() }
  const superseded = new Set(await supersede(deps.db, partition, rows, entry))
  for (const row of rows) {
    if (!superseded.has(row.eventId)) continue
    settledTotal.inc({ outcome: 'SUPERSEDED' })
    deps.log.warn(factsOf(row), 'a message was superseded')
  }
}

/** Returns one range per object, sorted by name, so that two transactions cannot deadlock. */
const rangesOf = (events: InboxEvent[], outcome: VersionRange['outcome'], reason: string | null): VersionRange[] =>
  [...grouped(events, nameOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, events]) => {
      const [{ entityType, entityId, entityVersion: firstVersion }] = events
      return { entityType, entityId, firstVersion, eventIds: events.map(({ eventId }) => eventId), outcome, reason }
    })

/** Starts the statements. The returned function awaits them, and throws if another worker was faster. */
function sendRanges(tx: Tx, partition: SenderPartition, ranges: VersionRange[], at: Date): () => Promise<void> {
  const advances = Promise.all(ranges.map((range) => advance(tx, partition, range, at)))
  advances.catch(() => {})
  return async () => {
    if (!(await advances).every(Boolean)) throw new ConcurrentUpdate('another worker has settled these messages')
  }
}

function logOutcome({ log }: ApplyDeps, event: InboxEvent, outcome: VersionRange['outcome'], reason?: string): void {
  settledTotal.inc({ outcome })
  if (outcome === 'APPLIED') log.info(factsOf(event), 'applied')
  else log.warn({ ...factsOf(event), reason }, 'a message failed')
}
