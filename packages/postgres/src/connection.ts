// The connections of a pool: when to replace one, and single statements, each of which is a transaction.

import type { Duplex } from 'node:stream'
import { codeOf } from '@lendloom/foundation/thrown'
import { Client, DatabaseError, type Pool, type PoolClient } from 'pg'
import type { Queryable } from './statement.ts'
import { OutOfPatience, startWait, waitWithinPatience } from './wait-limit.ts'

/** A connection outside a pool, for the command line. */
export { Client }

/** The commit was sent, but it is unknown whether it took effect, here or on the standby. */
export class CommitUnknown extends Error {}

/** Whether a failed write may have been committed. The caller may repeat the write only if a repetition is harmless. */
export const isCommitUnknown = (error: unknown): boolean => error instanceof CommitUnknown

/** Whether a migration changed the result columns of a prepared statement. The error's routine is never translated. */
export const isPlanOutdated = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

/** Whether a write failed because the server is read-only: a standby, or the former primary after a switchover. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006'

export const isDiskFull = (error: unknown): boolean => codeOf(error) === '53100'

/** Whether a statement was refused because of its connection, so that it can be sent again on another connection. */
const isConnectionFault = (error: unknown): boolean => isPlanOutdated(error) || isReadOnly(error)

/** Whether the connection must be closed after this error. */
const isUnusable = (error: unknown): boolean =>
  !(error instanceof DatabaseError) || isPlanOutdated(error) || /^(08|25|57P|58|XX)/.test(codeOf(error) ?? '')

export interface Connections {
  /**
   * Checks out a connection, and closes idle connections from before the last `renew`. Rejects with `OutOfPatience` if
   * the request has waited too long.
   */
  take(): Promise<PoolClient>
  /** Returns the connection to the pool; closes it after a connection error. */
  release(client: PoolClient, error?: unknown): void
  /** Replaces every connection that is open now before its next use. */
  renew(): void
  /** Throws `CommitUnknown` when the server stopped waiting for the standby before the standby had the commit. */
  confirm(client: PoolClient): void
  /** Whether a write failed in the last ten seconds because the disk of the database is full. */
  isFull(): boolean
}

const fullForMs = 10_000

export function connectionsOf(pool: Pool): Connections {
  let opened = new WeakSet<PoolClient>()
  let fullAt = Number.NEGATIVE_INFINITY
  const unconfirmed = new WeakSet<PoolClient>()
  pool.on('connect', (client) => {
    opened.add(client)
    // PostgreSQL reports a cancelled wait for a synchronous standby only by a warning. The commit is in effect here.
    client.on('notice', ({ routine }) => routine === 'SyncRepWaitForLSN' && unconfirmed.add(client))
  })
  const renew = () => {
    opened = new WeakSet()
  }
  return {
    async take() {
      for (;;) {
        const client = await connectionFrom(pool)
        if (opened.has(client)) return client
        client.release(true)
      }
    },
    release(client, error) {
      if (isDiskFull(error)) fullAt = performance.now()
      // Connections from before the fault would fail too. Connections that were opened later would not.
      if (isConnectionFault(error) && opened.has(client)) renew()
      client.release(error !== undefined && isUnusable(error))
    },
    renew,
    confirm(client) {
      if (unconfirmed.delete(client))
        throw new CommitUnknown('committed here; the wait for the standby was cancelled before the standby had it')
    },
    isFull: () => performance.now() - fullAt < fullForMs,
  }
}

/** A connection that arrives after the request has given up is returned at once. */
function connectionFrom(pool: Pool): Promise<PoolClient> {
  const connecting = pool.connect()
  return waitWithinPatience(connecting, () => {
    connecting.then(
      (client) => client.release(),
      () => {},
    )
  })
}

export function socketOf(client: PoolClient): Duplex {
  if (!(client instanceof Client)) throw new Error('the pool gives clients of another library')
  return client.connection.stream
}

/**
 * Closes the connection when its request has waited too long, unless the returned function is called first. Statements
 * then fail, the server rolls back, and the pool opens another connection.
 */
export const cutWhenPatienceEnds = (client: PoolClient): (() => void) =>
  startWait(() => socketOf(client).destroy(new OutOfPatience()))

/** Maximum number of attempts of a single statement, if its connection is at fault. */
const maxAttempts = 3

/** Sends each statement on a connection of the pool, as a separate transaction. */
export const singleStatements = (connections: Connections): Queryable => {
  const query: Queryable['query'] = async (statement) => {
    for (let attempt = 1; ; attempt++) {
      const client = await connections.take()
      const endWait = cutWhenPatienceEnds(client)
      let failure: unknown
      try {
        const answer = await client.query(statement)
        connections.confirm(client)
        return answer
      } catch (error) {
        failure = error
        if (attempt === maxAttempts || !isConnectionFault(error)) throw error
      } finally {
        endWait()
        connections.release(client, isCommitUnknown(failure) ? undefined : failure)
      }
    }
  }
  return { query }
}
