// The client's transport and session against a real, scripted HTTP server.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { borrower, type Tokens } from './client.ts'
import { type HttpError, NoAnswerError, transport } from './transport.ts'

interface RecordedRequest {
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

const requests: RecordedRequest[] = []
let script: (request: RecordedRequest) => Reply = () => ({ status: 200, data: {} })
const server = createServer(async (request: IncomingMessage, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { authorization = '', 'idempotency-key': key, 'x-lendloom-api-version': version } = request.headers
  const recorded = {
    method: request.method!,
    url: request.url!,
    token: authorization.slice(7),
    key: key as string,
    version: version as string,
    body,
  }
  requests.push(recorded)
  const reply = script(recorded)
  if (reply === 'cut') return void response.destroy()
  const error = reply.code
    ? {
        code: reply.code,
        message: 'from the script',
        retryable: reply.retryable ?? false,
        details: { field: 'amount' },
      }
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

function setScript(next: typeof script): void {
  requests.length = 0
  script = next
}
const tokens = (name: string, seconds = 600): Tokens => ({
  sessionToken: `st_${name}`,
  refreshToken: `rt_${name}`,
  sessionExpiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
  refreshExpiresAt: new Date(Date.now() + 86_400_000).toISOString(),
})

test('D2 §5, §9: a call sends its token, version and escaped path', async () => {
  setScript(() => ({ status: 200, data: { ok: true } }))
  const { data } = await wire.send({
    name: 'GET /journeys/{journeyID}/state',
    token: 'st_1',
    params: { journeyID: 'a/b' },
    query: { type: 'x', none: undefined },
  })
  assert.deepEqual(data, { ok: true })
  assert.deepEqual(
    [requests[0]!.url, requests[0]!.token, requests[0]!.version, requests[0]!.key],
    ['/api/v1/headless/journeys/a%2Fb/state?type=x', 'st_1', '2026-11-01', undefined],
  )
})

test('D2 §8: all tries of a call have the same Idempotency-Key', async () => {
  let calls = 0
  setScript(() =>
    ++calls < 3
      ? calls === 1
        ? 'cut'
        : { status: 503, code: 'UPSTREAM_TEMPORARY_FAILURE', retryable: true }
      : { status: 201, data: { journeyID: 'j' } },
  )
  const { status } = await wire.send({ name: 'POST /journeys', token: 'st_1', body: { type: 'PERSONAL_LOAN' } })
  assert.equal(status, 201)
  assert.equal(requests.length, 3)
  assert.equal(new Set(requests.map(({ key }) => key)).size, 1)
  assert.match(requests[0]!.key!, /^[0-9a-f-]{36}$/)
})

test('D2 §7: a permanent error is thrown without a retry', async () => {
  setScript(() => ({ status: 400, code: 'VALIDATION_FAILED' }))
  await assert.rejects(wire.send({ name: 'POST /journeys', token: 'st_1' }), (error: HttpError) => {
    assert.deepEqual(
      [error.status, error.code, error.details, error.requestID],
      [400, 'VALIDATION_FAILED', { field: 'amount' }, 'r-1'],
    )
    return true
  })
  assert.equal(requests.length, 1)
})

test('D2 §8: a retry after RATE_LIMITED waits for Retry-After', async () => {
  let calls = 0
  const delays: number[] = []
  setScript(() =>
    ++calls === 1
      ? { status: 429, code: 'RATE_LIMITED', retryable: true, headers: { 'retry-after': '1' } }
      : { status: 200, data: {} },
  )
  await transport({ baseUrl, onRetry: (_, ms) => delays.push(ms) }).send({ name: 'GET /journeys', token: 'st_1' })
  assert.ok(delays[0]! >= 1000)
})

const limited = { status: 429, code: 'RATE_LIMITED', retryable: true }

test('D2 §8: a call fails at once when Retry-After exceeds its deadline', async () => {
  setScript(() => ({ ...limited, headers: { 'retry-after': '3600' } }))
  const limitedCall = wire.send({ name: 'GET /journeys', token: 'st_1' })
  await assert.rejects(limitedCall, { code: 'RATE_LIMITED', retryAfterSeconds: 3600 })
  setScript(() => 'cut')
  const shortDeadline = transport({ baseUrl, deadlineMs: 300 }).send({ name: 'GET /journeys', token: 'st_1' })
  await assert.rejects(shortDeadline, NoAnswerError)
  assert.equal(requests.length, 1)
})

test('D2 §8: aborting a call ends its wait between two tries', async () => {
  setScript(() => ({ ...limited, headers: { 'retry-after': '59' } }))
  for (const schedule of [(act: () => void) => act(), setImmediate]) {
    const abort = new AbortController()
    const abortedTransport = transport({
      baseUrl,
      onRetry: () => void schedule(() => abort.abort(new Error('the app has closed'))),
    })
    const call = abortedTransport.send({ name: 'GET /journeys', token: 'st_1', signal: abort.signal })
    await assert.rejects(call, /the app has closed/)
  }
  assert.equal(requests.length, 2)
})

test('D2 §5: aborting a call ends its wait for a renewal, which continues for other calls', async () => {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const abort = new AbortController()
  const delayedFetch: typeof fetch = async (input, init) => {
    abort.abort(new Error('the app has closed'))
    await released
    return fetch(input, init)
  }
  setScript(({ url }) => ({ status: 200, data: url.endsWith('/refresh') ? tokens('new') : { journeys: [] } }))
  const call = borrower(transport({ baseUrl, fetch: delayedFetch }), { tokens: tokens('old', 10) })
  const otherCall = call('GET /journeys')
  await assert.rejects(call('GET /journeys', { signal: abort.signal }), /the app has closed/)
  release()
  assert.deepEqual(await otherCall, { journeys: [] })
})

test('a call without a response throws NoAnswerError', async () => {
  setScript(() => 'cut')
  await assert.rejects(transport({ baseUrl, tries: 2 }).send({ name: 'GET /journeys', token: 'st_1' }), NoAnswerError)
  assert.equal(requests.length, 2)
})

test('D2 §5: an expiring session is renewed once for all waiting calls', async () => {
  const newTokens: Tokens[] = []
  setScript(({ url }) =>
    url.endsWith('/sessions/refresh') ? { status: 200, data: tokens('new') } : { status: 200, data: {} },
  )
  const call = borrower(wire, { tokens: tokens('old', 10), onTokens: (fresh) => newTokens.push(fresh) })
  await Promise.all([call('GET /journeys'), call('GET /journeys'), call('GET /journeys')])
  const refreshes = requests.filter(({ url }) => url.endsWith('/refresh'))
  assert.deepEqual(
    refreshes.map(({ token }) => token),
    ['rt_old'],
  )
  assert.deepEqual(
    requests.filter(({ url }) => !url.endsWith('/refresh')).map(({ token }) => token),
    ['st_new', 'st_new', 'st_new'],
  )
  assert.equal(newTokens.length, 1)
})

test('D2 §5: a call with a rejected session is repeated under its key after a renewal', async () => {
  setScript(({ url, token }) => {
    if (url.endsWith('/sessions/refresh')) return { status: 200, data: tokens('new') }
    return token === 'st_old'
      ? { status: 401, code: 'AUTH_INVALID_SESSION' }
      : { status: 201, data: { journeyID: 'j' } }
  })
  const call = borrower(wire, { tokens: tokens('old') })
  await call('POST /journeys', { body: { type: 'PERSONAL_LOAN' } })
  const posts = requests.filter(({ url }) => url.endsWith('/journeys'))
  assert.deepEqual(
    posts.map(({ token }) => token),
    ['st_old', 'st_new'],
  )
  assert.equal(posts[0]!.key, posts[1]!.key)
})

test('D2 §5: a renewal without a response is repeated under its key, and the next renewal has a new key', async () => {
  let lost = true
  setScript(({ url }) => {
    if (!url.endsWith('/sessions/refresh')) return { status: 200, data: {} }
    return lost ? 'cut' : { status: 200, data: tokens('new', 10) }
  })
  const call = borrower(transport({ baseUrl, tries: 2 }), { tokens: tokens('old', 10) })
  await assert.rejects(call('GET /journeys'), NoAnswerError)
  lost = false
  await call('GET /journeys')
  await call('GET /journeys')
  const keys = requests.filter(({ url }) => url.endsWith('/refresh')).map(({ key }) => key)
  assert.deepEqual([keys.length, new Set(keys.slice(0, 3)).size, new Set(keys).size], [4, 1, 2])
})
