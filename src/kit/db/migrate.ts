// Forward-only migrations: numbered SQL files of a program, each applied once and never edited.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError, type PoolClient } from 'pg'
import { codeOf } from '#kit/runtime/record.ts'
import { CommitUnknown, isCommitUnknown } from './connection.ts'
import { type Db, isLockTimeout, isTransient } from './sql.ts'

export interface MigrateOptions {
  /** How long a migration waits for a lock. Statements queue behind it meanwhile, so it gives up early and retries. */
  lockTimeoutMs?: number
  /** Total time of the retries while a lock is held, or the database starts, stops or is switched over. */
  patienceMs?: number
}

/**
 * Migrates a database to the newest file of `directory` and returns the applied names. Several processes may call it:
 * one applies, the others wait. Throws when an applied file was edited.
 */
export async function migrate(
  db: Db,
  directory: string,
  { lockTimeoutMs = 500, patienceMs = 120_000 }: MigrateOptions = {},
): Promise<string[]> {
  const files = migrationsIn(directory)
  const deadline = performance.now() + patienceMs
  for (let hasWaited = false; ; hasWaited = true) {
    try {
      return await applyAll(db, directory, files, lockTimeoutMs)
    } catch (error) {
      const isRetriable = isWorthWaiting(error) || (hasWaited && isTransient(error))
      if (!isRetriable || performance.now() > deadline) throw error
      // Lets statements that queued behind our lock run first.
      await sleep(lockTimeoutMs * (0.5 + Math.random()))
    }
  }
}

/** Lists the files that are not applied yet. `isNew`: no file is applied, so no older program version is in use. */
export async function missingMigrations(db: Db, directory: string): Promise<{ missing: string[]; isNew: boolean }> {
  const files = migrationsIn(directory)
  const { rows: found } = await db.pool.query<{ has: boolean }>(`select to_regclass('migration') is not null as has`)
  if (!found[0]?.has) return { missing: files, isNew: true }
  const { rows } = await db.pool.query<{ name: string }>('select name from migration')
  const known = new Set(rows.map(({ name }) => name))
  return { missing: files.filter((name) => !known.has(name)), isNew: known.size === 0 }
}

/**
 * Whether to retry after an unknown commit, a held lock or a deadlock, while the database starts or stops (57P01 to
 * 57P03), or while it is read-only during a switchover. A database that cannot be reached at the first attempt is an
 * error at once, because its address may be wrong.
 */
const isWorthWaiting = (error: unknown): boolean =>
  isCommitUnknown(error) || isLockTimeout(error) || /^(40P01|57P0[123]|25006)$/.test(codeOf(error) ?? '')

/** Applies all missing files in one transaction. If one file fails, all are rolled back. */
async function applyAll(db: Db, directory: string, files: string[], lockTimeoutMs: number): Promise<string[]> {
  const client = await db.pool.connect()
  let connectionError: Error | undefined
  try {
    await client.query('begin')
    // No time limit: another process holds the lock while it migrates.
    await client.query(`select pg_advisory_xact_lock(hashtext('migrate'))`)
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    const names = await applyMissing(client, directory, files)
    await client.query('commit').catch(throwCommitFailure)
    return names
  } catch (error) {
    await client.query('rollback').catch((lost: Error) => {
      connectionError = lost
    })
    throw error
  } finally {
    client.release(connectionError)
  }
}

/** Throws the failure of a commit. If the connection was lost, the next attempt finds out whether it took effect. */
function throwCommitFailure(error: unknown): never {
  if (error instanceof DatabaseError && !/^(08|57)/.test(error.code ?? '')) throw error
  throw new CommitUnknown('the commit of the migrations was sent, its answer is unknown', { cause: error })
}

async function applyMissing(client: PoolClient, directory: string, files: string[]): Promise<string[]> {
  await client.query(
    'create table if not exists migration (name text primary key, digest text not null, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string; digest: string }>('select name, digest from migration')
  const known = new Map(rows.map(({ name, digest }) => [name, digest]))
  const applied: string[] = []
  for (const name of files) {
    const text = readFileSync(join(directory, name), 'utf8')
    const digest = createHash('sha256').update(text).digest('hex')
    const before = known.get(name)
    if (before === digest) continue
    if (before !== undefined) throw new Error(`migration ${name} was edited after it was applied`)
    await client.query(text)
    await client.query('insert into migration (name, digest) values ($1, $2)', [name, digest])
    applied.push(name)
  }
  return applied
}

/** Two branches may have used the same number; people decide which migration comes first. */
function migrationsIn(directory: string): string[] {
  const files = readdirSync(directory)
    .filter((name) => /^\d{3}-.+\.sql$/.test(name))
    .sort()
  const duplicate = files.find((name, i) => name.slice(0, 3) === files[i - 1]?.slice(0, 3))
  if (duplicate) throw new Error(`there are two migrations of number ${duplicate.slice(0, 3)}`)
  return files
}
