// Applies the waiting messages of one partition. Messages that are next in order share a transaction, unless one fails.
// For each message that must wait, the reason is returned.

import type { Clock } from '@lendloom/foundation/clock'
import { grouped } from '@lendloom/foundation/lists'
import type { Log } from '@lendloom/foundation/log'
import { counter } from '@lendloom/foundation/metrics'
import { publicMessageOf, Refusal } from '@lendloom/foundation/refusal'
import { continueTrace } from '@lendloom/foundation/trace'
import { type Db, isTransient, type Tx } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import {
  advance,
  factsOf,
  type InboxEntity,
  type InboxEvent,
  nameOf,
  PrerequisiteError,
  type SenderPartition,
  supersede,
  type VersionEnding,
  type VersionRange,
  type WaitingEvent,
} from './inbox-store.ts'

const endedTotal = counter('inbox_settled_total', 'Messages that were settled', ['outcome'])

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
  /** The record that `apply` locks. */
  owner: string
  next: NextVersions
  /** Ids of the messages that ended since the claim. */
  ended: Set<string>
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

export interface PartitionResult {
  ended: WaitingEvent[]
  pending: PendingEvent[]
}

export const readReachable = (
  deps: ApplyDeps,
  rows: WaitingEvent[],
  { partition, next }: PartitionState,
): Promise<InboxEvent[]> => Promise.all(reachable(rows, next).map((row) => deps.readEvent(partition, row)))

export function markEnded({ ended, next }: PartitionState, event: InboxEvent): void {
  ended.add(event.eventId)
  next.set(nameOf(event), event.entityVersion + 1)
}

/**
 * Applies the messages of a partition in order, and returns those that must wait. Throws a transient failure of the
 * database, or `ConcurrentUpdate`: then the outcome of the messages is unknown.
 */
