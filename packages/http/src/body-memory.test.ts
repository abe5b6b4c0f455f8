// Bodies over real HTTP: no byte is read before the caller is known, and the memory of all bodies is bounded.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { systemClock } from '@lendloom/foundation/clock'
import { quietLog } from '@lendloom/foundation/log'
import { Refusal } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import { until } from '@lendloom/tests/setup/programs'
import { bodyMemory } from './body-memory.ts'
import { BodyBytes, limitedStream } from './body-stream.ts'
import { type Api, answer, anyone, type Route, serve } from './server.ts'

const MiB = 1 << 20

/** Bodies that a handler holds until the test lets it go on. */
const held: (() => void)[] = []
const handle = () => new Promise((resolve) => held.push(() => resolve({ done: true })))
const auth = {
  scheme: 'key',
  check({ headers }: { headers: Record<string, unknown> }) {
    if (!headers.authorization) throw new Refusal('bad-credential', 'no credential')
    return headers.authorization
  },
}
/** Callers whose credential is being looked up. */
const lookedUp: (() => void)[] = []
const slowAuth = { ...auth, check: () => new Promise<string>((resolve) => lookedUp.push(() => resolve('slow'))) }
const common = { section: 'test', summary: 'test', method: 'POST', auth, handle } as const
const routes: Route<null>[] = [
  { ...common, path: '/raw', accepts: 'raw', maxBytes: 4 * MiB },
  { ...common, path: '/form', accepts: 'form', files: { field: 'files', max: 3 }, maxBytes: 40 * MiB },
  { ...common, path: '/json', body: Type.Object({}) },
  { ...common, path: '/slow-form', accepts: 'form', files: { field: 'files', max: 1 }, auth: slowAuth },
  { ...common, path: '/small-form', accepts: 'form', files: { field: 'files', max: 1 }, maxBytes: MiB },
  { ...common, path: '/public-held', accepts: 'raw', auth: anyone, maxBytes: 4 * MiB },
  { ...common, path: '/public', accepts: 'raw', auth: anyone, handle: () => ({ done: true }) },
]
const statuses: Record<string, number> = { 'bad-credential': 401, upstream: 503, absent: 404, malformed: 400 }
const refusals: string[] = []
const api: Api<null> = {
  prefix: '/',
  routes,
  refuse(refusal) {
    if (refusal === 'bug') return answer(500, {})
    refusals.push(refusal.message)
    return answer(statuses[refusal.kind] ?? 413, { message: refusal.message })
  },
}
const options = { apis: [api], ctx: null, clock: systemClock, log: quietLog, host: '127.0.0.1', port: 0 }
const server = await serve(options)
after(() => server.stop())

