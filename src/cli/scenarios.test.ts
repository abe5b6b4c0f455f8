// The tables of fault scenarios are generated; this test notices when they are outdated.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { home } from './installation.ts'
import { withTables } from './scenarios.ts'

test('docs/reference/sandbox.md lists every fault scenario; when it does not: npm run docs', () => {
  const document = readFileSync(join(home, 'docs/reference/sandbox.md'), 'utf8')
  for (const name of ['lenders', 'providers', 'bank', 'partner'])
    assert.ok(document.includes(`<!-- scenarios: ${name} -->`), name)
  assert.equal(document, withTables(document))
})
