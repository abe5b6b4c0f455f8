// Checks whether the database accepts writes, on a separate connection that requests and workers cannot occupy.
import { Pool } from 'pg'

/** Time limit for connecting, and for the answer. */
const timeoutMs = 2000

export interface Readiness {
  /** Whether the database is read-only, as a standby is. Rejects when it does not answer. */
  isReadOnly(): Promise<boolean>
  end(): Promise<void>
}

export function readinessOf(url: string, onError: (error: Error) => void): Readiness {
  const pool = new Pool({
    connectionString: url,
    application_name: 'lendloom readiness',
    max: 1,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  let pending: Promise<boolean> | undefined

  async function queryReadOnly(): Promise<boolean> {
    const client = await pool.connect()
    // A connection that fails or leads to a standby is closed: after a switchover, a new one reaches the new primary.
    let isStale = true
    try {
      const { rows } = await client.query<[boolean]>({
        text: `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean`,
        rowMode: 'array',
      })
      isStale = rows[0]?.[0] !== false
      return isStale
    } finally {
      client.release(isStale)
    }
  }

  return {
    isReadOnly() {
      pending ??= queryReadOnly().finally(() => (pending = undefined))
      return pending
    },
    end: () => pool.end(),
  }
}
