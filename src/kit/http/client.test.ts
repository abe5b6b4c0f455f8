// Calls to others against real servers: time limits, endless answers, redirects, and names that lead into a private network.
import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { promises as nameServer } from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { traced } from '#kit/runtime/trace.ts'
import { call, callForStatus, callForStream, UnreachableError, whyUnresolvable } from './client.ts'

let server: Server
let names: Socket
let origin = ''
let port = 0
let answer: RequestListener = (_request, response) => response.end('hello')
let requests = 0
const serversBefore = nameServer.getServers()

const zone: Record<string, string[]> = {
  'inside.resolver.example': ['10.0.0.1'],
  'loop.resolver.example': ['127.0.0.1'],
  'mixed.resolver.example': ['10.0.0.1', '127.0.0.1'],
}

/** A name server that knows the A records of the zone above, and nothing else. */
function nameAnswer(query: Buffer): Buffer {
  const labels: string[] = []
  let end = 12
  for (; query[end] !== 0; end += query[end]! + 1) labels.push(query.toString('latin1', end + 1, end + 1 + query[end]!))
  const question = query.subarray(12, end + 5)
  const known = zone[labels.join('.').toLowerCase()]
  const found = query.readUInt16BE(end + 1) === 1 ? (known ?? []) : []
  const records = found.map((address) =>
    Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  const header = Buffer.from([query[0]!, query[1]!, 0x81, known ? 0x80 : 0x83, 0, 1, 0, found.length, 0, 0, 0, 0])
  return Buffer.concat([header, question, ...records])
}

before(async () => {
  server = createServer((request, response) => {
    requests++
    answer(request, response)
  })
  names = createSocket('udp4').on('message', (query, from) => names.send(nameAnswer(query), from.port, from.address))
  names.bind(0, '127.0.0.1')
  server.listen(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(names, 'listening')])
  port = (server.address() as AddressInfo).port
  origin = `http://127.0.0.1:${port}`
  nameServer.setServers([`127.0.0.1:${names.address().port}`])
})
after(() => {
  nameServer.setServers(serversBefore)
  names.close()
  server.closeAllConnections()
  server.close()
})

const unreached = (pattern: RegExp) => (error: unknown) =>
  error instanceof UnreachableError && pattern.test(error.message)

test('an answer comes back whole, and the correlation of the caller goes along', async () => {
  let seen: string | undefined
  answer = (request, response) => {
    seen = request.headers['x-correlation-id'] as string
    response.writeHead(201, { 'x-mine': 'yes' }).end('{"a":1}')
  }
  const got = await traced({ correlationId: 'night-7' }, () => call({ method: 'POST', url: origin, body: '{}' }))
  assert.deepEqual([got.status, got.headers['x-mine'], got.body.toString(), seen], [201, 'yes', '{"a":1}', 'night-7'])
})

test('a redirect is an answer, not a way to somewhere else', async () => {
  answer = (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
  requests = 0
  assert.equal((await call({ method: 'GET', url: origin })).status, 302)
  assert.equal(requests, 1)
})

test('silence, half an answer and an endless one end as Unreached, in time', async () => {
  answer = () => {}
  await assert.rejects(call({ method: 'GET', url: origin, timeoutMs: 50 }), unreached(/no answer in time/))
  answer = (_request, response) => void response.writeHead(200).write('drip')
  await assert.rejects(call({ method: 'GET', url: origin, timeoutMs: 50 }), unreached(/no answer in time/))
  answer = (_request, response) => response.end(Buffer.alloc(2000))
  await assert.rejects(call({ method: 'GET', url: origin, maxBytes: 1999 }), unreached(/longer than 1999 bytes/))
  answer = (request) => request.socket.destroy()
  await assert.rejects(call({ method: 'GET', url: origin }), UnreachableError)
  await assert.rejects(call({ method: 'GET', url: 'http://127.0.0.1:1/' }), unreached(/ECONNREFUSED/))
})

test('who wants the status alone has it, however long or slow the rest is', async () => {
  answer = (_request, response) => void response.writeHead(204).end()
  assert.equal((await callForStatus({ method: 'POST', url: origin })).status, 204)
  answer = (_request, response) => response.end(Buffer.alloc(1 << 20))
  assert.equal((await callForStatus({ method: 'POST', url: origin })).status, 200)
  answer = (_request, response) => void response.writeHead(202, { 'retry-after': '7' }).write('drip')
  const got = await callForStatus({ method: 'POST', url: origin, timeoutMs: 1000 })
  assert.deepEqual([got.status, got.headers['retry-after']], [202, '7'])
})

test('a long answer is read as it comes, for as long as it keeps coming', async () => {
  const piece = Buffer.alloc(64 * 1024, 'x')
  const pieces = 40
  answer = async (_request, response) => {
    for (let i = 0; i < pieces; i++) {
      response.write(piece)
      // All of them take longer than the time-out of each.
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    response.end()
  }
  const { status, body } = await callForStream({ method: 'GET', url: origin, timeoutMs: 1000 })
  assert.equal(status, 200)
  let bytes = 0
  for await (const chunk of body) bytes += chunk.length
  assert.equal(bytes, pieces * piece.length)
})

test('a long answer that stops in the middle, or never begins, ends in an error, in time', async () => {
  const limits = { method: 'GET', url: origin, timeoutMs: 100 } as const
  answer = () => {}
  await assert.rejects(callForStream(limits), UnreachableError)
  await assert.rejects(callForStream({ ...limits, egress: 'public' }), UnreachableError)
  answer = (_request, response) => response.writeHead(200, { 'content-length': '10' }).write('half')
  const { body } = await callForStream({ ...limits, timeoutMs: 1000 })
  await assert.rejects(async () => {
    for await (const _ of body);
  }, /timeout/i)
})

test('a name that resolves to a private address is not connected to', async () => {
  answer = (_request, response) => response.end('inside')
  requests = 0
  const get = (host: string, egress: 'public' | 'public-or-loopback') =>
    call({ method: 'GET', url: `http://${host}:${port}/`, egress, timeoutMs: 2000 })
  await assert.rejects(get('loop.resolver.example', 'public'), unreached(/a private address/))
  await assert.rejects(get('mixed.resolver.example', 'public'), unreached(/a private address/))
  await assert.rejects(get('inside.resolver.example', 'public-or-loopback'), unreached(/a private address/))
  await assert.rejects(get('localhost', 'public'), unreached(/a private host name/))
  await assert.rejects(get('127.0.0.1', 'public'), unreached(/a private address/))
  await assert.rejects(get('unknown.resolver.example', 'public'), unreached(/ENOTFOUND/))
  assert.equal(requests, 0)
  assert.equal((await get('loop.resolver.example', 'public-or-loopback')).body.toString(), 'inside')
  assert.equal((await get('mixed.resolver.example', 'public-or-loopback')).body.toString(), 'inside')
  assert.equal((await get('localhost', 'public-or-loopback')).body.toString(), 'inside')
})

test('an address can be judged before anybody calls it; a name server that is silent proves nothing', async () => {
  assert.equal(await whyUnresolvable('https://inside.resolver.example/hook', 'public'), 'a private address')
  assert.equal(await whyUnresolvable('https://loop.resolver.example/hook', 'public-or-loopback'), null)
  assert.equal(await whyUnresolvable('https://unknown.resolver.example/hook', 'public'), null)
  assert.match((await whyUnresolvable('https://[::1]/hook', 'public')) ?? '', /private/)
})
