// `lendloom migrate` on real databases: an empty one, and one of an earlier version, which other commands refuse with the way out.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createDatabase } from '#cli/postgres/server.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { migrate as apply } from '#kit/db/migrate.ts'
import { connect } from '#kit/db/sql.ts'
import { testServer } from '#test/setup/database.ts'
import { CannotRun } from './command.ts'
import { databaseVariable, withDatabase, withSchema } from './database.ts'
import { migrate } from './migrate.ts'

const empty = async () => createDatabase(await testServer(), `empty_${uuidv4().replaceAll('-', '')}`)

for (const [program, variable] of [
  ['platform', 'DATABASE_URL'],
  ['partner', 'PARTNER_DATABASE_URL'],
] as const)
  test(`an empty database of the ${program} is brought up to date, once`, async () => {
    const env = { [variable]: await empty() }
    const run = async () =>
      (await migrate.run({ args: [], options: { program, incompatible: undefined }, json: true, env }))!
    const names = readdirSync(`${import.meta.dirname}/../${program}/migrations`)
    assert.equal((await run()).text.split('\n').length, names.length)
    assert.equal((await run()).text, 'Everything is up to date.')
    await withDatabase(program, env, async (db) => assert.equal((await db`select from migration`).length, names.length))
  })

test('a command on a database of an earlier version says how to bring it up to date', async () => {
  const refused = withDatabase('platform', { DATABASE_URL: await empty() }, async () => 'nothing')
  await assert.rejects(refused, (error) => error instanceof CannotRun && /lendloom migrate/.test(error.message))
})

/** A database as the version before one of the migrations left it. */
async function databaseBefore(program: 'platform' | 'partner', first: string): Promise<NodeJS.ProcessEnv> {
  const url = await empty()
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-migrations-'))
  after(() => rmSync(directory, { recursive: true }))
  const migrations = join(import.meta.dirname, '..', program, 'migrations')
  for (const name of readdirSync(migrations)) if (name < first) cpSync(join(migrations, name), join(directory, name))
  const db = connect(url, { connections: 1 })
  await apply(db, directory).finally(() => db.close())
  return { [databaseVariable[program]]: url }
}

test('docs/how-to/upgrade.md: a migration that the running version cannot work with is applied only with a word', async () => {
  const env = await databaseBefore('platform', '044')
  const run = (incompatible?: boolean) =>
    migrate.run({ args: [], options: { program: 'platform', incompatible }, json: true, env })
  await assert.rejects(
    run(),
    (error) => error instanceof CannotRun && /044-bucket.sql.*--incompatible/s.test(error.message),
  )
  await withSchema('platform', env, async (db) =>
    assert.deepEqual(await db`select name from migration where name like '044%'`, []),
  )
  const printed = (await run(true))!
  assert.match(printed.text, /^platform: applied 044-bucket.sql$/m)
  assert.match(printed.text, /^platform: versions that have 044-bucket.sql can run beside this schema$/m)
})

test('docs/how-to/upgrade.md: a migration beside which the running version works is applied, and the command says so', async () => {
  const env = await databaseBefore('platform', '050')
  const printed = (await migrate.run({
    args: [],
    options: { program: 'platform', incompatible: undefined },
    json: true,
    env,
  }))!
  assert.match(printed.text, /^platform: versions that have 044-bucket.sql can run beside this schema$/m)
})
