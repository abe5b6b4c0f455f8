// The server over real HTTP: calls, errors in the format of each API, malformed requests, and faulty clients.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect as tcp } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@lendloom/foundation/log'
import { Refusal } from '@lendloom/foundation/refusal'
import { Closed, Type } from '@lendloom/foundation/schema'
import { trace } from '@lendloom/foundation/trace'
import { DamagedValue } from '@lendloom/seal/seal'
import { until } from '@lendloom/tests/setup/programs'
import { Agent, fetch as fetchBy } from 'undici'
import { type Api, answer, type Call, type Route, type Server, serve } from './server.ts'

type Context = { greeting: string }
type AnyCall = Call<string, unknown, Record<string, unknown>, Record<string, string>>

const lines: Record<string, unknown>[] = []
const note = (level: string) => (facts: object, message: string) => void lines.push({ level, message, ...facts })
const log = { info: note('info'), warn: note('warn'), error: note('error'), debug: note('debug') } as unknown as Log

const keyAuth = {
  scheme: 'key',
  check({ headers, answerHeaders }: { headers: Record<string, unknown>; answerHeaders: Record<string, string> }) {
    answerHeaders['x-counted'] = 'yes'
    if (headers.authorization === 'none') throw new Refusal('bad-api-key', 'the API key is unknown')
    return 'caller'
  },
}
const common = { section: 'test', summary: 'test', auth: keyAuth } as const
const Thing = Closed({ name: Type.String(), count: Type.Optional(Type.Integer()) })
let last: AnyCall | undefined
const gates: (() => void)[] = []

const routes: Route<Context>[] = [
  {
    ...common,
    method: 'POST',
    path: '/api/things/{thingId}',
    body: Thing,
    query: Closed({ tag: Type.Optional(Type.String()) }),
    params: Closed({ thingId: Type.String({ maxLength: 300 }) }),
    reply: { 201: Closed({ name: Type.String(), correlation: Type.String() }) },
    handle(call) {
      last = call as AnyCall
      return answer(201, { name: (call.body as { name: string }).name, correlation: trace()!.correlationId, secret: 1 })
    },
  },
  { ...common, method: 'GET', path: '/api/things/{thingId}', handle: () => ({ hello: 'there' }) },
  { ...common, method: 'DELETE', path: '/api/things/{thingId}', handle: () => answer(204, undefined) },
  {
    ...common,
    method: 'POST',
    path: '/api/raw',
    maxBytes: 1000,
    handle(call) {
      last = call as AnyCall
      return { bytes: call.raw.length, traceparent: trace()!.traceparent ?? null }
    },
  },
  {
    ...common,
    method: 'GET',
    path: '/api/bug',
    handle() {
      throw new Error('secret detail')
    },
  },
  {
    ...common,
    method: 'GET',
    path: '/api/broken-off',
    query: Closed({ early: Type.Optional(Type.String()) }),
    handle: ({ query }) =>
      answer(
        200,
        Readable.from(
          (async function* () {
            if (!(query as { early?: string }).early) yield 'a first line\n'
            throw new Error('the database is gone')
          })(),
        ),
        { 'content-type': 'text/csv' },
      ),
  },
  {
    ...common,
    method: 'GET',
    path: '/api/damaged',
    handle() {
      throw new DamagedValue('profile.profile_sealed', 'profile:t:j')
    },
  },
  {
    ...common,
    method: 'GET',
    path: '/api/away',
    handle() {
      throw Object.assign(new Error('no connection to 10.0.0.1'), { code: 'ECONNREFUSED' })
    },
  },
  {
    ...common,
    method: 'GET',
    path: '/api/slow',
    async handle(_, { greeting }) {
      await new Promise<void>((resolve) => gates.push(resolve))
      return { greeting }
    },
  },
]
const refuse =
  (shape: string): Api<Context>['refuse'] =>
  (refusal, { correlationId }) =>
    refusal === 'bug'
      ? answer(500, { shape, kind: 'bug', correlationId })
      : answer(statuses[refusal.kind] ?? 400, {
          shape,
          kind: refusal.kind,
          message: refusal.message,
          details: refusal.details,
          correlationId,
        })
