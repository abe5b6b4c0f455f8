// An advisory lock ensures that each server has one launcher; the server releases the lock when the launcher dies.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@lendloom/postgres/connection'

/** Another process uses the data directory or the port. */
export class ClusterInUse extends Error {}

export async function connected(url: string, name = 'lendloom'): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: name, connectionTimeoutMillis: 10_000 })
  // A query reports the error to its caller; without this listener the event would end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Holds the lock until the server ends; reacquires it if a crash of a backend closes the connection. */
export async function holdLock(url: string, ended: Promise<void>): Promise<void> {
  let hasEnded = false
  ended.then(() => (hasEnded = true))
  const acquire = async () => {
    const client = await connected(url, `launcher ${process.pid}`)
    await lock(client)
    // A lock must not keep the process alive. (The method is missing from the type declarations of `pg`.)
    if ('unref' in client && typeof client.unref === 'function') client.unref()
    client.once('end', () => void reacquire())
  }
  const reacquire = async () => {
    for (let isHeld = false; !isHeld && !hasEnded; ) {
      await sleep(200, undefined, { ref: false })
      if (!hasEnded)
        isHeld = await acquire().then(
          () => true,
          () => false,
        )
    }
  }
  await acquire()
}

/** Whether the server has no launcher; false if it is unreachable. Throws `ClusterInUse` if its launcher is alive. */
export async function isAbandoned(url: string): Promise<boolean> {
  try {
    const client = await connected(url)
    await lock(client).finally(() => client.end())
    return true
  } catch (error) {
    if (error instanceof ClusterInUse) throw error
    return false
  }
}

const key = 0x1e4d100

async function lock(client: Client): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>(`select pg_try_advisory_lock(${key}) as free`)
  if (rows[0]?.free) return
  const { rows: holders } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and objid = ${key} and granted limit 1`,
  )
  await client.end()
  throw new ClusterInUse(
    `PostgreSQL is already running on this data directory (${holders[0]?.name ?? 'another process'})`,
  )
}
