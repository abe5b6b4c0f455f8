// `lendloom migrate` on real databases: an empty one, and one of an earlier version, which other commands refuse with the way out.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { createDatabase } from '#cli/postgres/server.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { testServer } from '#test/setup/database.ts'
import { CannotRun } from './command.ts'
import { withDatabase } from './database.ts'
import { migrate } from './migrate.ts'

const empty = async () => createDatabase(await testServer(), `empty_${uuidv4().replaceAll('-', '')}`)

for (const [program, variable] of [
  ['platform', 'DATABASE_URL'],
  ['partner', 'PARTNER_DATABASE_URL'],
] as const)
  test(`an empty database of the ${program} is brought up to date, once`, async () => {
    const env = { [variable]: await empty() }
    const run = async () => (await migrate.run({ args: [], options: { program }, json: true, env }))!
    const names = readdirSync(`${import.meta.dirname}/../${program}/migrations`)
    assert.equal((await run()).text.split('\n').length, names.length)
    assert.equal((await run()).text, 'Everything is up to date.')
    await withDatabase(program, env, async (db) => assert.equal((await db`select from migration`).length, names.length))
  })

test('a command on a database of an earlier version says how to bring it up to date', async () => {
  const refused = withDatabase('platform', { DATABASE_URL: await empty() }, async () => 'nothing')
  await assert.rejects(refused, (error) => error instanceof CannotRun && /lendloom migrate/.test(error.message))
})
