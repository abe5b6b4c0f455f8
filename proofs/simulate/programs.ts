// Starts the real programs in this process, each on its own database, and ends them without warning.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import type { RunningProgram } from '@lendloom/foundation/program'
import { seededRandom } from '@lendloom/tests/setup/patience'
import { type ProgramStart, programStarts } from '@lendloom/tests/setup/program-starts'
import { enterNetwork } from './clients.ts'
import { enterDatabases } from './connection.ts'
import { DatabaseServer } from './database.ts'
import { Disk, diskRoot, enterDisk } from './disk.ts'
import { enterScheduler, seedChance } from './install.ts'
import { Network } from './network.ts'
import { type Owner, Scheduler, within } from './scheduler.ts'

export const programNames = ['sandbox', 'partner', 'platform'] as const
export type ProgramName = (typeof programNames)[number]

const ports: Record<ProgramName, number> = { sandbox: 6001, partner: 6002, platform: 6003 }
const databasePorts: Record<ProgramName, number> = { sandbox: 7001, partner: 7002, platform: 7003 }
export const databaseUrl = (program: ProgramName): string =>
  `postgres://p:p@127.0.0.1:${databasePorts[program]}/${program}`
export const urlOf = (program: ProgramName): string => `http://127.0.0.1:${ports[program]}`

export type Environments = Record<ProgramName, Record<string, string>>

export async function environments(): Promise<Environments> {
  const { newSealKey } = await import('@lendloom/seal/seal')
  const { sandboxProviders } = await import('@lendloom/wire/sandbox/provider-settings')
  const { platformEnvironment } = await import('@lendloom/tests/setup/platform')
  const { partnerEnvironments, patientSettings, quickSettings } = await import('@lendloom/tests/setup/programs')
  const platformUrl = urlOf('platform')
  const sandboxUrl = urlOf('sandbox')
  const lender = partnerEnvironments({
    url: urlOf('partner'),
    database: databaseUrl('partner'),
    directory: `${diskRoot}/files`,
    platformUrl,
    sandboxUrl,
  })
  const common = {
    ...quickSettings,
    ...patientSettings,
    LOG_LEVEL: process.env.LENDLOOM_TEST_LOG ?? 'silent',
    DATABASE_CONNECTIONS: '4',
    PARTNER_DATABASE_CONNECTIONS: '4',
  }
  return {
    platform: {
      ...platformEnvironment(databaseUrl('platform'), ports.platform),
      NETWORK_REGISTRY_URL: `${sandboxUrl}/registry`,
      NETWORK_GATEWAY_URL: `${sandboxUrl}/gateway`,
      AA_REGISTRY_URL: `${sandboxUrl}/aggregator/registry`,
      ...sandboxProviders(sandboxUrl),
      ...lender.platform,
      ...common,
    },
    partner: { ...lender.partner, ...common },
    sandbox: {
      SANDBOX_PORT: String(ports.sandbox),
      SANDBOX_URL: sandboxUrl,
      SANDBOX_DATABASE_URL: databaseUrl('sandbox'),
      SANDBOX_DEMO_URL: `${platformUrl}/demo`,
      LENDLOOM_KEYS: newSealKey('s1'),
      ...common,
    },
  }
}

const loadedOnUse = ['pdfkit', '@cantoo/pdf-lib', 'harfbuzzjs', 'fontkit', 'nodemailer', 'prom-client', 'mailparser']

/** Loads the programs' modules, so that no run waits for a file. */
export async function loadPrograms(): Promise<Record<ProgramName, ProgramStart>> {
  for (const library of loadedOnUse) await import(library)
  return programStarts()
}

/** One run: its scheduler, network and databases. */
export interface Site {
  scheduler: Scheduler
  network: Network
  disk: Disk
  random: () => number
  databases: Record<ProgramName, DatabaseServer>
  env: Environments
  starts: Record<ProgramName, ProgramStart>
  owners: Map<ProgramName, Owner>
  announced: Map<ProgramName, RunningProgram['announce']>
}

/** What all runs of this process share. */
export interface Template {
  env: Environments
  pglites: Record<ProgramName, PGlite>
  starts: Record<ProgramName, ProgramStart>
}

export async function makeTemplate(): Promise<Template> {
  const starts = await loadPrograms()
  return { env: await environments(), pglites: await migratedDatabases(), starts }
}

