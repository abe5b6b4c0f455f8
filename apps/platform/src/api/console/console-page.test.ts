// The console's HTML page, the page that replaces it when the web build is missing, and earlier addresses.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { buildIn } from '#platform/api/web-build.ts'
import { consoleDocument } from './console-page.ts'

test('without a web build the page names the build command', () => {
  const { status, headers, body } = consoleDocument(() => buildIn(join(tmpdir(), 'no-such-build')))
  assert.equal(status, 503)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.match(String(body), /web pages are missing.*<pre>npm run build<\/pre>/)
  const failOtherwise = () => {
    throw new Error('another error')
  }
  assert.throws(() => consoleDocument(failOtherwise), /another error/)
})

test('an earlier address leads to the present place of its content, with the same filters', async () => {
  const { url } = await testPlatform()
  for (const [from, to] of [
    ['/lenders/events?state=GAP&case=x', '/console/lenders/partners?state=GAP&case=x'],
    ['/lenders/files', '/console/lenders/partners'],
    ['/lenders/registry', '/console/lenders'],
    ['/developers/reference', '/docs'],
  ]) {
    const { status, headers } = await fetch(`${url}/console${from}`, { redirect: 'manual' })
    assert.equal(status, 302)
    assert.equal(headers.get('location'), to)
    assert.equal((await fetch(url + to)).status, 200, to)
  }
})
