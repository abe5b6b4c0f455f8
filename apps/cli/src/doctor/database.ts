// Checks of a program's database: version, migrations, clock, digest key, replication, and work that is overdue.

import type { Clock } from '@lendloom/foundation/clock'
import { messageOf } from '@lendloom/foundation/thrown'
import { listStalledForAMinute } from '@lendloom/platform/operations/figures'
import { texts } from '@lendloom/postgres/binary-array'
import { isDigestKeyOf } from '@lendloom/postgres/digest-key'
import { missingMigrations } from '@lendloom/postgres/migrate'
import { type Db, type Fragment, oneRow, sql } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import { type Finding, failed, type HealthCheck, ok, warning } from '#cli/check.ts'
import { databaseVariable } from '#cli/database.ts'
import { migrationsOf } from '#cli/migrations.ts'
import type { Program } from '#cli/program-names.ts'
import { checkSealedValues } from './sealed-values.ts'

/** The oldest version of PostgreSQL that we support. */
const oldestVersion = 15
/** Differences between clocks that tokens and signatures do not notice, and those that they refuse. */
const clockMs = { warning: 2_000, failed: 30_000 }
/** A standby that is further behind is late. */
const lagSeconds = 60
/** Work that has been due for longer than this is late, or stuck. */
const dueSeconds = { warning: 300, failed: 3600 }

/** Rows that a worker of the program takes when they are due. */
const dueWork: Record<Program, Record<string, Fragment>> = {
  platform: {
    jobs: sql`select min(due_at) as due from job`,
    'lifecycle updates': sql`select min(due_at) as due from webhook_delivery where due_at is not null`,
    'events to partners': sql`select min(due_at) as due from outbox where due_at is not null`,
  },
  partner: {
    jobs: sql`select min(due_at) as due from job`,
    'events to platforms': sql`select min(due_at) as due from outbox where due_at is not null`,
  },
  sandbox: { jobs: sql`select min(due_at) as due from job` },
}

interface Subject {
  program: Program
  db: Db
  /** The seal and `LENDLOOM_KEYS` of the settings; null if they are invalid. */
  sealing: { seal: Seal; keys: string } | null
  clock: Clock
}

/** In order: each must pass before the next one makes sense. */
export const requiredChecks = (subject: Pick<Subject, 'program' | 'db'>): HealthCheck[] => [
  [
    'database',
    () => checkServer(subject).catch((error) => failed(messageOf(error), `check ${databaseVariable[subject.program]}`)),
  ],
  ['migrations', () => checkMigrations(subject)],
]

/** The checks of a database that passed the required ones. */
export const checksInDatabase = (subject: Subject): HealthCheck[] => [
  ['clock of the database', () => checkClock(subject)],
  ...keyChecks(subject),
  ['replication', () => checkReplication(subject)],
  ['archive', () => checkArchive(subject)],
  ['overdue work', () => checkOverdueWork(subject)],
  ...(subject.program === 'platform' ? [stalledJourneysCheck(subject)] : []),
]

async function checkServer({ program, db }: Pick<Subject, 'program' | 'db'>): Promise<Finding> {
  const row = oneRow(
    await db<{ version: string; number: number; readOnly: boolean }>`
      select current_setting('server_version') as version, current_setting('server_version_num')::integer as number,
        pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly"`,
  )
  if (row.number < oldestVersion * 10_000)
    return failed(`PostgreSQL ${row.version}`, `upgrade the server to PostgreSQL ${oldestVersion} or newer`)
  if (row.readOnly)
    return failed(`PostgreSQL ${row.version} is read-only`, `let ${databaseVariable[program]} name the primary`)
  const others = await foreignTables(db, program)
  if (others.length > 0)
    return failed(
      `this is the database of another program: it has ${others.join(', ')}`,
      `correct ${databaseVariable[program]}`,
    )
  return ok(`PostgreSQL ${row.version}`)
}

/** A table that only this program has, by which the database of another one is recognized. */
const ownTable: Record<Program, string> = { platform: 'journey', partner: 'case_file', sandbox: 'broadcast' }

async function foreignTables(db: Db, program: Program): Promise<string[]> {
  const names = Object.values(ownTable).filter((name) => name !== ownTable[program])
  const rows = await db<{ name: string }>`
    select name from unnest(${texts(names)}::text[]) as name where to_regclass(name) is not null`
  return rows.map(({ name }) => name)
}

async function checkMigrations({ program, db }: Pick<Subject, 'program' | 'db'>): Promise<Finding> {
  const { missing } = await missingMigrations(db, migrationsOf[program])
  if (missing.length === 0) return ok('all applied')
  return failed(`missing: ${missing.join(', ')}`, `lendloom migrate --program ${program}`)
}

