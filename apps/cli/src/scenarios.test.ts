// The generated tables of fault scenarios are up to date.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { home } from './installation.ts'
import { withTables } from './scenarios.ts'

test('docs/reference/sandbox.md lists every fault scenario (npm run docs updates it)', () => {
  const document = readFileSync(join(home, 'docs/reference/sandbox.md'), 'utf8')
  for (const name of ['lenders', 'providers', 'bank', 'partner'])
    assert.ok(document.includes(`<!-- scenarios: ${name} -->`), name)
  assert.equal(document, withTables(document))
})