/** Opens a connection and sends a request’s head. */
async function sendHead(
  path: string,
  headers: string,
  url = server.url,
): Promise<{ socket: Socket; received(): string }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\n${headers}\r\n`)
  return { socket, received: () => text }
}

test('D1 §5: a caller without a credential is refused by its headers alone, also on unknown paths', async () => {
  for (const [path, status] of [
    ['/raw', 401],
    ['/form', 401],
    ['/nowhere', 404],
  ] as const) {
    const { socket, received } = await sendHead(path, `content-length: ${4 * MiB}\r\ncontent-type: text/plain\r\n`)
    await until(`an answer on ${path}`, () => received().startsWith(`HTTP/1.1 ${status}`))
    socket.destroy()
  }
})

test('RFC 9110 §10.1.1: only an authenticated caller is invited to send the body that it announced', async () => {
  const expectation = 'content-length: 5\r\ncontent-type: text/plain\r\nexpect: 100-continue\r\n'
  const refused = await sendHead('/raw', expectation)
  await until('an answer', () => refused.received() !== '')
  assert.match(refused.received(), /^HTTP\/1.1 401 [\s\S]*connection: close/i)
  const admitted = await sendHead('/raw', `${expectation}authorization: Bearer a\r\n`)
  await until('an invitation', () => admitted.received().startsWith('HTTP/1.1 100 '))
  admitted.socket.write('12345')
  await until('the handler', () => held.length === 1)
  held.pop()?.()
  await until('the answer', () => admitted.received().includes('HTTP/1.1 200 '))
  admitted.socket.destroy()
})

test('a caller may have a third of the memory of bodies in flight, also under invented names; others are served', async () => {
  const send = (caller: string, bytes: number) =>
    fetch(`${server.url}/raw`, {
      method: 'POST',
      body: Buffer.alloc(bytes),
      headers: { authorization: `Bearer ${caller}`, 'content-type': 'text/plain', cookie: `x=${bytes}` },
    })
  const large = 4 * MiB - 64 * 1024
  const holds = [send('a', large), send('a', large)]
  await until('their handlers', () => held.length === 2)
  const third = await send('a', MiB)
  assert.equal(third.status, 503)
  assert.match(await third.text(), /from this caller/)
  for (const caller of ['b', 'b', 'c', 'c']) holds.push(send(caller, large))
  await until('their handlers', () => held.length === 6)
  const another = await send('f', MiB)
  assert.equal(another.status, 503, 'all together have 24 MiB')
  for (const release of held.splice(0)) release()
  for (const answered of await Promise.all(holds)) assert.equal(answered.status, 200)
  const later = send('f', 2 * MiB)
  await until('the memory is free again', () => held.length === 1)
  held.pop()?.()
  assert.equal((await later).status, 200)
})

test('a caller may send sixteen whole bodies of a route at once, so that a few slow callers do not fill the memory', async () => {
  const headers = `authorization: Bearer k\r\ncontent-type: application/json\r\ncontent-length: ${256 << 10}\r\n`
  const sent = await Promise.all(Array.from({ length: 20 }, () => sendHead('/json', headers)))
  for (const { socket } of sent) socket.write(Buffer.alloc((256 << 10) - 1))
  await until('one is refused', () => sent.some(({ received }) => received().startsWith('HTTP/1.1 503 ')))
  for (const { socket } of sent) socket.destroy()
})

test('a request that ends while its caller is looked up is refused, and leaves no handler that waits', async () => {
  const before = refusals.length
  const { socket } = await sendHead(
    '/slow-form',
    'content-type: multipart/form-data; boundary=a\r\ncontent-length: 1000\r\n',
  )
  await until('the look-up', () => lookedUp.length === 1)
  socket.destroy()
  await once(socket, 'close')
  // The server reads the end of the connection before the next answer.
  await fetch(`${server.url}/nowhere`)
  lookedUp.pop()?.()
  await until('the refusal', () => refusals.slice(before).includes('the request ended before it was complete'))
})

test('small pieces of a file are joined, so that a slow link costs no more memory than a fast one', async () => {
  const size = 4 * MiB
  const memory = bodyMemory(2 * size, size + 64 * 1024)
  const pieces = Readable.from(Array.from({ length: Math.floor(size / 1448) }, () => Buffer.alloc(1448, 'a')))
  const request = Object.assign(pieces, { headers: {} }) as unknown as IncomingMessage
  const body = new BodyBytes()
  for await (const piece of limitedStream(request, size, memory.reserve('a'))) body.add(piece)
  assert.equal(body.whole().length, Math.floor(size / 1448) * 1448)
})

test('a body that its sender breaks off gives its memory back', async () => {
  const headers = `authorization: Bearer g\r\ncontent-type: text/plain\r\ncontent-length: ${4 * MiB}\r\n`
  for (let i = 0; i < 6; i++) {
    const { socket } = await sendHead('/raw', headers)
    socket.write(Buffer.alloc(3 * MiB))
    await until('it is sent', () => socket.writableLength === 0)
    socket.destroy()
    await once(socket, 'close')
  }
  await until('the memory is free again', async () => {
    const answered = fetch(`${server.url}/raw`, {
      method: 'POST',
      body: Buffer.alloc(4 * MiB),
      headers: { authorization: 'Bearer g', 'content-type': 'text/plain' },
    })
    const isAdmitted = await Promise.race([answered.then(({ ok }) => ok), until('it', () => held.length === 1)])
    held.pop()?.()
    return isAdmitted !== false && (await answered).ok
  })
})

test('a body of thousands of tiny pieces is refused, because each piece costs more than its bytes', async () => {
  for (const [path, type] of [
    ['/public', 'text/plain'],
    ['/raw', 'text/plain'],
    ['/form', 'multipart/form-data; boundary=a'],
  ] as const) {
    const headers = `authorization: Bearer h\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n`
    const { socket, received } = await sendHead(path, headers)
    socket.write('1\r\nx\r\n'.repeat(2000))
    await until(`a refusal on ${path}`, () => received().startsWith('HTTP/1.1 400 '))
    socket.destroy()
  }
})

test('a connection whose form was refused early is closed when it is idle', async () => {
  const impatient = await serve({ ...options, keepAliveSeconds: 1 })
  // The parser reports a file when its first byte arrives.
  const form = `--a\r\ncontent-disposition: form-data; name="other"; filename="b"\r\n\r\n1`
  const { socket, received } = await sendHead(
    '/form',
    `authorization: Bearer i\r\ncontent-type: multipart/form-data; boundary=a\r\ncontent-length: ${form.length + 4}\r\n`,
    impatient.url,
  )
  socket.write(form)
  await until('the refusal', () => received() !== '')
  socket.write('2345')
  await once(socket, 'close')
  await impatient.stop()
})

test('a form above its limit is refused by size, whether it declares its length or not', async () => {
  const form = new FormData()
  form.set('files', new File([Buffer.alloc(3 * MiB)], 'a'))
  const { body, headers } = new Request('http://a', { method: 'POST', body: form })
  const whole = Buffer.from(await new Response(body).arrayBuffer())
  const sent = { 'content-type': `${headers.get('content-type')}`, authorization: 'Bearer j' }
  for (const part of [whole, whole.subarray(0, 2 * MiB), new Blob([whole]).stream()]) {
    const answered = await fetch(`${server.url}/small-form`, {
      method: 'POST',
      body: part,
      headers: sent,
      duplex: 'half',
    } as RequestInit)
    assert.equal(answered.status, 413)
    assert.deepEqual(await answered.json(), { message: 'the body has more than 1 MiB' })
  }
})

test('a route without a credential takes 16 KiB', async () => {
  const send = (bytes: number) =>
    fetch(`${server.url}/public`, {
      method: 'POST',
      body: Buffer.alloc(bytes),
      headers: { 'content-type': 'text/plain' },
    })
  assert.equal((await send(16 << 10)).status, 200)
  assert.equal((await send((16 << 10) + 1)).status, 413)
})

test('callers without a credential have a memory of their own and a share per address, whatever names they invent', async () => {
  const held = Array.from({ length: 3 }, (_, i) =>
    sendHead(
      '/public-held',
      `content-type: text/plain\r\ncontent-length: ${3 * MiB}\r\nauthorization: Bearer ${i}\r\n`,
    ),
  )
  const sent = await Promise.all(held)
  for (const { socket } of sent) socket.write(Buffer.alloc(3 * MiB - 1))
  await until('one is refused', () => sent.some(({ received }) => received().startsWith('HTTP/1.1 503 ')))
  for (const { socket } of sent) socket.destroy()
})

test('memory is reserved as bytes arrive, per caller and in total, and is released once', () => {
  const memory = bodyMemory(100, 60)
  const first = memory.reserve('a')
  first.add(60)
  assert.throws(() => memory.reserve('a').add(1), /from this caller/)
  const second = memory.reserve('b')
  second.add(40)
  assert.throws(() => memory.reserve('c').add(1), /too many bytes are arriving/)
  first.release()
  first.release()
  assert.equal(memory.bytes, 40)
  memory.reserve('c').add(60)
  assert.equal(memory.bytes, 100)
})

test('large bodies of a caller do not use up the share of its small ones', () => {
  const memory = bodyMemory(100, 60)
  const large = memory.reserve('a', 60)
  large.add(50)
  memory.reserve('a', 10).add(8)
  assert.throws(() => memory.reserve('a', 10).add(3), /from this caller/, 'the share of small bodies')
  assert.throws(() => memory.reserve('a', 60).add(3), /from this caller/, 'what a caller may have')
  large.release()
  memory.reserve('a', 60).add(50)
})