async function checkClock({ db }: Subject): Promise<Finding> {
  const sentAt = Date.now()
  const { at } = oneRow(await db<{ at: Date }>`select clock_timestamp() as at`)
  const apartMs = Math.abs(at.getTime() - (sentAt + Date.now()) / 2)
  const found = `${(apartMs / 1000).toFixed(1)} s apart from this machine`
  const action = 'let both machines synchronize their clocks (chrony, systemd-timesyncd)'
  if (apartMs > clockMs.failed) return failed(found, action)
  return apartMs > clockMs.warning ? warning(found, action) : ok(found)
}

const keyChecks = ({ program, db, sealing }: Subject): HealthCheck[] =>
  sealing === null
    ? []
    : [
        ['keys', () => checkDigestKey(db, sealing.seal)],
        ['sealed values', () => checkSealedValues({ program, db, ...sealing })],
      ]

async function checkDigestKey(db: Db, seal: Seal): Promise<Finding> {
  if (await isDigestKeyOf(db, seal)) return ok('the digest key is that of the database')
  return failed(
    'the digest key is not that of the database',
    'set LENDLOOM_DIGEST_KEY to the key that was the last one of LENDLOOM_KEYS when the database was created',
  )
}

async function checkReplication({ db }: Subject): Promise<Finding> {
  const standbys = await db<{ name: string; state: string; lag: number | null }>`
    select application_name as name, coalesce(state, 'unknown') as state, extract(epoch from replay_lag)::float8 as lag
    from pg_stat_replication order by application_name`
  if (standbys.length === 0) return ok('no standby is visible to this role')
  const found = standbys
    .map(({ name, state, lag }) => `${name}: ${state}, ${(lag ?? 0).toFixed(1)} s behind`)
    .join('; ')
  const isLate = standbys.some(({ state, lag }) => state !== 'streaming' || (lag ?? 0) > lagSeconds)
  return isLate ? warning(found, 'check the network and the disk of the standby') : ok(found)
}

/** Without a working archive the server keeps all segments, until its disk is full. */
async function checkArchive({ db }: Subject): Promise<Finding> {
  const { isSetUp, isFailing } = oneRow(
    await db<{ isSetUp: boolean; isFailing: boolean }>`
      select current_setting('archive_mode') <> 'off' and current_setting('archive_command') <> 'exit 0' as "isSetUp",
        coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing"
      from pg_stat_archiver`,
  )
  if (!isSetUp) return ok('the write-ahead log is not archived; see docs/how-to/back-up-and-restore.md')
  return isFailing
    ? failed(
        'PostgreSQL could not archive a segment of its write-ahead log',
        'make room in the backup directory or mount it; the log of PostgreSQL has the reason',
      )
    : ok('the write-ahead log is archived')
}

async function checkOverdueWork({ program, db, clock }: Subject): Promise<Finding> {
  const ages: [what: string, seconds: number][] = []
  for (const [what, query] of Object.entries(dueWork[program])) {
    const { due } = oneRow(await db<{ due: Date | null }>`${query}`)
    if (due) ages.push([what, (clock().getTime() - due.getTime()) / 1000])
  }
  const late = ages.filter(([, seconds]) => seconds > dueSeconds.warning)
  if (late.length === 0) return ok(`nothing is due for more than ${dueSeconds.warning / 60} minutes`)
  const found = late.map(
    ([what, seconds]) => `the oldest of the ${what} is due for ${Math.round(seconds / 60)} minutes`,
  )
  // Updates and events also wait for a receiver that does not answer.
  const isStuck = late.some(([what, seconds]) => what === 'jobs' && seconds > dueSeconds.failed)
  const action = 'check that a process with MODE=worker or all runs, and what its log says about receivers'
  return isStuck ? failed(found.join('; '), action) : warning(found.join('; '), action)
}

/** At most so many stalled journeys are counted, and so many named. */
const maxStalled = { counted: 1000, named: 3 }

const stalledJourneysCheck = ({ db, clock }: Subject): HealthCheck => [
  'journeys',
  async () => {
    const stalled = await listStalledForAMinute(db, clock(), maxStalled.counted)
    if (stalled.length === 0) return ok('each has an act of the borrower or a job')
    const count = stalled.length === maxStalled.counted ? `${maxStalled.counted} or more` : stalled.length
    const names = stalled.slice(0, maxStalled.named).map(({ journeyId }) => journeyId)
    return failed(
      `${count} without an act of the borrower or a job, such as ${names.join(', ')}`,
      'see JourneysStalled in docs/how-to/runbooks.md',
    )
  },
]
