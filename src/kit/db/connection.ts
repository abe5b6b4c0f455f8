// The connections of a pool: when to replace one, and single statements, each of which is a transaction.

import type { Duplex } from 'node:stream'
import { Client, DatabaseError, type Pool, type PoolClient } from 'pg'
import { codeOf } from '#kit/runtime/record.ts'
import { OutOfPatience, startWait, waitWithinPatience } from './patience.ts'
import type { Queryable } from './statement.ts'

/** A connection outside a pool, for the command line. */
export { Client }

/** The commit was sent, but it is unknown whether it took effect, here or on the standby. */
export class CommitUnknown extends Error {}

/**
 * Whether a write may have been committed although it failed. The caller repeats it only when a repetition is harmless.
 */
export const isCommitUnknown = (error: unknown): boolean => error instanceof CommitUnknown

/** A prepared statement whose result has other columns since a migration. The message is translated, the routine is not. */
export const isPlanOutdated = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

/** A write failed because the server is read-only: a standby, or the former primary after a switch. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006'

/** The disk of the database is full. */
export const isDiskFull = (error: unknown): boolean => codeOf(error) === '53100'

/** Refused before it ran, for a reason that lies in the connection: it may be sent again on another one. */
const isOfConnection = (error: unknown): boolean => isPlanOutdated(error) || isReadOnly(error)

/** After other errors of the server a connection is as good as before. */
const isUnusable = (error: unknown): boolean =>
  !(error instanceof DatabaseError) || isPlanOutdated(error) || /^(08|25|57P|58|XX)/.test(codeOf(error) ?? '')

export interface Connections {
  /**
   * Checks a connection out. Those opened before the last `renew` are closed on the way. Rejects with `OutOfPatience` when the
   * request has waited too long.
   */
  take(): Promise<PoolClient>
  /** Returns the connection to the pool; closes it after a connection error. */
  release(client: PoolClient, error?: unknown): void
  /** Has every connection that is open now replaced before it is used again. */
  renew(): void
  /** Throws `CommitUnknown` when the server has ended its wait for the standby before the standby had the commit. */
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
    // PostgreSQL reports only by a warning that a wait for a synchronous standby was cancelled; the commit is in effect
    // on this server.
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
      // Other connections of the same age would fail too. A connection that was opened since would not.
      if (isOfConnection(error) && opened.has(client)) renew()
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

/** The socket of a connection. */
export function socketOf(client: PoolClient): Duplex {
  if (!(client instanceof Client)) throw new Error('the pool gives clients of another library')
  return client.connection.stream
}

/**
 * Cuts the connection when the request that uses it has waited too long, until the returned function is called. Its
 * statements then fail, the server rolls back, and the pool opens another connection.
 */
export const cutWhenPatienceEnds = (client: PoolClient): (() => void) =>
  startWait(() => socketOf(client).destroy(new OutOfPatience()))

/** How often a single statement is sent at most, where its connection and not itself was at fault. */
const tries = 3

/** Sends each statement on its own connection, as a transaction of its own. */
export const singleStatements = (connections: Connections): Queryable => {
  const query: Queryable['query'] = async (statement) => {
    for (let attempt = 1; ; attempt++) {
      const client = await connections.take()
      const done = cutWhenPatienceEnds(client)
      let failure: unknown
      try {
        const answer = await client.query(statement)
        connections.confirm(client)
        return answer
      } catch (error) {
        failure = error
        if (attempt === tries || !isOfConnection(error)) throw error
      } finally {
        done()
        connections.release(client, isCommitUnknown(failure) ? undefined : failure)
      }
    }
  }
  return { query }
}
