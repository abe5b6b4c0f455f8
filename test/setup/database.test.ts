// The ground the other tests stand on: databases that are migrated, and separate.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { testDatabase } from './database.ts'

async function ask<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

test('two test databases are migrated and do not see each other', async () => {
  const [one, other] = [await testDatabase('platform'), await testDatabase('platform')]
  assert.notEqual(one, other)
  await ask(one, 'create table mine (id int)')
  const seen = await ask<{ mine: string | null }>(other, `select to_regclass('mine')::text as mine`)
  assert.deepEqual(seen, [{ mine: null }])
  const migrated = await ask<{ there: boolean }>(one, `select to_regclass('migration') is not null as there`)
  assert.deepEqual(migrated, [{ there: true }])
})
