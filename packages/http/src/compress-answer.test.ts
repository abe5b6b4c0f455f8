// Over real HTTP, the server compresses only large JSON responses, and only for callers without a cookie.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Log } from '@lendloom/foundation/log'
import { acceptsCoding } from './compress-answer.ts'
import { answer, type Route, type Server, serve } from './server.ts'

const words = 'नमस्ते '.repeat(500)
const byBearer = { scheme: 'bearer', noCookie: true, check: () => null } as const
const byCookie = { scheme: 'cookie', check: () => null } as const
const common = { method: 'GET', section: 'test', summary: 'test' } as const
const routes: Route<null>[] = [
  { ...common, path: '/bearer', auth: byBearer, handle: () => ({ words }) },
  { ...common, path: '/short', auth: byBearer, handle: () => ({ words: 'short' }) },
  { ...common, path: '/text', auth: byBearer, handle: () => answer(200, words, { 'content-type': 'text/plain' }) },
  { ...common, path: '/cookie', auth: byCookie, handle: () => ({ words }) },
]
const log = { info() {}, warn() {}, error() {}, debug() {} } as unknown as Log
const refuse = () => answer(400, {})
const apis = [{ prefix: '/', routes, refuse }]
const server: Server = await serve({ apis, ctx: null, clock: () => new Date(), log, host: '127.0.0.1', port: 0 })
after(() => server.stop())

/** Sends a request and returns the compressed body. Does not use `fetch`, which would decompress the body. */
const get = (path: string, accepted?: string) =>
  new Promise<{ coding: string | undefined; vary: string | undefined; length: number; body: Buffer }>(
    (resolve, reject) => {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
      const outgoing = request(server.url + path, { headers, agent: false }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('end', () =>
          resolve({
            coding: reply.headers['content-encoding'],
            vary: reply.headers.vary,
            length: Number(reply.headers['content-length']),
            body: Buffer.concat(chunks),
          }),
        )
      })
      outgoing.on('error', reject)
      outgoing.end()
    },
  )

test('a large JSON response is compressed with an accepted coding, preferably brotli', async () => {
  const decompress = { br: brotliDecompressSync, gzip: gunzipSync }
  for (const [accepted, coding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
  ] as const) {
    const reply = await get('/bearer', accepted)
    assert.equal(reply.coding, coding, accepted)
    assert.equal(reply.vary, 'accept-encoding', accepted)
    assert.equal(reply.length, reply.body.length, accepted)
    assert.ok(reply.body.length < 500, `${reply.body.length} bytes`)
    assert.deepEqual(JSON.parse(decompress[coding](reply.body).toString()), { words })
  }
})

test('a response is not compressed if no coding is accepted, or if it is short or not JSON', async () => {
  for (const accepted of [undefined, '', 'identity', 'deflate', 'br;q=0'])
    assert.equal((await get('/bearer', accepted)).coding, undefined, `${accepted}`)
  for (const path of ['/short', '/text']) assert.equal((await get(path, 'br, gzip')).coding, undefined, path)
})

test('a response to a caller with a cookie is not compressed', async () => {
  const { coding, body } = await get('/cookie', 'br, gzip')
  assert.equal(coding, undefined)
  assert.deepEqual(JSON.parse(body.toString()), { words })
})

test('acceptsCoding accepts a coding that the header names, unless its quality is 0', () => {
  for (const accepted of ['br', 'gzip, BR', 'br;q=0.1', 'gzip;q=1, br ; q=1.0'])
    assert.ok(acceptsCoding(accepted, 'br'))
  for (const accepted of [undefined, '', 'brr', 'gzip', 'br;q=0', 'br;q=0.000'])
    assert.ok(!acceptsCoding(accepted, 'br'))
})
