// The platform serves lenders' logos for the hosted page.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { logoPath } from './logo.ts'

const { ctx, url } = await testPlatform()

const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const files: Record<string, [type: string, body: string | Buffer]> = {
  '/logo.svg': ['image/svg+xml; charset=utf-8', drawing],
  '/logo.png': ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47])],
  '/concurrent.png': ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47])],
  '/page.html': ['text/html', '<p>a page</p>'],
  '/large.png': ['image/png', Buffer.alloc(100_001)],
}
const calls: string[] = []
const lender = createServer(({ url: path = '' }, response) => {
  calls.push(path)
  const [type, body] = files[path] ?? []
  response.writeHead(type ? 200 : 404, { 'content-type': type ?? 'text/plain' }).end(body)
})
await new Promise<void>((resolve) => lender.listen(0, '127.0.0.1', resolve))
after(() => void lender.close())
const addressOf = (path: string) => `http://127.0.0.1:${(lender.address() as AddressInfo).port}${path}`
const getLogo = (path: string) => fetch(`${url}${logoPath(ctx.seal, addressOf(path))}`)

test('D1 §2.2: serves a lender’s logo, cached for a day, with headers that block scripts', async () => {
  const first = await getLogo('/logo.svg')
  assert.equal(first.status, 200)
  assert.equal(first.headers.get('content-type'), 'image/svg+xml')
  assert.equal(await first.text(), drawing)
  assert.match(first.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
  assert.equal(first.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(first.headers.get('cache-control'), 'public, max-age=86400')
  assert.equal((await getLogo('/logo.png')).headers.get('content-type'), 'image/png')
  assert.equal((await getLogo('/logo.svg')).status, 200)
  assert.deepEqual(calls.sort(), ['/logo.png', '/logo.svg'], 'each logo was fetched once')
  await Promise.all([getLogo('/concurrent.png'), getLogo('/concurrent.png')])
  assert.equal(calls.filter((path) => path === '/concurrent.png').length, 1, 'concurrent requests share a fetch')
})

test('answers 404 for a missing, oversized or non-image logo, and caches that answer', async () => {
  calls.length = 0
  for (const path of ['/page.html', '/large.png', '/nothing.png', '/page.html'])
    assert.equal((await getLogo(path)).status, 404, path)
  assert.deepEqual(calls, ['/page.html', '/large.png', '/nothing.png'])
})

test('does not fetch an address that the platform did not issue', async () => {
  calls.length = 0
  const path = logoPath(ctx.seal, addressOf('/logo.svg')) ?? ''
  const wrongQuery = new URLSearchParams({
    url: addressOf('/other.svg'),
    mark: new URLSearchParams(path.split('?')[1]).get('mark')!,
  })
  for (const query of [wrongQuery, new URLSearchParams({ url: addressOf('/other.svg'), mark: 'x' })])
    assert.equal((await fetch(`${url}/lab/logo?${query}`)).status, 404)
  assert.deepEqual(calls, [])
  assert.equal(logoPath(ctx.seal, null), null)
  assert.equal(logoPath(ctx.seal, 'javascript:alert(1)'), null)
})
