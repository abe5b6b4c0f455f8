// Applies received messages exactly once, partition by partition, and in version order for each object.

import { secondsAfter } from '@lendloom/foundation/clock'
import { grouped, pairs } from '@lendloom/foundation/lists'
import { gauge } from '@lendloom/foundation/metrics'
import { publicMessageOf } from '@lendloom/foundation/refusal'
import { doublingPauses, pauseSeconds } from '@lendloom/foundation/schedule'
import { messageOf } from '@lendloom/foundation/thrown'
import type { Alert } from '@lendloom/mail/mail'
import { bytea, rowsAs, text, uuid } from '@lendloom/postgres/rows'
import { writeWithRetry } from '@lendloom/postgres/shared-commit'
import { type Db, isStatementCancelled, isTransient, sql } from '@lendloom/postgres/sql'
import { noTenantId } from '@lendloom/queue/queue'
import { loop, spaceClaims, type Worker } from '@lendloom/queue/worker-loop'
import { uuidv4 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import {
  type ApplyDeps,
  applyOne,
  applyRows,
  ConcurrentUpdate,
  logOutcome,
  markEnded,
  nextBatch,
  type PartitionBatch,
  type PartitionResult,
  type PartitionState,
  type PendingEvent,
  rangesOf,
  readReachable,
  sendRanges,
} from './apply-partition.ts'
import {
  applyQueue,
  claimWaiting,
  eventReader,
  factsOf,
  type InboxResult,
  inboxContext,
  nameOf,
  nextReader,
  nextWaiting,
  type Postponement,
  recordProgress,
  type SenderPartition,
  supersede,
  type WaitingEvent,
} from './inbox-store.ts'

export interface InboxWorkerOptions extends Omit<ApplyDeps, 'readEvent' | 'discardIfErased'> {
  seal: Seal
  /** Whether the records of a partition are erased; by default never. */
  isErased?(partition: SenderPartition): Promise<boolean>
  /** Called once for each message that is stuck longer than `alertAfterSeconds`. */
  alert: Alert
  /** Returns the tenant of a partition; by default `noTenantId`. */
  tenantOf?(partitionKey: string): Promise<string>
  /** Names the record that `apply` locks, if several partition keys may share one; by default the partition key. */
  ownerOf?(partitionKey: string): Promise<string>
  /** 15 minutes by default. */
  alertAfterSeconds?: number
}

/** Number of claims that this process handles at once. */
const concurrency = 3
/** Number of groups of partitions of one claim that are applied at once. */
const groupsPerClaim = 3
// A group is small, so that its records are locked briefly.
const maxPartitions = 16
const maxMessages = 64
/** A claim covers the partitions of at most this many due messages, oldest first. */
const maxClaimed = 512
/** Messages that a crashed worker had claimed become due again after this time. */
const leaseSeconds = 30
/** Minimum time between claims, so that under load each claim gets several messages of a partition. */
const gatherMs = 10

const oldest = gauge('inbox_oldest_seconds', 'How long the oldest applicable message has been waiting')

/** Several processes may run this worker; messages that a dead process had claimed become due again. */
export function inboxWorker(options: InboxWorkerOptions): Worker {
  const { db, seal, log, clock } = options
  const deps: ApplyDeps = {
    ...options,
    readEvent: eventReader(db, seal),
    async discardIfErased(partition, rows) {
      if (rows.length === 0 || !(await options.isErased?.(partition))) return false
      await discardErased(options, partition, rows, clock())
      return true
    },
  }
  const toBatch = serializePartitions(stateReader(options))

  const claim = spaceClaims(gatherMs, async (): Promise<WaitingEvent[][]> => {
    const at = clock()
    const claimed = await claimWaiting(db, at, secondsAfter(at, leaseSeconds), maxClaimed)
    const waitingSince = claimed.map((event) => (event.stuckSince === null ? event.receivedAt.getTime() : at.getTime()))
    oldest.set((at.getTime() - Math.min(at.getTime(), ...waitingSince)) / 1000)
    return claimed.length === 0 ? [] : [claimed]
  })

  async function handle(events: WaitingEvent[]): Promise<void> {
    const batches = [...grouped(events, ({ sender, partitionKey }) => `${partitionKey}/${sender}`)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(toBatch)
    const progress: InboxResult = { ended: [], stuck: [], advanced: [] }
    /** Returns the batches of groups that failed. */
    async function applyGroups(groups: ClaimedBatch[][]): Promise<ClaimedBatch[]> {
      const failed: ClaimedBatch[] = []
      const applyNext = async (): Promise<void> => {
        for (let group = groups.pop(); group; group = groups.pop()) {
          const results = await applyPartitions(deps, group)
          if (!results) failed.push(...group)
          else pairs(group, results).forEach(([batch, result]) => void noteResult(batch, result))
        }
      }
      await Promise.all(Array.from({ length: groupsPerClaim }, applyNext))
      return failed
    }
    function noteResult(batch: ClaimedBatch, { ended, pending }: PartitionResult): void {
      batch.end()
      progress.ended.push(...ended)
      progress.stuck.push(...pending.map((each) => postponementOf(options, each)))
      if (ended.length > 0) progress.advanced.push(batch.rows[0])
    }
    // A group must not wait for the earlier messages of one of its partitions.
    const failed = await applyGroups(groupsOf(batches.filter(({ isWaiting }) => !isWaiting)))
    await applyGroups([...batches.filter(({ isWaiting }) => isWaiting), ...failed].map((batch) => [batch]))
    if (await writeWithRetry(db, (run) => recordProgress(run, progress, clock()))) db.wake(applyQueue)
  }

  const due = { clock, next: nextWaiting }
  return loop<WaitingEvent[]>({ queue: applyQueue, db, log, due, concurrency, claim, handle })
}

function groupsOf(batches: ClaimedBatch[]): ClaimedBatch[][] {
  const size = Math.min(maxPartitions, Math.ceil(batches.length / groupsPerClaim))
  const groups: ClaimedBatch[][] = []
  let messages = 0
  for (const batch of batches) {
    const last = groups.at(-1)
    if (last && last.length < size && messages + batch.rows.length <= maxMessages) last.push(batch)
    else {
      groups.push([batch])
      messages = 0
    }
    messages += batch.rows.length
  }
  return groups
}

interface ClaimedBatch extends PartitionBatch {
  /** Whether an earlier claim still works on the partition. */
  isWaiting: boolean
  end(): void
}

type ReadState = (rows: PartitionBatch['rows']) => Promise<PartitionState>

function stateReader({
  db,
  tenantOf = async () => noTenantId,
  ownerOf = async (partitionKey) => partitionKey,
}: InboxWorkerOptions): ReadState {
  const nextOf = nextReader(db)
  return async (rows) => {
    const [{ sender, partitionKey }] = rows
    const partition = { tenantId: await tenantOf(partitionKey), partitionKey, sender }
    const owner = await ownerOf(partitionKey)
    const entities = [...new Map(rows.map((row) => [nameOf(row), row]))]
    const versions = await Promise.all(
      entities.map(([, { entityType, entityId }]) => nextOf({ ...partition, entityType, entityId })),
    )
    const next = new Map(entities.map(([name], i) => [name, versions[i] ?? 1]))
    return { partition, owner, next, ended: new Set() }
  }
}

/** Applies the batches of a partition one after another, because an earlier claim may have earlier versions. */
function serializePartitions(
  readState: ReadState,
): (entry: [name: string, rows: PartitionBatch['rows']]) => ClaimedBatch {
  /** By partition and sender, a promise that resolves when the latest batch is applied. */
  const inProgress = new Map<string, Promise<void>>()
  return ([name, rows]) => {
    const previous = inProgress.get(name)
    const state = previous ? previous.then(() => readState(rows)) : readState(rows)
    state.catch(() => {})
    const { promise, resolve } = Promise.withResolvers<void>()
    inProgress.set(name, promise)
    const end = () => {
      resolve()
      if (inProgress.get(name) === promise) inProgress.delete(name)
    }
    return { rows, state, isWaiting: previous !== undefined, end }
  }
}

export const failedSchedule = doublingPauses(2, 300)
const minPollSeconds = 0.1
const maxPollSeconds = 60

/**
 * Decides when to retry a message that waits. A failed message is retried after 2, 4, 8 … up to 300 seconds.
 * A message that waits for another message is retried after as long as it has waited, between 0.1 and 60 seconds; it
 * also becomes due when its partition advances. A message with an unknown outcome is retried after a second.
 */
function postponementOf(
  options: InboxWorkerOptions,
  { waiting, kind, because, shouldAlert }: PendingEvent,
): Postponement {
  const at = options.clock()
  if (kind === 'unknown') {
    const { tries, stuckSince, alertedAt } = waiting
    return { waiting, because, tries, stuckSince, alertedAt, dueAt: secondsAfter(at, 1) }
  }
  const stuckSince = waiting.stuckSince ?? at
  const age = (at.getTime() - stuckSince.getTime()) / 1000
  const tries = kind === 'failed' ? waiting.tries + 1 : 0
  const seconds =
    kind === 'failed' ? pauseSeconds(failedSchedule, tries) : Math.min(Math.max(age, minPollSeconds), maxPollSeconds)
  const isLate = shouldAlert && waiting.alertedAt === null && age >= (options.alertAfterSeconds ?? 900)
  if (isLate) alertOperators(options, waiting, because, stuckSince)
  return {
    waiting,
    because: because.slice(0, 500),
    tries,
    dueAt: secondsAfter(at, seconds),
    stuckSince,
    alertedAt: isLate ? at : waiting.alertedAt,
  }
}

function alertOperators({ alert }: InboxWorkerOptions, waiting: WaitingEvent, because: string, stuckSince: Date): void {
  alert('a received event cannot be applied', { ...factsOf(waiting), stuckSince, because })
}

const discardedReason = 'the records of its case are erased'

/**
 * Marks messages as superseded unless they have an outcome. Their ids and digests stay, so that a repetition is
 * recognized.
 */
async function discardErased(
  { db, seal }: { db: Db; seal: Seal },
  partition: SenderPartition,
  rows: WaitingEvent[],
  at: Date,
): Promise<void> {
  await db.tx(async (tx) => {
    await supersede(tx, partition, rows, { reason: discardedReason, at })
    await tx`
      update inbox i set body_sealed = emptied.body_sealed
      from ${rowsAs(sql`emptied`, rows, {
        sender: text((row) => row.sender),
        eventId: uuid((row) => row.eventId),
        bodySealed: bytea((row) => seal.json({}, inboxContext(row.sender, row.eventId))),
      })}
      where i.sender = emptied.sender and i.event_id = emptied.event_id`
  })
}

/** Returns messages that could not be applied as pending; null if each partition must be applied alone. Never throws. */
async function applyPartitions(deps: ApplyDeps, batches: PartitionBatch[]): Promise<PartitionResult[] | null> {
  try {
    await applyTogether(deps, batches)
  } catch (error) {
    // Each partition would wait again for a database that does not answer. A cancelled statement concerns its own partition.
    if (isTransient(error) && !isStatementCancelled(error))
      return batches.map(({ rows }) => pendingAfter(deps, rows, error))
    return null
  }
  const results: PartitionResult[] = []
  for (const { rows, state } of batches)
    results.push(
      await state.then((known) => applyRows(deps, rows, known)).catch((error) => pendingAfter(deps, rows, error)),
    )
  return results
}

function pendingAfter(deps: ApplyDeps, rows: PartitionBatch['rows'], error: unknown): PartitionResult {
  const errorId = uuidv4()
  const isTransientError = error instanceof ConcurrentUpdate || isTransient(error)
  const because = isTransientError ? messageOf(error) : publicMessageOf(error, errorId)
  const [{ sender, partitionKey }] = rows
  if (!isTransientError)
    deps.log.error({ err: error, errorId, sender, partitionKey }, 'a partition could not be applied')
  else deps.log.warn({ sender, partitionKey, because }, 'a partition will be retried')
  const kind = isTransientError ? 'unknown' : 'failed'
  return { ended: [], pending: rows.map((waiting) => ({ waiting, kind, because, shouldAlert: !isTransientError })) }
}

/** A group does not wait longer for the lock of one of its records. */
const groupLockWaitMs = 100

/** Applies all next messages in one transaction, or none. Omits partitions with a held message, which may fail again. */
async function applyTogether(deps: ApplyDeps, batches: PartitionBatch[]): Promise<void> {
  const candidates = batches.filter(({ rows }) => rows.every(({ stuckSince }) => stuckSince === null))
  if (candidates.length < 2 || deps.db.isDistributed) return
  const read = await Promise.allSettled(
    candidates.map(async ({ rows, state }) => {
      const known = await state
      const events = await readReachable(deps, rows, known)
      return { state: known, events: nextBatch(events, known.next, events.length) }
    }),
  )
  const readable = read.flatMap((each) =>
    each.status === 'fulfilled' && each.value.events.length > 0 ? [each.value] : [],
  )
  // A lock does not separate effects within one transaction. Groups lock records in the same order.
  const members = [...new Map(readable.map((each) => [each.state.owner, each])).values()].sort((a, b) =>
    a.state.owner < b.state.owner ? -1 : 1,
  )
  if (members.length < 2) return
  const at = deps.clock()
  await deps.db.tx(async (tx) => {
    const ranges = members.flatMap(({ state, events }) => rangesOf(state.partition, events))
    const limit = tx`select set_config('lock_timeout', ${String(groupLockWaitMs)}, true)`
    limit.catch(() => {})
    const confirmVersions = sendRanges(tx, ranges, { outcome: 'APPLIED', reason: null, at })
    try {
      await Promise.all(
        members.map(async ({ events }) => {
          for (const event of events) await applyOne(deps, tx, event, at)
        }),
      )
    } finally {
      // The first failure, such as a deadlock, decides whether the transaction is retried.
      await limit
      await confirmVersions()
    }
  })
  for (const { state, events } of members)
    for (const event of events) {
      markEnded(state, event)
      logOutcome(deps, event, 'APPLIED')
    }
}
