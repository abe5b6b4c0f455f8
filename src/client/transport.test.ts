// The client's transport and session against a real, scripted HTTP server.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { borrower, type Tokens } from './client.ts'
import { type HttpError, NoAnswerError, transport } from './transport.ts'

interface Seen {
  method: string
  url: string
  token: string
  key: string | undefined
  version: string | undefined
  body: string
}
type Reply =
  | { status: number; data?: unknown; code?: string; retryable?: boolean; headers?: Record<string, string> }
  | 'cut'

const seen: Seen[] = []
let script: (request: Seen) => Reply = () => ({ status: 200, data: {} })
const server = createServer(async (request: IncomingMessage, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { authorization = '', 'idempotency-key': key, 'x-lendloom-api-version': version } = request.headers
  const one = {
    method: request.method!,
    url: request.url!,
    token: authorization.slice(7),
    key: key as string,
    version: version as string,
    body,
  }
  seen.push(one)
  const reply = script(one)
  if (reply === 'cut') return void response.destroy()
  const error = reply.code
    ? { code: reply.code, message: 'as told', retryable: reply.retryable ?? false, details: { field: 'amount' } }
    : null
  response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
  response.end(
    JSON.stringify({ requestID: 'r-1', correlationID: 'c-1', timestamp: '', data: reply.data ?? null, error }),
  )
}).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
after(() => server.close())
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const wire = transport({ baseUrl, apiVersion: '2026-11-01' })

function tell(next: typeof script): void {
  seen.length = 0
  script = next
}
const tokens = (name: string, seconds = 600): Tokens => ({
  sessionToken: `st_${name}`,
  refreshToken: `rt_${name}`,
  sessionExpiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
  refreshExpiresAt: new Date(Date.now() + 86_400_000).toISOString(),
})

test('D2 §5, §9: a call carries its token, its version and its path, escaped', async () => {
  tell(() => ({ status: 200, data: { ok: true } }))
  const { data } = await wire.send({
    name: 'GET /journeys/{journeyID}/state',
    token: 'st_1',
    params: { journeyID: 'a/b' },
    query: { type: 'x', none: undefined },
  })
  assert.deepEqual(data, { ok: true })
  assert.deepEqual(
    [seen[0]!.url, seen[0]!.token, seen[0]!.version, seen[0]!.key],
    ['/api/v1/headless/journeys/a%2Fb/state?type=x', 'st_1', '2026-11-01', undefined],
  )
})

test('D2 §8: all tries of one call carry one Idempotency-Key', async () => {
  let calls = 0
  tell(() =>
    ++calls < 3
      ? calls === 1
        ? 'cut'
        : { status: 503, code: 'UPSTREAM_TEMPORARY_FAILURE', retryable: true }
      : { status: 201, data: { journeyID: 'j' } },
  )
  const { status } = await wire.send({ name: 'POST /journeys', token: 'st_1', body: { type: 'PERSONAL_LOAN' } })
  assert.equal(status, 201)
  assert.equal(seen.length, 3)
  assert.equal(new Set(seen.map(({ key }) => key)).size, 1)
  assert.match(seen[0]!.key!, /^[0-9a-f-]{36}$/)
})

test('D2 §7: a permanent error is thrown at once, with fields for programs', async () => {
  tell(() => ({ status: 400, code: 'VALIDATION_FAILED' }))
  await assert.rejects(wire.send({ name: 'POST /journeys', token: 'st_1' }), (error: HttpError) => {
    assert.deepEqual(
      [error.status, error.code, error.details, error.requestID],
      [400, 'VALIDATION_FAILED', { field: 'amount' }, 'r-1'],
    )
    return true
  })
  assert.equal(seen.length, 1)
})

test('D2 §8: RATE_LIMITED waits as long as the platform asks', async () => {
  let calls = 0
  const delays: number[] = []
  tell(() =>
    ++calls === 1
      ? { status: 429, code: 'RATE_LIMITED', retryable: true, headers: { 'retry-after': '1' } }
      : { status: 200, data: {} },
  )
  await transport({ baseUrl, onRetry: (_, ms) => delays.push(ms) }).send({ name: 'GET /journeys', token: 'st_1' })
  assert.ok(delays[0]! >= 1000)
})

const limited = { status: 429, code: 'RATE_LIMITED', retryable: true }

