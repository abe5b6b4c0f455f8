// Applies the waiting messages of several partitions: in one transaction if none fails, otherwise one by one.

import { publicMessageOf } from '@lendloom/foundation/refusal'
import { messageOf } from '@lendloom/foundation/thrown'
import { isStatementCancelled, isTransient } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import { nextBatch } from './inbox-order.ts'
import {
  type ApplyDeps,
  applyOne,
  applyRows,
  ConcurrentUpdate,
  logOutcome,
  type PartitionBatch,
  type PartitionOutcome,
  rangesOf,
  readReachable,
  sendRanges,
  settle,
} from './inbox-partition.ts'

/** Returns messages that could not be applied as pending; null if each partition must be applied alone. Never throws. */
export async function applyPartitions(deps: ApplyDeps, batches: PartitionBatch[]): Promise<PartitionOutcome[] | null> {
  try {
    await applyTogether(deps, batches)
  } catch (error) {
    // Each partition would wait again for a database that does not answer. A cancelled statement concerns its own partition.
    if (isTransient(error) && !isStatementCancelled(error))
      return batches.map(({ rows }) => pendingAfter(deps, rows, error))
    return null
  }
  const outcomes: PartitionOutcome[] = []
  for (const { rows, state } of batches)
    outcomes.push(
      await state.then((known) => applyRows(deps, rows, known)).catch((error) => pendingAfter(deps, rows, error)),
    )
  return outcomes
}

function pendingAfter(deps: ApplyDeps, rows: PartitionBatch['rows'], error: unknown): PartitionOutcome {
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
      settle(state, event)
      logOutcome(deps, event, 'APPLIED')
    }
}
