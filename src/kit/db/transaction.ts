// One transaction: ordered statements, a definite end, and retries after transient failures.

import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError, type PoolClient } from 'pg'
import { codeOf, messageOf } from '#kit/runtime/record.ts'
import { pauseMs, schedule } from '#kit/runtime/schedule.ts'
import {
  CommitUnknown,
  type Connections,
  cutWhenPatienceEnds,
  isDiskFull,
  isPlanOutdated,
  isReadOnly,
  socketOf,
} from './connection.ts'
import { isPatienceOver, OutOfPatience, waitWithinPatience } from './patience.ts'
import type { Queryable } from './statement.ts'

/** Transient failures, such as a deadlock or a lost connection. */
export const transactionSchedule = schedule(['PT0.05S', 'PT0.15S', 'PT0.45S', 'PT1.35S', 'PT4.05S'], 'give up')

/** The statement that a transaction begins with, and whether it may write. */
export interface TransactionMode {
  text: string
  mayWrite: boolean
}

/**
 * Runs `work` between begin and commit. A transient failure before the commit is retried by `transactionSchedule`. A
 * full disk is not: retries would hold connections that reads need.
 */
export async function transaction<T>(
  connections: Connections,
  work: (on: Queryable) => Promise<T>,
  begin: TransactionMode,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(connections, work, begin)
    } catch (error) {
      const longestMs = pauseMs(transactionSchedule, attempt)
      if (longestMs === null || !isTransient(error) || isDiskFull(error) || isPatienceOver()) throw error
      if (isPlanOutdated(error)) continue
      // Random, so that conflicting transactions do not collide again.
      await waitWithinPatience(sleep(longestMs * (0.5 + Math.random() / 2)))
    }
  }
}

async function once<T>(
  connections: Connections,
  work: (on: Queryable) => Promise<T>,
  begin: TransactionMode,
): Promise<T> {
  const client = await connections.take()
  const done = cutWhenPatienceEnds(client)
  const turn = inTurn(client)
  let failure: unknown
  try {
    // Sent together with the first statement: later statements on this connection are inside it, or fail with it.
    const begun = turn.query({ text: begin.text, rowMode: 'array' })
    const result = await work(turn)
    await begun
    // The commit is sent after the last statement, whether or not that was awaited.
    const ended = turn.end()
    await commit(client, ended)
    connections.confirm(client)
    return result
  } catch (error) {
    failure = (await turn.end())?.error ?? (error instanceof DatabaseError ? error : undefined)
    await client.query('rollback').catch((lost: Error) => {
      failure = lost
    })
    if (begin.mayWrite || !isReadOnly(failure)) throw error
    const own = new Error(`a snapshot may change nothing: ${messageOf(failure)}`, { cause: failure })
    failure = undefined
    throw own
  } finally {
    done()
    connections.release(client, failure)
  }
}

/**
 * Statements that are begun together are sent together and answered in order; after a failure PostgreSQL refuses the
 * rest. None is sent after `end`, because the connection may serve another transaction by then.
 */
function inTurn(client: PoolClient): TransactionQuery {
  let last: Promise<unknown> = Promise.resolve()
  let ended = false
  let failure: { error: unknown } | undefined
  const gather = gathering(client)
  const query: Queryable['query'] = (statement) => {
    if (ended) return Promise.reject(new Error('a statement came after the end of its transaction'))
    gather()
    const mine = client.query<unknown[]>(statement)
    // Answers come in order: when the last statement is answered, all are.
    last = mine.catch((error) => {
      failure ??= { error }
    })
    return mine
  }
  async function end(): Promise<{ error: unknown } | undefined> {
    ended = true
    gather()
    await last
    return failure
  }
  return { query, end }
}

/**
 * Statements of one turn of the event loop are sent in one packet: half the cost of a small statement is the transport.
 */
function gathering(client: PoolClient): () => void {
  const stream = socketOf(client)
  let isOpen = false
  return () => {
    if (isOpen) return
    isOpen = true
    stream.cork()
    process.nextTick(() => {
      isOpen = false
      stream.uncork()
    })
  }
}

/** Statements of one transaction. `end` awaits their answers and returns the first failure. */
type TransactionQuery = Queryable & { end(): Promise<{ error: unknown } | undefined> }

/**
 * A commit whose answer is lost may have taken effect and is never repeated blindly. A commit that the server refused
 * (a deferred constraint, a serialization failure) has not. PostgreSQL answers the commit of a failed transaction with
 * a rollback: the original failure is thrown then, even if it was caught.
 */
async function commit(client: PoolClient, ended: ReturnType<TransactionQuery['end']>): Promise<void> {
  const answer = await client.query('commit').catch((error) => {
    const refused = error instanceof DatabaseError && !/^(08|57)/.test(error.code ?? '')
    throw refused ? error : new CommitUnknown('the commit was sent, its answer is unknown', { cause: error })
  })
  if (answer.command === 'COMMIT') return
  throw (await ended)?.error ?? new Error('not committed: the transaction had failed')
}

const passingCodes =
  /^(40001|40P01|25006|53100|53300|57P0[123]|25P03|08\d{3}|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
const passingMessages =
  /Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable/

/**
 * Whether an error is transient: a deadlock, a restart or switch of the database, a lost or unavailable connection, a
 * full disk, a plan that a migration outdated, a timeout.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof CommitUnknown || !(error instanceof Error)) return false
  if (error instanceof OutOfPatience) return true
  return passingCodes.test(codeOf(error) ?? '') || isPlanOutdated(error) || passingMessages.test(error.message)
}

/** Whether an insert broke the named unique constraint. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === '23505' && error.constraint === constraint
}

/** Whether a statement exceeded its transaction's lock timeout. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'