export async function applyRows(
  deps: ApplyDeps,
  rows: WaitingEvent[],
  state: PartitionState,
): Promise<PartitionResult> {
  const { partition, next, ended } = state
  const stillWaiting = () => rows.filter(({ eventId }) => !ended.has(eventId))
  const events = await readReachable(deps, stillWaiting(), state)
  const blocks = new Map<string, Block>()
  let batchLimit = Number.POSITIVE_INFINITY
  for (;;) {
    const ready = events.filter((event) => !ended.has(event.eventId) && !blocks.has(nameOf(event)))
    const batch = nextBatch(ready, next, batchLimit)
    if (batch.length === 0) break
    const failure = await applyBatch(deps, partition, batch)
    if (failure === null) {
      for (const event of batch) markEnded(state, event)
      batchLimit = Number.POSITIVE_INFINITY
      // An applied message may be the prerequisite of a blocked message.
      for (const [name, { hasFailed }] of blocks) if (!hasFailed) blocks.delete(name)
    } else if (failure.appliedBefore > 0) {
      // The failure also rolled back the earlier messages of the batch. The next batch contains only these.
      batchLimit = failure.appliedBefore
    } else if (failure.error instanceof Refusal && (await deps.discardIfErased(partition, stillWaiting()))) {
      return { ended: rows, pending: [] }
    } else {
      const block = await failOrBlock(deps, partition, failure)
      if (block) blocks.set(nameOf(failure.event), block)
      else markEnded(state, failure.event)
    }
  }
  if (await deps.discardIfErased(partition, stillWaiting())) return { ended: rows, pending: [] }
  const late = stillWaiting().filter((row) => row.entityVersion < nextOf(next, row))
  await supersedeLate(deps, partition, late)
  for (const { eventId } of late) ended.add(eventId)
  return { ended: rows.filter(({ eventId }) => ended.has(eventId)), pending: pendingOf(stillWaiting(), blocks, next) }
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
export class ConcurrentUpdate extends Error {}

interface Failure {
  event: InboxEvent
  error: unknown
  /** Number of messages that had been applied in the same transaction, and were rolled back. */
  appliedBefore: number
}

/**
 * Applies all messages in one transaction, or none. Returns the failure of a message. Throws `ConcurrentUpdate` if a
 * version is not the expected one. The statements that advance the versions are sent together with the first effect.
 */
async function applyBatch(deps: ApplyDeps, partition: SenderPartition, events: InboxEvent[]): Promise<Failure | null> {
  const at = deps.clock()
  const progress: { event: InboxEvent | null; applied: number } = { event: null, applied: 0 }
  try {
    await deps.db.tx(async (tx) => {
      progress.applied = 0
      const confirmVersions = sendRanges(tx, rangesOf(partition, events), { outcome: 'APPLIED', reason: null, at })
      try {
        for (const event of events) {
          progress.event = event
          await applyOne(deps, tx, event, at)
          progress.applied++
        }
      } catch (error) {
        // If another worker was faster, that explains the failure, and the message itself has not failed.
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

export const applyOne = (deps: ApplyDeps, tx: Tx, event: InboxEvent, at: Date): Promise<void> =>
  continueTrace(event, { name: `apply ${event.type}`, kind: 'consumer', isExpected }, () => deps.apply(tx, event, at))

const isExpected = (error: unknown): boolean => error instanceof Refusal || error instanceof PrerequisiteError

/** Marks a message as failed, and reports the failure to its sender. */
async function fail(deps: ApplyDeps, partition: SenderPartition, event: InboxEvent, refusal: Refusal): Promise<void> {
  await deps.db.tx(async (tx) => {
    const at = deps.clock()
    const reason = refusal.message.slice(0, 500)
    await sendRanges(tx, rangesOf(partition, [event]), { outcome: 'FAILED', reason, at })()
    await deps.reportFailure(tx, event, refusal, at)
  })
  logOutcome(deps, event, 'FAILED', refusal.message)
}

/** Marks messages as superseded, because other messages had their versions. */
async function supersedeLate(deps: ApplyDeps, partition: SenderPartition, rows: WaitingEvent[]): Promise<void> {
  if (rows.length === 0) return
  const entry = { reason: 'its version was settled by another message', at: deps.clock() }
  const superseded = new Set(await supersede(deps.db, partition, rows, entry))
  for (const row of rows) {
    if (!superseded.has(row.eventId)) continue
    endedTotal.inc({ outcome: 'SUPERSEDED' })
    deps.log.warn(factsOf(row), 'a message was superseded')
  }
}

/** Returns one range per object, sorted by name, so that two transactions cannot deadlock. */
export const rangesOf = (partition: SenderPartition, events: InboxEvent[]): VersionRange[] =>
  [...grouped(events, nameOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, events]) => {
      const [{ entityType, entityId, entityVersion: firstVersion }] = events
      return { ...partition, entityType, entityId, firstVersion, eventIds: events.map(({ eventId }) => eventId) }
    })

/** Starts the statements. The returned function awaits them, and throws if another worker was faster. */
export function sendRanges(tx: Tx, ranges: VersionRange[], ending: VersionEnding): () => Promise<void> {
  const advanced = advance(tx, ranges, ending)
  advanced.catch(() => {})
  return async () => {
    if (!(await advanced)) throw new ConcurrentUpdate('another worker has settled these messages')
  }
}

export function logOutcome(
  { log }: ApplyDeps,
  event: InboxEvent,
  outcome: VersionEnding['outcome'],
  reason?: string,
): void {
  endedTotal.inc({ outcome })
  if (outcome === 'APPLIED') log.info(factsOf(event), 'applied')
  else log.warn({ ...factsOf(event), reason }, 'a message failed')
}

/** The next version of each object, by `nameOf`. */
type NextVersions = Map<string, number>

const nextOf = (next: NextVersions, row: InboxEntity): number => next.get(nameOf(row)) ?? 1

/** Returns the messages whose earlier versions have all ended or are among `rows`. */
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

/** Returns up to `limit` messages: by version within an object, by time of receipt between objects. */
export function nextBatch(events: InboxEvent[], next: NextVersions, limit: number): InboxEvent[] {
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
