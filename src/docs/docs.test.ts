// The pages and OpenAPI files that are made from the code are those that are committed.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { connect } from '#kit/db/sql.ts'
import { testDatabase } from '#test/setup/database.ts'
import { programs, type Schema } from './data-model.ts'
import { decisions } from './decisions.ts'
import { generatedPages } from './pages.ts'
import { machines } from './state-machines.ts'
import { readTables } from './store.ts'

async function schemaOf(program: (typeof programs)[number]) {
  const db = connect(await testDatabase(program), { connections: 1 })
  return [program, await readTables(db).finally(() => db.close())] as const
}

test('every generated page is what the code says; when one is not: npm run docs', async () => {
  const schema = Object.fromEntries(await Promise.all(programs.map(schemaOf))) as Schema
  const pages = await generatedPages(schema)
  const different = Object.entries(pages).filter(([path, text]) => readFileSync(path, 'utf8') !== text)
  assert.deepEqual(
    different.map(([path]) => path),
    [],
  )
})

test('every state machine of platform and partner is drawn', () => {
  const sources = globSync('src/{platform,partner,contract/exchange}/**/*.ts').map((path) => path.replaceAll('\\', '/'))
  const declaring = sources.filter((path) => /^export const \w+: Table</m.test(readFileSync(path, 'utf8')))
  assert.ok(declaring.length > 10, `${declaring.length} machines`)
  assert.deepEqual(declaring.sort(), machines.map(({ source }) => source).sort())
})

test('decisions are numbered without a gap, and dated', () => {
  const all = decisions()
  assert.deepEqual(
    all.map(({ number }) => Number(number)),
    all.map((_, i) => i + 1),
  )
  assert.deepEqual(
    all.filter(({ title, decidedOn }) => !title || !decidedOn).map(({ file }) => file),
    [],
  )
})