const statuses: Record<string, number> = {
  'bad-api-key': 401,
  absent: 404,
  'wrong-method': 405,
  'too-large': 413,
  'unsupported-media': 415,
  damaged: 500,
  upstream: 503,
}
const apis: Api<Context>[] = [
  { prefix: '/', routes: [], refuse: refuse('root') },
  { prefix: '/api', routes, refuse: refuse('api') },
]
const start = (stopMs = 5000, connections = 1000, trustedProxies: string[] = []): Promise<Server> =>
  serve({
    apis,
    ctx: { greeting: 'hello' },
    clock: () => new Date(),
    log,
    host: '127.0.0.1',
    port: 0,
    stopMs,
    connections,
    trustedProxies,
  })

const connectionsOf = ({ app }: Pick<Server, 'app'>): Promise<number> =>
  new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))

const server = await start()
after(() => server.stop())

const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
/** Sends another request, and waits for its line: what the server logs about the requests before it stands above. */
async function untilNextRequestLogged(): Promise<void> {
  await fetch(`${server.url}/api/nowhere`, { headers: { 'x-correlation-id': 'next' } })
  await until('the line of the next request', () => lines.at(-1)?.correlationId === 'next')
}
// biome-ignore lint/suspicious/noExplicitAny: the assertions check the shape
const json = async (answered: Response | Promise<Response>): Promise<any> => (await answered).json()

test('passes caller, body, query, params and raw bytes to the handler, and responds with the schema fields only', async () => {
  const text = '{ "name":"é", "count": 1 }'
  const answered = await post('/api/things/a%2Fb?tag=x', text, { 'x-correlation-id': 'mine-1' })
  assert.equal(answered.status, 201)
  assert.deepEqual(await answered.json(), { name: 'é', correlation: 'mine-1' })
  assert.equal(answered.headers.get('x-correlation-id'), 'mine-1')
  const { who, body, query, params, raw, path } = last!
  assert.equal(who, 'caller')
  assert.deepEqual(body, { name: 'é', count: 1 })
  assert.deepEqual({ ...query }, { tag: 'x' })
  assert.deepEqual({ ...params }, { thingId: 'a/b' })
  assert.equal(path, '/api/things/a%2Fb')
  assert.equal(raw.toString('utf8'), text)
})

test('D3 §5.2: the Date of an answer is by the clock that judges signatures, also when it is moved', async () => {
  const moved = await serve({
    apis,
    ctx: { greeting: 'hello' },
    clock: () => new Date('2030-02-01T10:00:00Z'),
    log,
    host: '127.0.0.1',
    port: 0,
    stopMs: 5000,
    connections: 10,
  })
  for (const path of ['/api/raw', '/api/nowhere'])
    assert.equal((await fetch(`${moved.url}${path}`)).headers.get('date'), 'Fri, 01 Feb 2030 10:00:00 GMT')
  await moved.stop()
})

test('D1 §5: a browser does not guess the type of an answer, not even of a refusal', async () => {
  for (const path of ['/api/things/1', '/api/nowhere', '/api/things/%ff']) {
    const { headers } = await fetch(`${server.url}${path}`)
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
  }
})

test('D1 §5: an idle connection stays open longer than the proxy in front keeps its connections', () => {
  assert.equal(server.app.server.keepAliveTimeout, 75_000)
})

test('the handler gets the raw bytes of the body unchanged', async () => {
  const bytes = Buffer.from([0, 0xff, 0xfe, 0x80, 10])
  assert.equal((await json(post('/api/raw', bytes, { 'content-type': 'application/x-anything' }))).bytes, 5)
  assert.deepEqual(last!.raw, bytes)
})

test('D2 §9: the correlation id is that of the caller if valid, otherwise a new id', async () => {
  for (const wrong of ['', 'with space', 'x'.repeat(129), 'é']) {
    const answered = await post('/api/raw', '', { 'x-correlation-id': Buffer.from(wrong).toString('latin1') })
    assert.match(answered.headers.get('x-correlation-id')!, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  }
  const { correlationId } = await json(fetch(`${server.url}/api/nowhere`, { headers: { 'x-correlation-id': 'abc' } }))
  assert.equal(correlationId, 'abc')
})

test('D2 §9: the handler gets a valid traceparent', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  assert.equal((await json(post('/api/raw', '', { traceparent }))).traceparent, traceparent)
  assert.equal((await json(post('/api/raw', '', { traceparent: 'nonsense' }))).traceparent, null)
})

