// Forward-only migrations: numbered SQL files of packages and of a program, each applied once and never edited.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '@lendloom/foundation/thrown'
import { DatabaseError, Pool, type PoolClient } from 'pg'
import { CommitUnknown, isCommitUnknown } from './connection.ts'
import { type Db, isLockTimeout, isTransient } from './sql.ts'

/** The migrations of a program's database. */
export interface Migrations {
  /** In the order of their application: the packages come first, because the program's files refer to their tables. */
  folders: MigrationFolder[]
  /** Files of earlier versions whose statements are in other files now. */
  replaced?: ReplacedMigration[]
}

export interface MigrationFolder {
  /** The package that brings the tables; its files are recorded as `queue/001-job.sql`. Undefined for the program itself. */
  owner?: string
  directory: string
}

/**
 * A file that is gone, because its statements are in files of packages now. Databases have applied it, or the files that
 * replace it. Its entry may go when no database of an earlier version is left.
 */
export interface ReplacedMigration {
  name: string
  /** SHA-256 of its text, in hexadecimal. */
  digest: string
  /** The files that have its statements now. */
  by: string[]
}

export interface MigrateOptions {
  /** How long a migration waits for a lock. Statements queue behind it meanwhile, so it gives up early and retries. */
  lockTimeoutMs?: number
  /** Total time of the retries while a lock is held, or the database starts, stops or is switched over. */
  patienceMs?: number
  /** Receives the progress of an index that is built, once a second. */
  onProgress?: (progress: IndexProgress) => void
}

export interface IndexProgress {
  index: string
  /** What PostgreSQL does, such as `building index: scanning table`. */
  phase: string
  /** Done of this phase, from 0 to 1; null where PostgreSQL counts nothing. */
  share: number | null
}

/**
 * Migrates a database to the newest files and returns the names of those that ran. Several processes may call it: one
 * applies, the others wait. Throws when an applied file was edited.
 */
export async function migrate(
  db: Db,
  migrations: Migrations,
  { lockTimeoutMs = 500, patienceMs = 120_000, onProgress = () => {} }: MigrateOptions = {},
): Promise<string[]> {
  const files = migrationFiles(migrations)
  const deadline = performance.now() + patienceMs
  const applied: string[] = []
  for (let hasWaited = false; ; hasWaited = true) {
    try {
      for (;;) {
        const run = (client: PoolClient) => applyMissing({ client, db, onProgress }, files, migrations.replaced ?? [])
        const { names, isComplete } = await inTransaction(db, lockTimeoutMs, run)
        applied.push(...names)
        if (isComplete) return applied
      }
    } catch (error) {
      const isRetriable = isWorthWaiting(error) || (hasWaited && isTransient(error))
      if (!isRetriable || performance.now() > deadline) throw error
      // Lets statements that queued behind our lock run first.
      await sleep(lockTimeoutMs * (0.5 + Math.random()))
    }
  }
}

/** Lists the files that are to run. `isNew`: no file is applied, so no older program version is in use. */
export async function missingMigrations(
  db: Db,
  migrations: Migrations,
): Promise<{ missing: string[]; isNew: boolean }> {
  const names = migrationFiles(migrations).map(({ name }) => name)
  const { rows: found } = await db.pool.query<{ has: boolean }>(`select to_regclass('migration') is not null as has`)
  if (!found[0]?.has) return { missing: names, isNew: true }
  const { rows } = await db.pool.query<{ name: string }>('select name from migration')
  const known = new Set(rows.map(({ name }) => name))
  const isNew = known.size === 0
  for (const { name, by } of migrations.replaced ?? []) if (known.has(name)) for (const each of by) known.add(each)
  return { missing: names.filter((name) => !known.has(name)), isNew }
}

/**
 * Whether to retry after an unknown commit, a held lock or a deadlock, while the database starts or stops (57P01 to
 * 57P03), or while it is read-only during a switchover. A database that cannot be reached at the first attempt is an
 * error at once, because its address may be wrong.
 */
