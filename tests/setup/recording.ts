// An installation of an earlier release, as proofs/setup/record.ts recorded it: its settings, its journeys and the rows of its databases.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { migrationsOf } from '@lendloom/cli/src/migrations.ts'
import { createDatabase } from '@lendloom/cli/src/postgres/server.ts'
import type { ClockOffset } from '@lendloom/foundation/clock'
import { required } from '@lendloom/foundation/required'
import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import { migrate, migrationFiles } from '@lendloom/postgres/migrate'
import { connect, type Db } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { type Borrower, readView } from './borrower.ts'
import { type Program, testServer } from './database.ts'
import { type HeadlessBorrower, mustCall, offerPath } from './headless.ts'

export interface Recording {
  commit: string
  /** The time in the programs when they were killed. */
  at: string
  env: Record<Program, Record<string, string>>
  tenant: SandboxTenant
  /** An endpoint of the tenant, which has received nothing yet. */
  webhook: { url: string; secret: string }
  journeys: RecordedJourney[]
  /** Debits and credits of each account of the partner, in paise. */
  ledger: { account: string; debit: string; credit: string }[]
  /** The rows of each table as PostgreSQL writes them; tables that others refer to come first. */
  rows: Record<Program, Record<string, string[]>>
  /** The partner's files in base64, by path. */
  files: Record<string, string>
}

/** A journey through the headless API or on the hosted page, with what the API showed about it. */
export type RecordedJourney = { name: string; shown: object } & (
  | { headless: HeadlessBorrower; offerId: string | null }
  | { hosted: Borrower }
)

export const readRecording = (file: string): Recording =>
  JSON.parse(brotliDecompressSync(readFileSync(file)).toString('utf8'))

/** Lets the programs' clock begin at an instant, before or after the real time. */
export function setClock(file: string, at: Date): void {
  const offset: ClockOffset = { aheadMs: at.getTime() - Date.now(), from: new Date(0).toISOString() }
  writeFileSync(file, JSON.stringify(offset))
}

/** What the API shows of a journey. */
export async function shownOf(platformUrl: string, journey: RecordedJourney): Promise<object> {
  if ('hosted' in journey) return shownByView(await readView({ ...journey.hosted, platformUrl }))
  const borrower = { ...journey.headless, platformUrl }
  const path = `/journeys/${borrower.journeyId}`
  const paths = [path, `${path}/state`, `${path}/offers`]
  if (journey.offerId) paths.push(offerPath(borrower, journey.offerId))
  const shown: Record<string, object> = {}
  for (const each of paths) shown[each] = await mustCall(borrower, 'GET', each)
  return shown
}

/** What the page shows of the journey itself; how it presents it may change. */
function shownByView({ status, screen, profile, address, offers, steps, installments, documents }: EmbedView): object {
  const terms = offers.map(
    ({ id, lenderName, amountPrincipal, annualPercentageRate, installmentAmount, tenureMonths }) => ({
      id,
      lenderName,
      amountPrincipal,
      annualPercentageRate,
      installmentAmount,
      tenureMonths,
    }),
  )
  return { status, screen, profile, address, terms, steps, installments, documents }
}

/** The debits and credits of each account of the partner, in paise. */
export const ledgerOf = (db: Db): Promise<Recording['ledger']> => db<Recording['ledger'][number]>`
  select account, sum(side.debit)::text as debit, sum(side.credit)::text as credit
  from ledger_posting p, lateral (values (p.debit, p.paise, 0), (p.credit, 0, p.paise)) as side (account, debit, credit)
  group by account order by account`

/** Reads every row of a database. */
export async function rowsOf(db: Db): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const table of await tablesOf(db)) {
    const found = await db.pool.query<{ row: string }>(`select t::text as row from ${table} t order by 1`)
    if (found.rows.length > 0) rows[table] = found.rows.map(({ row }) => row)
  }
  return rows
}

/** Tables in the order of their creation. */
async function tablesOf(db: Db): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by oid`,
  )
  return rows.map(({ name }) => name)
}

const recorded = join(import.meta.dirname, '..', 'full', 'installation', 'recorded')

/** The texts of the migrations that other files have replaced, by program and name. */
export const replacedMigrations = (): Record<Program, Record<string, string>> =>
  JSON.parse(brotliDecompressSync(readFileSync(join(recorded, 'replaced-migrations.json.br'))).toString('utf8'))

/** The migrations of these names, as an earlier version had them; those that were not replaced are never edited. */
function filesOfEarlierVersion(program: Program, names: string[]): { name: string; text: string }[] {
  const replaced = replacedMigrations()[program]
  const paths = new Map(migrationFiles(migrationsOf[program]).map(({ name, path }) => [name, path]))
  return names.map((name) => ({ name, text: replaced[name] ?? readFileSync(required(paths.get(name), name), 'utf8') }))
}

/** Migrates a database as a process of an earlier version did, which had these migrations. Returns those that ran. */
export async function migrateAsEarlierVersion(program: Program, db: Db, names: string[]): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-earlier-'))
  try {
    for (const { name, text } of filesOfEarlierVersion(program, names)) writeFileSync(join(directory, name), text)
    return await migrate(db, { folders: [{ directory }] })
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Creates a database of an earlier version, which had applied these migrations. */
export async function databaseOfEarlierVersion(program: Program, names: string[]): Promise<string> {
  const url = await createDatabase(await testServer(), `earlier_${program}_${uuidv4().replaceAll('-', '')}`)
  const db = connect(url, { connections: 2 })
  await migrateAsEarlierVersion(program, db, names).finally(() => db.close())
  return url
}

/** Creates a database with the recorded rows, in the schema of that release: that of the migrations which it had applied. */
export async function recordedDatabase(program: Program, rows: Record<string, string[]>): Promise<string> {
  const names = (rows.migration ?? []).map((row) => row.slice(1, row.indexOf(',')))
  const url = await databaseOfEarlierVersion(program, names)
  const db = connect(url, { connections: 2 })
  try {
    // The recorded row of `migration` has the digest of the migration in that release, with which `migrate` compares ours.
    await db.pool.query(`truncate ${(await tablesOf(db)).join(', ')}`)
    for (const [table, texts] of Object.entries(rows))
      await db.pool.query(
        `insert into ${table} overriding system value select (text::${table}).* from unnest($1::text[]) as text`,
        [texts],
      )
    await continueIdentities(db)
    return url
  } finally {
    await db.close()
  }
}

async function continueIdentities(db: Db): Promise<void> {
  const { rows } = await db.pool.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and is_identity = 'YES'`,
  )
  for (const { table, column } of rows)
    await db.pool.query(
      `select setval(pg_get_serial_sequence('${table}', '${column}'), max(${column})) from ${table} having max(${column}) is not null`,
    )
}