test('an unknown path gets 404 in the error format of its API', async () => {
  const shapes = [
    ['/api/nowhere', 'api'],
    ['/api', 'api'],
    ['/apiary', 'root'],
    ['/', 'root'],
  ]
  for (const [path, shape] of shapes) {
    const answered = await fetch(`${server.url}${path}`)
    assert.equal(answered.status, 404)
    assert.deepEqual(await json(answered).then((body) => [body.shape, body.kind]), [shape, 'absent'])
  }
})

test('a 405 and the response to OPTIONS list the allowed methods; HEAD gets the response of GET without its body', async () => {
  const wrong = await fetch(`${server.url}/api/things/1`, { method: 'PATCH' })
  assert.equal(wrong.status, 405)
  assert.equal(wrong.headers.get('allow'), 'POST, GET, DELETE, HEAD, OPTIONS')
  assert.equal((await json(wrong)).kind, 'wrong-method')
  const options = await fetch(`${server.url}/api/raw`, { method: 'OPTIONS' })
  assert.equal(options.status, 204)
  assert.equal(options.headers.get('allow'), 'POST, OPTIONS')
  assert.equal(await options.text(), '')
  const head = await fetch(`${server.url}/api/things/1`, { method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.equal(await head.text(), '')
  assert.equal((await fetch(`${server.url}/api/raw`, { method: 'HEAD' })).status, 405)
})

const bodies: [string, string | Buffer, string][] = [
  ['not JSON', '{"name":', 'malformed'],
  ['two values', '{} {}', 'malformed'],
  [
    'bytes that are not UTF-8',
    Buffer.from([...Buffer.from('{"name":"'), 0xc3, 0x28, ...Buffer.from('"}')]),
    'malformed',
  ],
  ['an overlong encoding', Buffer.from([...Buffer.from('{"name":"'), 0xc0, 0x80, ...Buffer.from('"}')]), 'malformed'],
  ['a raw NUL', '{"name":"a\0b"}', 'malformed'],
  ['nesting without end', '['.repeat(100_000), 'malformed'],
  ['nesting 65 deep', '['.repeat(65) + ']'.repeat(65), 'malformed'],
  ['an array instead of an object', '[]', 'invalid'],
  ['no content', '', 'invalid'],
  ['an escaped NUL', '{"name":"a\\u0000b"}', 'invalid'],
  ['a lone surrogate', '{"name":"\\uD800"}', 'invalid'],
  ['a key with NUL', '{"name":"a","b\\u0000":1}', 'invalid'],
  ['a key named __proto__', '{"name":"a","__proto__":{"count":1}}', 'invalid'],
]
for (const [what, body, kind] of bodies)
  test(`a body with ${what} is ${kind}`, async () => {
    last = undefined
    const answered = await post('/api/things/1', body)
    assert.equal(answered.status, 400)
    assert.equal((await json(answered)).kind, kind)
    assert.equal(last, undefined)
  })

test('brackets and escaped backslashes in strings are accepted', async () => {
  for (const name of ['\\u0000', '['.repeat(500), '"\\"[', '\u{1f600}', 'é\\ud800'])
    assert.equal((await json(post('/api/things/1', JSON.stringify({ name })))).name, name)
})

test('an invalid character is reported with the path of its field', async () => {
  const { details } = await json(post('/api/things/1', '{"name":"a","count":{"x":["\\u0000"]}}'))
  assert.equal(details.field, 'count.x.0')
})

test('a body with a media type other than JSON gets 415', async () => {
  for (const type of ['application/json', 'APPLICATION/JSON; charset=utf-8', 'application/vnd.api+json'])
    assert.equal((await post('/api/things/1', '{"name":"a"}', { 'content-type': type })).status, 201)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'nonsense'])
    assert.equal((await post('/api/things/1', '{"name":"a"}', { 'content-type': type })).status, 415)
  const nothing = await post('/api/things/1', '', { 'content-type': 'application/x-www-form-urlencoded' })
  assert.equal((await json(nothing)).details.field, 'name', 'an empty body needs no media type')
})

test('a body that is too large gets 413, with or without a Content-Length', async () => {
  assert.equal((await post('/api/raw', 'x'.repeat(1000))).status, 200)
  assert.equal((await post('/api/raw', 'x'.repeat(1001))).status, 413)
  const stream = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 3; i++) controller.enqueue(Buffer.alloc(500))
      controller.close()
    },
  })
  const chunked = await fetch(`${server.url}/api/raw`, { method: 'POST', body: stream, duplex: 'half' } as RequestInit)
  assert.equal(chunked.status, 413)
})