const isWorthWaiting = (error: unknown): boolean =>
  isCommitUnknown(error) || isLockTimeout(error) || /^(40P01|57P0[123]|25006)$/.test(codeOf(error) ?? '')

const isConcurrent = (name: string): boolean => name.endsWith('.concurrent.sql')

/**
 * Runs `work` in a transaction that excludes other migrating processes; if one file fails, all files of the transaction are
 * rolled back. Building an index concurrently does not wait for this transaction, because it holds no snapshot.
 */
async function inTransaction<T>(db: Db, lockTimeoutMs: number, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await db.pool.connect()
  let connectionError: Error | undefined
  try {
    await client.query('begin')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await lockMigrations(client)
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    const result = await work(client)
    await client.query('commit').catch(throwCommitFailure)
    return result
  } catch (error) {
    await client.query('rollback').catch((lost: Error) => {
      connectionError = lost
    })
    throw error
  } finally {
    client.release(connectionError)
  }
}

const lockPollMs = 100

/**
 * Waits without a time limit, because another process holds the lock while it migrates. Asks again and again: a statement
 * that waits for the lock has a snapshot, for which the other process would wait when it builds an index concurrently.
 */
async function lockMigrations(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ has: boolean }>(
      `select pg_try_advisory_xact_lock(hashtext('migrate')) as has`,
    )
    if (rows[0]?.has) return
    await sleep(lockPollMs)
  }
}

/** Throws the failure of a commit. If the connection was lost, the next attempt finds out whether it took effect. */
function throwCommitFailure(error: unknown): never {
  if (error instanceof DatabaseError && !/^(08|57)/.test(error.code ?? '')) throw error
  throw new CommitUnknown('the commit of the migrations was sent, its answer is unknown', { cause: error })
}

interface MigrationRun {
  client: PoolClient
  db: Db
  onProgress: (progress: IndexProgress) => void
}

interface AppliedFiles {
  names: string[]
  /** Whether no file is missing; otherwise another transaction must follow. */
  isComplete: boolean
}

/** Digests of applied files, by name. */
type Applied = Map<string, string>

