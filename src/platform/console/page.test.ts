// The console's HTML page, and the page that replaces it when the web build is missing.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildIn } from '#platform/web-build.ts'
import { consoleDocument } from './page.ts'

test('without a web build the page names the build command', () => {
  const { status, headers, body } = consoleDocument(() => buildIn(join(tmpdir(), 'no-such-build')))
  assert.deepEqual([status, headers['content-type']], [503, 'text/html; charset=utf-8'])
  assert.match(String(body), /web pages are missing.*<pre>npm run build<\/pre>/)
  const failOtherwise = () => {
    throw new Error('another error')
  }
  assert.throws(() => consoleDocument(failOtherwise), /another error/)
})