test('a client that writes a body that is too large before it reads still gets the 413', async () => {
  for (let i = 0; i < 20; i++) {
    const answered = await raw(`${head(`content-length: ${1 << 20}\r\n`)}${'x'.repeat(1 << 20)}`)
    assert.match(answered, /^HTTP\/1.1 413 /)
  }
})

test('invalid escapes, NUL and overlong segments in a path get 400', async () => {
  const bad = await fetch(`${server.url}/api/things/%ff`, { headers: { 'x-correlation-id': 'bad-url' } })
  assert.equal(bad.status, 400)
  assert.equal(bad.headers.get('x-correlation-id'), 'bad-url')
  assert.deepEqual(await json(bad).then(({ shape, kind }) => [shape, kind]), ['api', 'malformed'])
  assert.equal((await post('/api/things/a%00b', '{"name":"a"}')).status, 400)
  assert.equal((await post('/api/things/1?tag=a%00', '{"name":"a"}')).status, 400)
  assert.equal((await post(`/api/things/${'x'.repeat(300)}`, '{"name":"a"}')).status, 201)
  assert.equal((await post(`/api/things/${'x'.repeat(600)}`, '{"name":"a"}')).status, 400)
})

test('only a trusted proxy can set the client address', async () => {
  const ask = async ({ url }: Server) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }
    await fetch(`${url}/api/things/1`, { method: 'POST', body: '{"name":"x"}', headers })
    return last!.ip
  }
  const proxied = await start(5000, 10, ['127.0.0.0/8'])
  assert.equal(await ask(proxied), '198.51.100.7')
  assert.equal(await ask(server), '127.0.0.1')
  await proxied.stop()
})

test('the refusal of a repeated or unknown query parameter names the parameter', async () => {
  const twice = await json(post('/api/things/1?tag=a&tag=b', '{"name":"a"}'))
  assert.equal(twice.kind, 'invalid')
  assert.equal(twice.details.field, 'tag')
  assert.equal((await json(post('/api/things/1?__proto__=b', '{"name":"a"}'))).details.field, '__proto__')
})

test('an unauthenticated caller is refused before the body is parsed', async () => {
  const answered = await post('/api/things/1', '{', { authorization: 'none' })
  assert.equal(answered.status, 401)
  assert.equal(answered.headers.get('x-counted'), 'yes')
  assert.equal((await post('/api/raw', '')).headers.get('x-counted'), 'yes')
})

test('an answer that fails after its first bytes breaks off, and the log has the reason', async () => {
  lines.length = 0
  await assert.rejects(fetch(`${server.url}/api/broken-off`).then((reply) => reply.text()))
  await until('the fault is logged', () => lines.some(({ level }) => level === 'error'))
  const logged = lines.find(({ level }) => level === 'error')!
  assert.equal((logged.err as Error).message, 'the database is gone')
  assert.equal(logged.route, '/api/broken-off')
  lines.length = 0
  assert.equal((await fetch(`${server.url}/api/broken-off?early=1`)).status, 500)
  assert.equal(lines.filter(({ message }) => message === 'an answer broke off').length, 0, 'nothing was sent')
})

test('a sealed value that cannot be opened causes a 500, and the log names the table and column', async () => {
  lines.length = 0
  const damaged = await fetch(`${server.url}/api/damaged`)
  const { kind, message } = await json(damaged)
  assert.equal(damaged.status, 500)
  assert.equal(kind, 'damaged')
  assert.match(message, /cannot be opened: it fails its authentication/)
  const logged = lines.find(({ level }) => level === 'error')!
  assert.equal(logged.place, 'profile.profile_sealed')
  assert.equal(logged.context, 'profile:t:j')
})

test('an internal error causes a 500 without details, and an unavailable database causes a 503', async () => {
  lines.length = 0
  const bug = await fetch(`${server.url}/api/bug`)
  const text = await bug.text()
  assert.equal(bug.status, 500)
  assert.doesNotMatch(text, /secret/)
  const logged = lines.find(({ level }) => level === 'error')!
  assert.equal((logged.err as Error).message, 'secret detail')
  assert.equal(logged.correlationId, JSON.parse(text).correlationId)
  const away = await fetch(`${server.url}/api/away`)
  assert.equal(away.status, 503)
  assert.deepEqual((await json(away)).details, { retryAfterSeconds: 1 })
  assert.equal(lines.filter(({ level }) => level === 'error').length, 1)
})

