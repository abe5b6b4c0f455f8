// `lendloom migrate` on empty and outdated databases; other commands refuse an outdated database and say what to do.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrate as apply, migrationFiles } from '@lendloom/postgres/migrate'
import { connect } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import { testServer } from '@lendloom/tests/setup/database'
import { createDatabase } from '#cli/postgres/server.ts'
import { CannotRun } from './command.ts'
import { withDatabase } from './database.ts'
import { incompatibleMigrations } from './incompatible-migrations.ts'
import { migrate } from './migrate.ts'
import { migrationsOf } from './migrations.ts'

const emptyDatabaseUrl = async () => createDatabase(await testServer(), `empty_${uuidv4().replaceAll('-', '')}`)

for (const [program, variable] of [
  ['platform', 'DATABASE_URL'],
  ['partner', 'PARTNER_DATABASE_URL'],
] as const)
  test(`an empty database of the ${program} is migrated once`, async () => {
    const env = { [variable]: await emptyDatabaseUrl() }
    const run = async () =>
      (await migrate.run({ args: [], options: { program, incompatible: undefined }, json: true, env }))!
    const names = migrationFiles(migrationsOf[program])
    const { replaced = [] } = migrationsOf[program]
    assert.equal((await run()).text.split('\n').length, names.length)
    assert.equal((await run()).text, 'Everything is up to date.')
    await withDatabase(program, env, async (db) =>
      assert.equal((await db`select from migration`).length, names.length + replaced.length),
    )
  })

test('the error about an outdated database says how to migrate it', async () => {
  const refused = withDatabase('platform', { DATABASE_URL: await emptyDatabaseUrl() }, (db) => db`select from tenant`)
  await assert.rejects(refused, (error) => error instanceof CannotRun && /lendloom migrate/.test(error.message))
})

/** Creates a database with one older migration, which lacks `001-tables.sql`. */
async function olderDatabase(): Promise<NodeJS.ProcessEnv> {
  const url = await emptyDatabaseUrl()
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-migrations-'))
  writeFileSync(join(directory, '000-older.sql'), 'create table older (older_id integer primary key)')
  const db = connect(url, { connections: 1 })
  await apply(db, { folders: [{ directory }] }).finally(() => db.close())
  rmSync(directory, { recursive: true })
  return { DATABASE_URL: url }
}

const migratePlatform = (env: NodeJS.ProcessEnv, incompatible?: boolean) =>
  migrate.run({ args: [], options: { program: 'platform', incompatible }, json: true, env })

test('docs/how-to/upgrade.md: an incompatible migration is applied only on request', async (t) => {
  const { platform } = incompatibleMigrations
  t.after(() => delete platform['001-tables.sql'])
  platform['001-tables.sql'] = 'the older version cannot write'
  const env = await olderDatabase()
  await assert.rejects(
    migratePlatform(env),
    (error) => error instanceof CannotRun && /001-tables.sql: the older.*--incompatible/s.test(error.message),
  )
  await withDatabase('platform', env, async (db) =>
    assert.deepEqual(await db`select name from migration`, [{ name: '000-older.sql' }]),
  )
  const output = (await migratePlatform(env, true))!
  assert.match(output.text, /^platform: applied 001-tables.sql$/m)
  assert.match(output.text, /^platform: versions that have 001-tables.sql can run beside this schema$/m)
})

test('docs/how-to/upgrade.md: a compatible migration is applied without being asked for', async () => {
  const output = (await migratePlatform(await olderDatabase()))!
  assert.match(output.text, /^platform: every version can run beside this schema$/m)
})
