// Whether the database accepts writes, asked on a separate connection that requests and workers cannot occupy.
import { Pool } from 'pg'

/** How long to wait for an answer. */
const patienceMs = 2000

export interface Readiness {
  /** Whether it is read-only, as a standby is. Rejects when it does not answer. */
  isReadOnly(): Promise<boolean>
  end(): Promise<void>
}

export function readinessOf(url: string, onError: (error: Error) => void): Readiness {
  const pool = new Pool({
    connectionString: url,
    application_name: 'lendloom readiness',
    max: 1,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    keepAlive: true,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  let current: Promise<boolean> | undefined

  async function ask(): Promise<boolean> {
    const client = await pool.connect()
    // One that leads to a standby, or fails, is replaced: after a switch a new connection leads to the new primary.
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
      current ??= ask().finally(() => (current = undefined))
      return current
    },
    end: () => pool.end(),
  }
}