/** Applies the missing files, and records what replaced files have done, or need not do, in the same transaction. */
async function applyMissing(
  migrating: MigrationRun,
  files: MigrationFile[],
  replaced: ReplacedMigration[],
): Promise<AppliedFiles> {
  const { client } = migrating
  await client.query(
    'create table if not exists migration (name text primary key, digest text not null, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string; digest: string }>('select name, digest from migration')
  const known: Applied = new Map(rows.map(({ name, digest }) => [name, digest]))
  await recordReplacements(client, known, files, replaced)
  const applied = await applyFiles(migrating, known, files)
  await recordReplaced(client, known, replaced)
  return applied
}

/** A concurrent file has a transaction of its own, which records that it is applied. */
async function applyFiles(migrating: MigrationRun, known: Applied, files: MigrationFile[]): Promise<AppliedFiles> {
  const { client } = migrating
  const names: string[] = []
  for (const { name, path } of files) {
    const text = readFileSync(path, 'utf8')
    const digest = digestOf(text)
    if (isApplied(known, { name, digest })) continue
    if (names.length > 0 && [name, names.at(-1) ?? ''].some(isConcurrent)) return { names, isComplete: false }
    if (isConcurrent(name)) await buildIndexes(migrating, indexStatements(name, text))
    else await client.query(text)
    await record(client, known, { name, digest })
    names.push(name)
  }
  return { names, isComplete: true }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

interface AppliedFile {
  name: string
  digest: string
}

function isApplied(known: Applied, { name, digest }: AppliedFile): boolean {
  const before = known.get(name)
  if (before !== undefined && before !== digest) throw new Error(`migration ${name} was edited after it was applied`)
  return before === digest
}

async function record(client: PoolClient, known: Applied, { name, digest }: AppliedFile): Promise<void> {
  await client.query('insert into migration (name, digest) values ($1, $2)', [name, digest])
  known.set(name, digest)
}

/** Records files as applied whose statements ran when they were in a replaced file. */
async function recordReplacements(
  client: PoolClient,
  known: Applied,
  files: MigrationFile[],
  replaced: ReplacedMigration[],
): Promise<void> {
  const adopted = new Set(replaced.filter((each) => isApplied(known, each)).flatMap(({ by }) => by))
  for (const { name, path } of files)
    if (adopted.has(name) && !known.has(name))
      await record(client, known, { name, digest: digestOf(readFileSync(path, 'utf8')) })
}

/** Records a replaced file once all of its statements have run, so that a process of an earlier version does not apply it. */
async function recordReplaced(client: PoolClient, known: Applied, replaced: ReplacedMigration[]): Promise<void> {
  for (const each of replaced)
    if (!known.has(each.name) && each.by.every((name) => known.has(name))) await record(client, known, each)
}

export interface IndexStatement {
  index: string
  sql: string
}

/**
 * The statements of a concurrent file. Each builds one index, and can be repeated after a crash. Throws for any other
 * statement, because outside a transaction it could be applied by half.
 */
export function indexStatements(name: string, text: string): IndexStatement[] {
  const statements = text.replaceAll(/^--.*$/gm, '').split(';')
  return statements.flatMap((statement) => {
    const sql = statement.trim()
    const index = /^create (?:unique )?index concurrently if not exists (\w+) on /.exec(sql)?.[1]
    if (sql !== '' && index === undefined)
      throw new Error(`migration ${name} may contain "create index concurrently if not exists" only, not: ${sql}`)
    return index === undefined ? [] : { index, sql }
  })
}

/** Builds indexes while programs read and write, on connections of its own, outside the transaction of `client`. */
async function buildIndexes({ db, onProgress }: MigrationRun, statements: IndexStatement[]): Promise<void> {
  const pool = new Pool({ ...db.pool.options, max: 2 })
  // A server that stops ends idle connections; the next statement fails by itself.
  pool.on('error', () => {})
  try {
    for (const statement of statements) await buildIndex(pool, statement, onProgress)
  } finally {
    await pool.end()
  }
}

async function buildIndex(
  pool: Pool,
  { index, sql }: IndexStatement,
  report: MigrationRun['onProgress'],
): Promise<void> {
  // An interrupted build leaves an invalid index, which would count as existing.
  const { rows } = await pool.query(
    'select from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname = $1 and not i.indisvalid',
    [index],
  )
  if (rows.length > 0) await pool.query(`drop index concurrently ${index}`)
  const timer = setInterval(() => void reportProgress(pool, index, report), progressMs)
  try {
    await pool.query(sql)
  } finally {
    clearInterval(timer)
  }
}

const progressMs = 1000

async function reportProgress(pool: Pool, index: string, report: MigrationRun['onProgress']): Promise<void> {
  const { rows } = await pool
    .query<{ phase: string; done: string; total: string }>(
      `select phase, case when blocks_total > 0 then blocks_done else tuples_done end as done,
         case when blocks_total > 0 then blocks_total else tuples_total end as total
       from pg_stat_progress_create_index where datname = current_database()`,
    )
    .catch(() => ({ rows: [] }))
  for (const { phase, done, total } of rows)
    report({ index, phase, share: Number(total) === 0 ? null : Number(done) / Number(total) })
}

export interface MigrationFile {
  /** As in the table `migration`. */
  name: string
  path: string
}

/** Lists the files in the order of their application. */
export const migrationFiles = ({ folders }: Migrations): MigrationFile[] =>
  folders.flatMap(({ owner, directory }) =>
    numberedFiles(directory).map((file) => ({
      name: owner === undefined ? file : `${owner}/${file}`,
      path: join(directory, file),
    })),
  )

/** Two branches may have used the same number; people decide which migration comes first. */
function numberedFiles(directory: string): string[] {
  const files = readdirSync(directory)
    .filter((name) => /^\d{3}-.+\.sql$/.test(name))
    .sort()
  const duplicate = files.find((name, i) => name.slice(0, 3) === files[i - 1]?.slice(0, 3))
  if (duplicate) throw new Error(`there are two migrations of number ${duplicate.slice(0, 3)}`)
  return files
}
