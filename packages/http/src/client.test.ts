// Outgoing calls to real servers: time limits, oversized responses, redirects, and private addresses.
import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { promises as nameServer } from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { runInTrace } from '@lendloom/foundation/trace'
import { call, callForStatus, callForStream, UnreachableError, whyUnresolvable } from './client.ts'

let server: Server
let dnsServer: Socket
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

/** Encodes the response of a name server that has only the A records of `zone`. */
function encodeDnsResponse(query: Buffer): Buffer {
  const labels: string[] = []
  let end = 12
  for (; query[end] !== 0; end += query[end]! + 1) labels.push(query.toString('latin1', end + 1, end + 1 + query[end]!))
  const question = query.subarray(12, end + 5)
  const addresses = zone[labels.join('.').toLowerCase()]
  const answers = query.readUInt16BE(end + 1) === 1 ? (addresses ?? []) : []
  const records = answers.map((address) =>
    Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  const header = Buffer.from([query[0]!, query[1]!, 0x81, addresses ? 0x80 : 0x83, 0, 1, 0, answers.length, 0, 0, 0, 0])
  return Buffer.concat([header, question, ...records])
}

before(async () => {
  server = createServer((request, response) => {
    requests++
    answer(request, response)
  })
  dnsServer = createSocket('udp4').on('message', (query, from) =>
    dnsServer.send(encodeDnsResponse(query), from.port, from.address),
  )
  dnsServer.bind(0, '127.0.0.1')
  server.listen(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(dnsServer, 'listening')])
  port = (server.address() as AddressInfo).port
  origin = `http://127.0.0.1:${port}`
  nameServer.setServers([`127.0.0.1:${dnsServer.address().port}`])
})
after(() => {
  nameServer.setServers(serversBefore)
  dnsServer.close()
  server.closeAllConnections()
  server.close()
})

const isUnreachable = (pattern: RegExp) => (error: unknown) =>
  error instanceof UnreachableError && pattern.test(error.message)

test('returns the whole response and sends the correlation id of the caller', async () => {
  let correlationId: string | undefined
  answer = (request, response) => {
    correlationId = request.headers['x-correlation-id'] as string
    response.writeHead(201, { 'x-mine': 'yes' }).end('{"a":1}')
  }
  const received = await runInTrace({ correlationId: 'night-7' }, () =>
    call({ method: 'POST', url: origin, body: '{}' }),
  )
  assert.equal(received.status, 201)
  assert.equal(received.headers['x-mine'], 'yes')
  assert.equal(received.body.toString(), '{"a":1}')
  assert.equal(correlationId, 'night-7')
})

test('returns a redirect without following it', async () => {
  answer = (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
  requests = 0
  assert.equal((await call({ method: 'GET', url: origin })).status, 302)
  assert.equal(requests, 1)
})

test('throws UnreachableError when the response is missing, incomplete or too long', async () => {
  answer = () => {}
  await assert.rejects(call({ method: 'GET', url: origin, timeoutMs: 50 }), isUnreachable(/no answer in time/))
  answer = (_request, response) => void response.writeHead(200).write('drip')
  await assert.rejects(call({ method: 'GET', url: origin, timeoutMs: 50 }), isUnreachable(/no answer in time/))
  answer = (_request, response) => response.end(Buffer.alloc(2000))
  await assert.rejects(call({ method: 'GET', url: origin, maxBytes: 1999 }), isUnreachable(/longer than 1999 bytes/))
  answer = (request) => request.socket.destroy()
  await assert.rejects(call({ method: 'GET', url: origin }), UnreachableError)
  await assert.rejects(call({ method: 'GET', url: 'http://127.0.0.1:1/' }), isUnreachable(/ECONNREFUSED/))
})

test('callForStatus returns the status without waiting for the body', async () => {
  answer = (_request, response) => void response.writeHead(204).end()
  assert.equal((await callForStatus({ method: 'POST', url: origin })).status, 204)
  answer = (_request, response) => response.end(Buffer.alloc(1 << 20))
  assert.equal((await callForStatus({ method: 'POST', url: origin })).status, 200)
  answer = (_request, response) => void response.writeHead(202, { 'retry-after': '7' }).write('drip')
  const received = await callForStatus({ method: 'POST', url: origin, timeoutMs: 2000 })
  assert.equal(received.status, 202)
  assert.equal(received.headers['retry-after'], '7')
})

test('callForStream reads a long response while data keeps arriving', async () => {
  const chunkBytes = Buffer.alloc(64 * 1024, 'x')
  const chunkCount = 40
  answer = async (_request, response) => {
    for (let i = 0; i < chunkCount; i++) {
      response.write(chunkBytes)
      // The whole response takes longer than the timeout, which applies to each chunk.
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    response.end()
  }
  const { status, body } = await callForStream({ method: 'GET', url: origin, timeoutMs: 1000 })
  assert.equal(status, 200)
  let bytes = 0
  for await (const chunk of body) bytes += chunk.length
  assert.equal(bytes, chunkCount * chunkBytes.length)
})

test('callForStream times out when the response stalls or never begins', async () => {
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

test('does not connect to a host name that resolves to a private address', async () => {
  answer = (_request, response) => response.end('inside')
  requests = 0
  const get = (host: string, egress: 'public' | 'public-or-loopback') =>
    call({
      method: 'GET',
      url: `${egress === 'public' ? 'https' : 'http'}://${host}:${port}/`,
      egress,
      timeoutMs: 60_000,
    })
  await assert.rejects(get('loop.resolver.example', 'public'), isUnreachable(/a private address/))
  await assert.rejects(get('mixed.resolver.example', 'public'), isUnreachable(/a private address/))
  await assert.rejects(get('inside.resolver.example', 'public-or-loopback'), isUnreachable(/a private address/))
  await assert.rejects(get('localhost', 'public'), isUnreachable(/a private host name/))
  await assert.rejects(get('127.0.0.1', 'public'), isUnreachable(/a private address/))
  await assert.rejects(get('unknown.resolver.example', 'public'), isUnreachable(/ENOTFOUND/))
  assert.equal(requests, 0)
  assert.equal((await get('loop.resolver.example', 'public-or-loopback')).body.toString(), 'inside')
  assert.equal((await get('mixed.resolver.example', 'public-or-loopback')).body.toString(), 'inside')
  assert.equal((await get('localhost', 'public-or-loopback')).body.toString(), 'inside')
})

test('whyUnresolvable rejects a name with a private address and accepts an unknown name', async () => {
  assert.equal(await whyUnresolvable('https://inside.resolver.example/hook', 'public'), 'a private address')
  assert.equal(await whyUnresolvable('https://loop.resolver.example/hook', 'public-or-loopback'), null)
  assert.equal(await whyUnresolvable('https://unknown.resolver.example/hook', 'public'), null)
  assert.match((await whyUnresolvable('https://[::1]/hook', 'public')) ?? '', /private/)
})
