// Migrations: each applied once and whole, in order, by one process of many; never edited after.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testDatabase } from '#test/setup/database.ts'
import { migrate } from './migrate.ts'
import { connect } from './sql.ts'

/** An empty folder of migrations beside a database. */
async function place() {
  const db = connect(await testDatabase('platform'), { connections: 4 })
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-migrations-'))
  after(async () => {
    await db.close()
    rmSync(directory, { recursive: true })
  })
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text)
  const tables = async () => {
    const rows = await db<{ name: string }>`
      select table_name as name from information_schema.tables where table_name like 'made%' order by 1`
    return rows.map(({ name }) => name)
  }
  return { db, directory, write, tables }
}

test('files are applied in order, once each, and later ones after', async () => {
  const { db, directory, write, tables } = await place()
  write('102-two.sql', 'create table made_two (id int references made_one);')
  write('101-one.sql', 'create table made_one (id int primary key);')
  write('notes.md', 'not a migration')
  write('1-short.sql', 'nonsense')
  assert.deepEqual(await migrate(db, directory), ['101-one.sql', '102-two.sql'])
  assert.deepEqual(await migrate(db, directory), [])
  write('103-three.sql', 'create table made_three (id int);')
  assert.deepEqual(await migrate(db, directory), ['103-three.sql'])
  assert.deepEqual(await tables(), ['made_one', 'made_three', 'made_two'])
})

test('a file that was edited after it was applied is an error, and nothing behind it is applied', async () => {
  const { db, directory, write, tables } = await place()
  write('101-one.sql', 'create table made_one (id int);')
  await migrate(db, directory)
  write('101-one.sql', 'create table made_one (id bigint);')
  write('102-two.sql', 'create table made_two (id int);')
  await assert.rejects(migrate(db, directory), /101-one.sql was edited/)
  assert.deepEqual(await tables(), ['made_one'])
})

test('a file that fails takes all of its run back, and can be put right', async () => {
  const { db, directory, write, tables } = await place()
  write('101-one.sql', 'create table made_one (id int);')
  write('102-two.sql', 'create table made_two (id int); select 1 / 0;')
  await assert.rejects(migrate(db, directory), /division by zero/)
  assert.deepEqual(await tables(), [])
  write('102-two.sql', 'create table made_two (id int);')
  assert.deepEqual(await migrate(db, directory), ['101-one.sql', '102-two.sql'])
})

test('several processes at once: one applies, the others wait and find it done', async () => {
  const { db, directory, write, tables } = await place()
  write('101-one.sql', 'select pg_sleep(0.1); create table made_one (id int);')
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(db, directory)))
  assert.deepEqual(applied.flat(), ['101-one.sql'])
  assert.deepEqual(await tables(), ['made_one'])
})

test('two files of one number are refused before anything is done', async () => {
  const { db, directory, write, tables } = await place()
  write('101-one.sql', 'create table made_one (id int);')
  write('101-other.sql', 'create table made_other (id int);')
  await assert.rejects(migrate(db, directory), /two migrations of number 101/)
  assert.deepEqual(await tables(), [])
})