test('D1 §6.6: each request is logged in one line with the kind of the refusal, but without content', async () => {
  await post('/api/things/secret-1?tag=secret-2', '{"nam":"secret-3"}', { 'x-correlation-id': 'line' })
  const about = () => lines.filter(({ correlationId }) => correlationId === 'line')
  await until('the line is logged', () => about().length > 0)
  await untilNextRequestLogged()
  assert.equal(about().length, 1)
  const { ms, requestId, ...line } = about()[0]!
  assert.ok(typeof ms === 'number' && typeof requestId === 'string')
  assert.deepEqual(line, {
    level: 'info',
    message: 'answered',
    method: 'POST',
    route: '/api/things/:thingId',
    status: 400,
    correlationId: 'line',
    refused: 'invalid',
  })
})

/** Writes bytes to the server and returns all bytes received until the connection ends. */
function raw(text: string, to: Server = server): Promise<string> {
  const { hostname, port } = new URL(to.url)
  return new Promise((resolve, reject) => {
    let answered = ''
    const socket = tcp({ host: hostname, port: Number(port) }, () => socket.write(text))
    socket.on('data', (chunk) => (answered += chunk))
    socket.on('close', () => resolve(answered))
    socket.on('error', reject)
  })
}
const head = (extra: string) => `POST /api/raw HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${extra}\r\n`

const malformedRequests: [string, string, number][] = [
  ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
  ['two lengths', `${head('content-length: 3\r\ncontent-length: 4\r\n')}abcd`, 400],
  ['a length and chunks', `${head('content-length: 3\r\ntransfer-encoding: chunked\r\n')}0\r\n\r\n`, 400],
  ['a length that is no number', `${head('content-length: x\r\n')}`, 400],
  ['a control character in a header', head('x-a: b\x01c\r\n'), 400],
  ['headers without end', head(`x-a: ${'y'.repeat(20_000)}\r\n`), 431],
]
for (const [what, text, status] of malformedRequests)
  test(`a request with ${what} gets an error response, and the connection ends`, async () => {
    const answered = await raw(text)
    assert.match(answered, new RegExp(`^HTTP/1.1 ${status} `))
    const body = JSON.parse(answered.split('\r\n\r\n')[1]!)
    assert.equal(body.shape, 'root')
  })

test('RFC 9110 §10.1.1: an unknown expectation is ignored', async () => {
  const reply = await new Promise<number | undefined>((resolve, reject) => {
    request(`${server.url}/healthz-is-unknown`, { headers: { expect: 'the impossible' } }, (answer) =>
      resolve(answer.resume().statusCode),
    )
      .on('error', reject)
      .end()
  })
  assert.equal(reply, 404, 'the answer of the route')
})

test('a request with two Host headers gets 400', async () => {
  for (const hosts of ['host: a\r\nhost: b', 'Host: a\r\nHOST: a'])
    assert.match(await raw(`GET /api/things/1 HTTP/1.1\r\n${hosts}\r\nconnection: close\r\n\r\n`), /^HTTP\/1\.1 400 /)
  assert.doesNotMatch(
    await raw('GET /api/things/1 HTTP/1.1\r\nhost: a\r\nx-host: b\r\nconnection: close\r\n\r\n'),
    /^HTTP\/1\.1 400 /,
  )
})

test('an aborted body causes no handler call and no warning', async () => {
  lines.length = 0
  last = undefined
  const { hostname, port } = new URL(server.url)
  await new Promise<void>((resolve) => {
    const socket = tcp({ host: hostname, port: Number(port) }, () => {
      socket.write(head('content-length: 100\r\n').concat('half'), () => setTimeout(() => socket.destroy(), 20))
    })
    socket.on('close', () => resolve())
  })
  await untilNextRequestLogged()
  assert.equal(last, undefined)
  assert.deepEqual(
    lines.filter(({ level }) => level !== 'info'),
    [],
  )
})

test('a client that disconnects before its response causes no warning', async () => {
  lines.length = 0
  const gone = new AbortController()
  const request = fetch(`${server.url}/api/slow`, { signal: gone.signal }).catch(() => {})
  while (gates.length === 0) await sleep(5)
  gone.abort()
  await request
  gates.pop()!()
  await untilNextRequestLogged()
  assert.ok(lines.every(({ level }) => level === 'info'))
  assert.equal((await fetch(`${server.url}/api/things/1`)).status, 200)
})

