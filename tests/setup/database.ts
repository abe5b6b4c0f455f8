// Creates test databases, each cloned in milliseconds from a migrated template.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { migrationsOf } from '@lendloom/cli/src/migrations.ts'
import { createDatabase, databaseUrl } from '@lendloom/cli/src/postgres/server.ts'
import { type Migrations, migrate, migrationFiles } from '@lendloom/postgres/migrate'
import { connect } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import { Client } from 'pg'
import { noteStart } from './costs.ts'
import { distributedDatabase, testCluster } from './distributed.ts'
import { startTestServer } from './server.ts'

export type Program = 'platform' | 'partner' | 'sandbox'

export const serverVariable = 'LENDLOOM_TEST_POSTGRES'

/**
 * Creates a migrated database of that program and returns its URL. Databases are removed with their server only, because
 * on some file systems recently deleted files make each new database ten times as slow. Without the global setup, a test
 * file starts its own server.
 */
export async function testDatabase(program: Program): Promise<string> {
  noteStart('databases')
  const cluster = testCluster()
  if (cluster && program !== 'sandbox') return distributedDatabase(cluster, program)
  const server = await testServer()
  const template = await templateOf(program, server)
  const name = `${program}_${uuidv4().replaceAll('-', '')}`
  // Copying the files costs a third of writing each page to the log.
  const copy = `create database ${name} template ${template} strategy file_copy`
  await administer(server, (client) => client.query(copy))
  return databaseUrl(server, name)
}

let ownServer: Promise<string> | undefined

/** Returns the URL of the server's maintenance database. */
export async function testServer(): Promise<string> {
  const shared = process.env[serverVariable]
  if (shared) return shared
  ownServer ??= startTestServer().then(({ url }) => url)
  return ownServer
}

const templates = new Map<string, Promise<string>>()

function templateOf(program: Program, server: string): Promise<string> {
  const migrations = migrationsOf[program]
  const name = `template_${program}_${digestOf(migrations)}`
  const template = templates.get(name) ?? makeTemplate(server, name, migrations)
  templates.set(name, template)
  return template
}

/** Creates the template once; concurrent test files wait for the lock and find it. */
async function makeTemplate(server: string, name: string, migrations: Migrations): Promise<string> {
  await administer(server, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('template'))`)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return
    const unfinished = `${name}_unfinished`
    await client.query(`drop database if exists ${unfinished} with (force)`)
    const db = connect(await createDatabase(server, unfinished), { connections: 1 })
    await migrate(db, migrations).finally(() => db.close())
    await client.query(`alter database ${unfinished} rename to ${name}`)
  })
  return name
}

function digestOf(migrations: Migrations): string {
  const hash = createHash('sha256')
  for (const { name, path } of migrationFiles(migrations)) hash.update(name).update(readFileSync(path))
  return hash.digest('hex').slice(0, 12)
}

async function administer<T>(server: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
