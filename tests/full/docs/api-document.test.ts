// The served OpenAPI document and browser SDK: their addresses, caching and origins.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const { platformUrl } = await sharedPrograms()
const read = (path: string, headers: Record<string, string> = {}) => fetch(platformUrl + path, { headers })

test('the document has a stable, address by version, with caching headers and CORS', async () => {
  const answer = await read('/openapi.json', { origin: 'https://tool.example' })
  const document = (await answer.json()) as { info: { version: string }; openapi: string }
  const { version } = document.info
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.equal(answer.headers.get('x-lendloom-api-version'), version)
  assert.match(answer.headers.get('cache-control')!, /public, max-age=300/)
  const etag = answer.headers.get('etag')!
  for (const candidate of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const unchanged = await read('/openapi.json', { 'if-none-match': candidate })
    assert.equal(unchanged.status, 304)
    assert.equal(unchanged.headers.get('etag'), etag)
    assert.equal(await unchanged.text(), '')
  }
  assert.equal((await read('/openapi.json', { 'if-none-match': '"other"' })).status, 200)
  const versioned = await read(`/openapi/${version}.json`)
  assert.equal(versioned.headers.get('etag'), etag)
  assert.deepEqual(await versioned.json(), document)
  assert.equal((await read('/openapi/2020-01-01.json')).status, 404)
})

test('the SDK has an address for the newest version, and one per version whose content never changes', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const name of ['lendloom.js', 'lendloom.mjs']) {
    const [newest, pinned] = await Promise.all([read(`/sdk/${name}`), read(`/sdk/${version}/${name}`)])
    assert.equal(newest.headers.get('cache-control'), 'public, max-age=300')
    assert.equal(pinned.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    for (const { headers } of [newest, pinned]) {
      assert.equal(headers.get('access-control-allow-origin'), '*')
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
    }
    assert.match(await pinned.text(), /mountLendloom/)
  }
  for (const path of ['9.9.9/lendloom.js', `${version}/..%2f..%2fembed.json`, `${version}/`, version])
    assert.equal((await read(`/sdk/${path}`)).status, 404, path)
})
