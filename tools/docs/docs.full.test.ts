// The committed generated pages and OpenAPI files match the code.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { connect } from '@lendloom/postgres/sql'
import { testDatabase } from '@lendloom/tests/setup/database'
import { controlMessages } from '@lendloom/wire/hosted/embed-message'
import { programs, type Schema } from './data-model.ts'
import { decisions } from './openapi.ts'
import { generatedPages } from './pages.ts'
import { machines } from './state-machines.ts'
import { readTables } from './store.ts'

async function schemaOf(program: (typeof programs)[number]) {
  const db = connect(await testDatabase(program), { connections: 1 })
  return [program, await readTables(db).finally(() => db.close())] as const
}

test('every generated page matches the code; if not, run npm run docs', async () => {
  const schema = Object.fromEntries(await Promise.all(programs.map(schemaOf))) as Schema
  const pages = await generatedPages(schema)
  const different = Object.entries(pages).filter(([path, text]) => readFileSync(path, 'utf8') !== text)
  assert.deepEqual(
    different.map(([path]) => path),
    [],
  )
})

test('D1 §6.5: the reference and each web-view guide name every message, and each guide covers every concern', () => {
  const guides = globSync('docs/how-to/web-views/*.md')
  assert.equal(guides.length, 4)
  const concerns = [
    'Origin',
    'Permissions',
    'Files',
    'External windows',
    'UPI and other apps',
    'Back button',
    'Lifecycle',
  ]
  for (const path of [...guides, 'docs/reference/page-messages.md']) {
    const text = readFileSync(path, 'utf8')
    for (const message of controlMessages) assert.match(text, new RegExp(`^\\| \`${message}[ \`]`, 'm'), path)
    if (!guides.includes(path)) continue
    assert.ok(text.includes('<!-- messages -->') && /was not run (in this repository|on a device)/.test(text), path)
    for (const concern of concerns) assert.ok(text.includes(`\n| ${concern} |`), `${path}: ${concern}`)
  }
})

test('D1 §6, D3 §8: retries.md lists every retry schedule, and no code computes a backoff without one', () => {
  const isOurs = (path: string) => !path.endsWith('.test.ts') && !path.startsWith('packages/server-node/')
  const sources = globSync('{apps,packages}/*/src/**/*.ts').filter(isOurs)
  const texts = sources.map((path) => [path.replaceAll('\\', '/'), readFileSync(path, 'utf8')] as const)
  const declared = texts.flatMap(([, text]) =>
    [...text.matchAll(/^export const ([a-z]\w*Schedule)\b/gm)].map(([, name]) => name),
  )
  assert.ok(declared.length > 15, `${declared.length} schedules`)
  const listed = readFileSync('docs/reference/retries.md', 'utf8')
  assert.deepEqual(
    declared.filter((name) => !listed.includes(`\`${name}\``)),
    [],
  )
  const places = [...listed.matchAll(/`(?:\w+\.)?(\w+)` in `((?:apps|packages)\/[^`]+)`/g)].map(([, name, path]) => ({
    name,
    path,
  }))
  assert.deepEqual(
    places.filter(({ name, path }) => !new RegExp(`\\b${name}\\b`).test(readFileSync(String(path), 'utf8'))),
    [],
  )
  for (const path of ['packages/server-node/src/client.ts', 'packages/server-python/src/lendloom/calls.py'])
    assert.match(readFileSync(path, 'utf8'), /(?:250|0\.25) \* 2(?:\.0)? ?\*\* ?attempt/, path)
  const filesWithOwnBackoff = texts.filter(
    ([path, text]) =>
      !path.endsWith('/schedule.ts') &&
      (/\*\* \(?(?:job\.)?attempt|Math\.min\(\w+ \* 2,/.test(text) ||
        /^(?!export const \w+Schedule|.*\b(?:pauseS|s)chedule: ).*\b(?:doublingPauses\(|linearPauses\(|schedule\(\[)/m.test(
          text.replaceAll(/=>?\n\s+/g, '= '),
        )),
  )
  assert.deepEqual(
    filesWithOwnBackoff.map(([path]) => path),
    [],
  )
})

test('every state machine of platform and partner is drawn', () => {
  const sources = globSync('{apps/{platform,partner}/src,packages/wire/src/exchange}/**/*.ts').map((path) =>
    path.replaceAll('\\', '/'),
  )
  const declaring = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^export const \w+: Table</gm)].map(() => path),
  )
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