test('D2 §8: a Retry-After beyond the deadline of the call is not waited for, and the refusal says how long it is', async () => {
  tell(() => ({ ...limited, headers: { 'retry-after': '3600' } }))
  const refused = wire.send({ name: 'GET /journeys', token: 'st_1' })
  await assert.rejects(refused, { code: 'RATE_LIMITED', retryAfterSeconds: 3600 })
  tell(() => 'cut')
  const hurried = transport({ baseUrl, deadlineMs: 300 }).send({ name: 'GET /journeys', token: 'st_1' })
  await assert.rejects(hurried, NoAnswerError)
  assert.equal(seen.length, 1)
})

test('D2 §8: the signal of a call ends a wait between two tries', async () => {
  tell(() => ({ ...limited, headers: { 'retry-after': '59' } }))
  for (const later of [(act: () => void) => act(), setImmediate]) {
    const abort = new AbortController()
    const waiting = transport({
      baseUrl,
      onRetry: () => void later(() => abort.abort(new Error('the app has closed'))),
    })
    const sent = waiting.send({ name: 'GET /journeys', token: 'st_1', signal: abort.signal })
    await assert.rejects(sent, /the app has closed/)
  }
  assert.equal(seen.length, 2)
})

test('D2 §5: aborting a call ends its wait for a renewal, which continues for other calls', async () => {
  let answer = (): void => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  const abort = new AbortController()
  const holding: typeof fetch = async (input, init) => {
    abort.abort(new Error('the app has closed'))
    await held
    return fetch(input, init)
  }
  tell(({ url }) => ({ status: 200, data: url.endsWith('/refresh') ? tokens('new') : { journeys: [] } }))
  const call = borrower(transport({ baseUrl, fetch: holding }), { tokens: tokens('old', 10) })
  const others = call('GET /journeys')
  await assert.rejects(call('GET /journeys', { signal: abort.signal }), /the app has closed/)
  answer()
  assert.deepEqual(await others, { journeys: [] })
})

test('no answer at all ends as Unanswered', async () => {
  tell(() => 'cut')
  await assert.rejects(transport({ baseUrl, tries: 2 }).send({ name: 'GET /journeys', token: 'st_1' }), NoAnswerError)
  assert.equal(seen.length, 2)
})

test('D2 §5: an expiring session is renewed once for all waiting calls, and its owner is notified', async () => {
  const kept: Tokens[] = []
  tell(({ url }) =>
    url.endsWith('/sessions/refresh') ? { status: 200, data: tokens('new') } : { status: 200, data: {} },
  )
  const call = borrower(wire, { tokens: tokens('old', 10), onTokens: (fresh) => kept.push(fresh) })
  await Promise.all([call('GET /journeys'), call('GET /journeys'), call('GET /journeys')])
  const refreshes = seen.filter(({ url }) => url.endsWith('/refresh'))
  assert.deepEqual(
    refreshes.map(({ token }) => token),
    ['rt_old'],
  )
  assert.deepEqual(
    seen.filter(({ url }) => !url.endsWith('/refresh')).map(({ token }) => token),
    ['st_new', 'st_new', 'st_new'],
  )
  assert.equal(kept.length, 1)
})

test('D2 §5: a session that is no longer taken is renewed, and the call repeated under its key', async () => {
  tell(({ url, token }) => {
    if (url.endsWith('/sessions/refresh')) return { status: 200, data: tokens('new') }
    return token === 'st_old'
      ? { status: 401, code: 'AUTH_INVALID_SESSION' }
      : { status: 201, data: { journeyID: 'j' } }
  })
  const call = borrower(wire, { tokens: tokens('old') })
  await call('POST /journeys', { body: { type: 'PERSONAL_LOAN' } })
  const posts = seen.filter(({ url }) => url.endsWith('/journeys'))
  assert.deepEqual(
    posts.map(({ token }) => token),
    ['st_old', 'st_new'],
  )
  assert.equal(posts[0]!.key, posts[1]!.key)
})

test('D2 §5: a renewal whose answers were all lost is asked for again under its key, the next one under another', async () => {
  let lost = true
  tell(({ url }) => {
    if (!url.endsWith('/sessions/refresh')) return { status: 200, data: {} }
    return lost ? 'cut' : { status: 200, data: tokens('new', 10) }
  })
  const call = borrower(transport({ baseUrl, tries: 2 }), { tokens: tokens('old', 10) })
  await assert.rejects(call('GET /journeys'), NoAnswerError)
  lost = false
  await call('GET /journeys')
  await call('GET /journeys')
  const keys = seen.filter(({ url }) => url.endsWith('/refresh')).map(({ key }) => key)
  assert.deepEqual([keys.length, new Set(keys.slice(0, 3)).size, new Set(keys).size], [4, 1, 2])
})
