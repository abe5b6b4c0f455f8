// Test databases are migrated and isolated from each other.
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

test('each test database is migrated and isolated', async () => {
  const first = await testDatabase('platform')
  const second = await testDatabase('platform')
  assert.notEqual(first, second)
  await ask(first, 'create table mine (id int)')
  const seen = await ask<{ mine: string | null }>(second, `select to_regclass('mine')::text as mine`)
  assert.deepEqual(seen, [{ mine: null }])
  const migrated = await ask<{ there: boolean }>(first, `select to_regclass('migration') is not null as there`)
  assert.deepEqual(migrated, [{ there: true }])
})