test('a client that sends too slowly gets 408', async () => {
  const slow = await start()
  // The default time limits are too long for a test.
  Object.assign(slow.app.server, { requestTimeout: 200, headersTimeout: 200, connectionsCheckingInterval: 50 })
  slow.app.server.emit('listening')
  assert.match(await raw('POST /api/raw HTTP/1.1\r\nhost: x\r\ncontent-le', slow), /^HTTP\/1.1 408 /)
  await slow.stop()
})

for (const [what, text] of [
  ['header', 'POST /api/raw HTTP/1.1\r\nhost: x\r\ncontent-le'],
  ['body', 'POST /api/raw HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf'],
] as const)
  test(`closes the connection of a client that never finishes its ${what}`, async () => {
    const slow = await start()
    Object.assign(slow.app.server, { requestTimeout: 200, headersTimeout: 200, connectionsCheckingInterval: 50 })
    slow.app.server.emit('listening')
    const { hostname, port } = new URL(slow.url)
    const socket = tcp({ host: hostname, port: Number(port), allowHalfOpen: true }, () => socket.write(text))
    socket.on('error', () => {}).resume()
    try {
      await until('the client is connected', async () => (await connectionsOf(slow)) === 1)
      await until('the connection is closed', async () => (await connectionsOf(slow)) === 0)
    } finally {
      socket.destroy()
      await slow.stop()
    }
  })

test('connections above the limit are refused until another connection closes', async () => {
  const { url, app, stop } = await start(5000, 2)
  const { hostname, port } = new URL(url)
  const open = async () => {
    const socket = tcp({ host: hostname, port: Number(port) }).on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  const first = await open()
  const second = await open()
  await until('both are connected', async () => (await connectionsOf({ app })) === 2)
  const third = await open()
  await once(third.resume(), 'close')
  assert.equal(await connectionsOf({ app }), 2)
  first.destroy()
  await until('one is closed', async () => (await connectionsOf({ app })) === 1)
  assert.equal((await fetch(`${url}/api/things/1`)).status, 200)
  second.destroy()
  await stop()
})

/** Reuses connections, unlike the other tests. */
const keepAliveAgent = new Agent()
after(() => keepAliveAgent.destroy())
const fetchKeepAlive = (url: string) => fetchBy(url, { dispatcher: keepAliveAgent })

test('a draining server is not ready, answers requests and closes each connection after its response', async () => {
  const draining = await start()
  assert.equal((await fetchKeepAlive(`${draining.url}/api/things/1`)).headers.get('connection'), 'keep-alive')
  const drained = draining.drain(3_600_000)
  const ready = await fetchKeepAlive(`${draining.url}/readyz`)
  assert.equal(ready.status, 503)
  assert.deepEqual(await ready.json(), { status: 'it is stopping' })
  for (let i = 0; i < 3; i++) {
    const { status, headers } = await fetchKeepAlive(`${draining.url}/api/things/1`)
    assert.equal(status, 200)
    assert.equal(headers.get('connection'), 'close')
  }
  await draining.stop()
  await drained
})

test('stop finishes running requests, closes idle connections and accepts no new connection', async () => {
  const patienceMs = 60_000
  const stopping = await start(patienceMs)
  await fetchKeepAlive(`${stopping.url}/api/things/1`)
  const request = fetch(`${stopping.url}/api/slow`)
  while (gates.length === 0) await sleep(5)
  const began = Date.now()
  let stopped = false
  const end = stopping.stop().then(() => (stopped = true))
  await assert.rejects(fetch(`${stopping.url}/api/things/1`))
  assert.equal(stopped, false)
  gates.pop()!()
  const answered = await request
  assert.equal(answered.status, 200)
  assert.deepEqual(await answered.json(), { greeting: 'hello' })
  await end
  assert.ok(Date.now() - began < patienceMs / 2, `took ${Date.now() - began} ms`)
})

test('stop does not wait for a client that does not finish its request', async () => {
  const stopping = await start(200)
  const begun = once(stopping.app.server, 'request')
  const answered = raw('POST /api/raw HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf', stopping)
  await begun
  const began = Date.now()
  await stopping.stop()
  assert.ok(Date.now() - began < 10_000, `took ${Date.now() - began} ms`)
  assert.equal(await answered, '')
})