/** Opens the site of a run, with databases as after their migrations. */
export async function openSite(seed: number, { env, pglites, starts }: Template): Promise<Site> {
  const scheduler = new Scheduler()
  enterScheduler(scheduler)
  const random = seededRandom(seed * 3)
  seedChance(seededRandom(seed * 3 + 1), seededRandom(seed * 3 + 2))
  const network = new Network(scheduler, random)
  const disk = new Disk()
  enterNetwork(network)
  enterDisk(disk)
  const databases = {} as Record<ProgramName, DatabaseServer>
  for (const name of programNames) {
    await empty(pglites[name])
    databases[name] = new DatabaseServer(scheduler, pglites[name], random)
  }
  enterDatabases(scheduler, (port) => {
    const name = programNames.find((each) => databasePorts[each] === port)
    return name && databases[name]
  })
  return { scheduler, network, disk, databases, random, env, starts, owners: new Map(), announced: new Map() }
}

async function migratedDatabases(): Promise<Record<ProgramName, PGlite>> {
  const first = await PGlite.create()
  const blank = await first.dumpDataDir('none')
  await first.close()
  const pglites = {} as Record<ProgramName, PGlite>
  for (const name of programNames) {
    pglites[name] = await PGlite.create({ loadDataDir: blank, relaxedDurability: true })
    await migrateAlone(pglites[name], name)
    await keepRows(pglites[name])
  }
  return pglites
}

const tablesOf = async (pglite: PGlite): Promise<string[]> => {
  const { rows } = await pglite.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by tablename",
  )
  return rows.map(({ name }) => name)
}

/** Copies the rows of the migrations, such as limits and holidays, from which each run starts. */
async function keepRows(pglite: PGlite): Promise<void> {
  await pglite.exec('create schema kept')
  for (const name of await tablesOf(pglite)) {
    const { rows } = await pglite.query(`select from ${name} limit 1`)
    if (rows.length > 0) await pglite.exec(`create table kept.${name} as table ${name}`)
  }
}

/** Restores the state after the migrations: the same for every run, and many times faster than a new database. */
async function empty(pglite: PGlite): Promise<void> {
  await pglite.exec('rollback; deallocate all; set plan_cache_mode = force_generic_plan')
  await pglite.exec(`truncate ${(await tablesOf(pglite)).join(', ')} restart identity`)
  const { rows } = await pglite.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'kept' order by tablename",
  )
  for (const { name } of rows) await pglite.exec(`insert into ${name} overriding system value table kept.${name}`)
}

/** As `packages/postgres/src/migrate.ts`, which cannot build an index concurrently here, because that takes a second session. */
async function migrateAlone(pglite: PGlite, program: ProgramName): Promise<void> {
  const { migrationsOf } = await import('@lendloom/cli/src/migrations.ts')
  const { migrationFiles } = await import('@lendloom/postgres/migrate')
  await pglite.exec(
    'create table migration (name text primary key, digest text not null, applied_at timestamptz not null default now())',
  )
  for (const { name, path } of migrationFiles(migrationsOf[program])) {
    const text = readFileSync(path, 'utf8')
    await pglite.exec(text.replaceAll(' concurrently ', ' '))
    const digest = createHash('sha256').update(text).digest('hex')
    await pglite.query('insert into migration (name, digest) values ($1, $2)', [name, digest])
  }
}

/** Runs steps until the promise settles; throws when the time is over. */
export async function drive<T>(scheduler: Scheduler, work: Promise<T>, what: string, withinMs = 600_000): Promise<T> {
  const deadline = scheduler.now + withinMs
  let isSettled = false
  work.then(
    () => {
      isSettled = true
    },
    () => {
      isSettled = true
    },
  )
  await scheduler.settle()
  while (!isSettled) {
    if (!(await scheduler.step())) throw new Error(`${what}: nothing is pending, but it has not ended`)
    if (scheduler.now > deadline) throw new Error(`${what}: not within ${withinMs} ms`)
  }
  return work
}

/** Starts the program; resolves when it listens. */
export async function boot({ env, starts, owners, announced }: Site, program: ProgramName): Promise<void> {
  const owner: Owner = { name: program, isAlive: true, skewMs: owners.get(program)?.skewMs ?? 0 }
  owners.set(program, owner)
  const running = await within(owner, () => starts[program](env[program]))
  if (running.announce) announced.set(program, running.announce)
}

/** Ends the program as a power cut does. */
export function kill({ network, databases, owners }: Site, program: ProgramName): void {
  const owner = owners.get(program)
  if (!owner?.isAlive) return
  owner.isAlive = false
  network.kill(owner)
  for (const server of Object.values(databases)) for (const backend of server.connectionsOf(owner)) backend.abandon()
}
