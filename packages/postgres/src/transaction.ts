// Runs a transaction: sends its statements in order, commits or rolls back, and retries after transient failures.

import { setTimeout as sleep } from 'node:timers/promises'
import { pauseMs, schedule } from '@lendloom/foundation/schedule'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'
import { inSpan, isSampled } from '@lendloom/foundation/trace'
import { DatabaseError, type PoolClient } from 'pg'
import {
  CommitUnknown,
  type Connections,
  cutWhenPatienceEnds,
  isDiskFull,
  isPlanOutdated,
  isReadOnly,
  socketOf,
} from './connection.ts'
import type { Queryable } from './statement.ts'
import { isPatienceOver, OutOfPatience, waitWithinPatience } from './wait-limit.ts'

/** The pauses before retries after transient failures, such as a deadlock or a lost connection. */
export const transactionSchedule = schedule(['PT0.05S', 'PT0.15S', 'PT0.45S', 'PT1.35S', 'PT4.05S'], 'give up')

/** The statement that a transaction begins with, and whether it may write. */
export interface TransactionMode {
  text: string
  mayWrite: boolean
}

/**
 * Runs `work` between begin and commit. A transient failure before the commit is retried by `transactionSchedule`. A
 * full disk is not retried, because retries would hold connections that reads need, nor is a statement that the server
 * cancelled, because it would load a slow database again.
 */
export async function transaction<T>(
  connections: Connections,
  work: (on: Queryable) => Promise<T>,
  begin: TransactionMode,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const run = () => runOnce(connections, work, begin)
      return await (isSampled() ? inSpan({ name: 'transaction', kind: 'internal' }, run) : run())
    } catch (error) {
      const maxPauseMs = pauseMs(transactionSchedule, attempt)
      if (maxPauseMs === null || !isTransient(error) || isPatienceOver()) throw error
      if (isDiskFull(error) || isStatementCancelled(error)) throw error
      if (isPlanOutdated(error)) continue
      // Random, so that conflicting transactions do not collide again.
      await waitWithinPatience(sleep(maxPauseMs * (0.5 + Math.random() / 2)))
    }
  }
}

async function runOnce<T>(
  connections: Connections,
  work: (on: Queryable) => Promise<T>,
  begin: TransactionMode,
): Promise<T> {
  const client = await connections.take()
  const stopTimer = cutWhenPatienceEnds(client)
  const queries = transactionQuery(client)
  let failure: unknown
  try {
    // Not awaited yet, so that it is sent together with the first statement.
    const beginning = queries.query({ text: begin.text, rowMode: 'array' })
    const result = await work(queries)
    await beginning
    // The commit follows all statements, including those that the work did not await.
    const firstFailure = queries.end()
    await commit(client, firstFailure)
    connections.confirm(client)
    return result
  } catch (error) {
    failure = (await queries.end())?.error ?? (error instanceof DatabaseError ? error : undefined)
    await client.query('rollback').catch((lost: Error) => {
      failure = lost
    })
    if (begin.mayWrite || !isReadOnly(failure)) throw error
    const snapshotError = new Error(`a snapshot must not write: ${messageOf(failure)}`, { cause: failure })
    failure = undefined
    throw snapshotError
  } finally {
    stopTimer()
    connections.release(client, failure)
  }
}

/**
 * Sends statements without waiting for earlier answers; PostgreSQL answers in order, and refuses all statements after a
 * failed one. After `end` statements are rejected, because the connection may serve another transaction by then.
 */
function transactionQuery(client: PoolClient): TransactionQuery {
  let last: Promise<unknown> = Promise.resolve()
  let isEnded = false
  let failure: { error: unknown } | undefined
  const batchPackets = packetBatcher(client)
  const query: Queryable['query'] = (statement) => {
    if (isEnded) return Promise.reject(new Error('a statement came after the end of its transaction'))
    batchPackets()
    const response = client.query<unknown[]>(statement)
    // Answers come in order: when the last statement is answered, all are.
    last = response.catch((error) => {
      failure ??= { error }
    })
    return response
  }
  async function end(): Promise<{ error: unknown } | undefined> {
    isEnded = true
    batchPackets()
    await last
    return failure
  }
  return { query, end }
}

/**
 * Returns a function that makes all statements of this turn of the event loop leave in one packet: transport is half the
 * cost of a small statement.
 */
function packetBatcher(client: PoolClient): () => void {
  const stream = socketOf(client)
  let isCorked = false
  return () => {
    if (isCorked) return
    isCorked = true
    stream.cork()
    process.nextTick(() => {
      isCorked = false
      stream.uncork()
    })
  }
}

/** Statements of one transaction. `end` awaits their answers and returns the first failure. */
type TransactionQuery = Queryable & { end(): Promise<{ error: unknown } | undefined> }

/**
 * A commit whose answer is lost may have taken effect, so it is never repeated here. A commit that the server refused, or
 * that the driver never sent, has not taken effect. PostgreSQL answers the commit of a failed transaction with a rollback;
 * then the original failure is thrown, even if the work caught it.
 */
async function commit(client: PoolClient, firstFailure: ReturnType<TransactionQuery['end']>): Promise<void> {
  const answer = await client.query('commit').catch((error) => {
    const isRefused = error instanceof DatabaseError && !/^(08|57)/.test(error.code ?? '')
    throw isRefused || isUnsent(error)
      ? error
      : new CommitUnknown('the commit was sent, but its answer is unknown', { cause: error })
  })
  if (answer.command === 'COMMIT') return
  throw (await firstFailure)?.error ?? new Error('not committed: the transaction had failed')
}

const transientCodes =
  /^(40001|40P01|25006|53100|53300|57014|57P0[123]|25P03|08\d{3}|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
const transientMessages = /Connection terminated|timeout exceeded when trying to connect/

const isUnsent = (error: unknown): boolean =>
  error instanceof Error && /connection error and is not queryable/.test(error.message)

/**
 * Whether an error is transient: a deadlock, a restart or switchover of the database, a lost or unavailable connection, a
 * full disk, a plan that a migration outdated, a timeout. A lock timeout is not: its caller says what it waited for.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof CommitUnknown || !(error instanceof Error)) return false
  if (error instanceof OutOfPatience) return true
  if (isUnsent(error) || isPlanOutdated(error)) return true
  return transientCodes.test(codeOf(error) ?? '') || transientMessages.test(error.message)
}

/** Whether an insert broke the named unique constraint. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === '23505' && error.constraint === constraint
}

/** Whether the server cancelled a statement, at its `statement_timeout` or for an operator. */
export const isStatementCancelled = (error: unknown): boolean => codeOf(error) === '57014'

/** Whether a statement exceeded its transaction's lock timeout. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'
