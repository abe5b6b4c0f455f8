// Every operation of the Node server package, and a borrower's session, against a scripted HTTP server.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { lendloom, NoAnswerError, type RefreshResult } from '../../../packages/server-node/src/index.ts'
import { operations } from '../../../packages/server-node/src/operations.ts'
import { document } from '../../../tools/packages/api-calls.ts'

type Answer = { status: number; body: object | string } | 'cut'
interface Received {
  method: string
  url: string
  token: string
  key: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

const requests: Received[] = []
let script: (request: Received) => Answer = () => ({ status: 200, body: {} })
const server = createServer(async (request, response) => {
  const { headers, method = '', url = '' } = request
  const { authorization = '', 'idempotency-key': key } = headers
  const received = { method, url, token: authorization.slice(7), key: key as string, headers, body: '' }
  received.body = (await buffer(request)).toString()
  requests.push(received)
  const answer = script(received)
  if (answer === 'cut') return void response.destroy()
  response.writeHead(answer.status).end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
}).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
after(() => server.close())
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const client = lendloom({ baseUrl, apiKey: 'sk_test_1', wait: async () => {} })

const withData = (data: unknown) => ({ status: 200, body: { requestID: 'r', data, error: null } })
const refused = (status: number, code: string) => ({
  status,
  body: { requestID: 'r', data: null, error: { code, message: 'x', retryable: false, details: {} } },
})
function setScript(next: typeof script): void {
  requests.length = 0
  script = next
}
const tokens = (name: string, seconds = 600): RefreshResult => ({
  sessionToken: `st_${name}`,
  refreshToken: `rt_${name}`,
  sessionExpiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
  refreshExpiresAt: new Date(Date.now() + 86_400_000).toISOString(),
})

test('D1, D2: every operation of the OpenAPI document is a method, with its method, path and credential', async () => {
  const documented = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map((operation) => (operation as { operationId: string }).operationId),
  )
  assert.deepEqual(Object.keys(operations).sort(), documented.sort())
  setScript(() => withData({ ok: true }))
  const borrower = client.borrower({ tokens: tokens('now') })
  const methods: Record<string, unknown> = { ...client, ...borrower }
  const params = { id: 'a/b', journeyID: 'a/b', offerID: 'o', operationID: 'p', aaSessionID: 's' }
  const more = { product: 'lamf', borrowerProviderID: 'user' }
  for (const [name, [method, path, credential]] of Object.entries(operations)) {
    if (['createSession', 'createWebhookEndpoint', 'refreshHeadlessSession'].includes(name)) continue
    const call = methods[name] as (input: object) => Promise<unknown>
    assert.deepEqual(await call({ params: { ...params, ...more } }), { ok: true }, name)
    const { method: sentMethod, url, token, key } = requests.at(-1)!
    assert.equal(sentMethod, method, name)
    assert.equal(token, credential === 'apiKey' ? 'sk_test_1' : 'st_now', name)
    assert.match(url, new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`))
    assert.equal(typeof key, method === 'GET' ? 'undefined' : 'string')
  }
})

test('D2 §9: a call sends its version, escaped parameters and query, and names a missing parameter', async () => {
  setScript(() => withData({ items: [] }))
  const pinned = lendloom({ baseUrl, apiKey: 'k', apiVersion: '2026-11-01' }).borrower({ tokens: tokens('now') })
  await pinned.listJourneys({ query: { limit: '5' } })
  await pinned.getJourney({ params: { journeyID: 'a/b' } })
  assert.deepEqual(
    requests.map(({ url }) => url),
    ['/api/v1/headless/journeys?limit=5', '/api/v1/headless/journeys/a%2Fb'],
  )
  assert.equal(requests[0]!.headers['x-lendloom-api-version'], '2026-11-01')
  assert.match(requests[0]!.headers['user-agent'] ?? '', /^lendloom-node\/\d+\.\d+\.\d+$/)
  await assert.rejects(pinned.getJourney({ params: { journeyID: '' } }), /getJourney needs params\.journeyID/)
})

test('D2 §5: an expiring session is renewed once for all waiting calls', async () => {
  const renewed: RefreshResult[] = []
  setScript(({ url }) => withData(url.endsWith('/refresh') ? tokens('new') : {}))
  const borrower = client.borrower({ tokens: tokens('old', 10), onTokens: (fresh) => renewed.push(fresh) })
  await Promise.all([borrower.listJourneys(), borrower.listJourneys(), borrower.listJourneys()])
  assert.deepEqual(requests.map(({ url, token }) => `${url.split('/').at(-1)} ${token}`).sort(), [
    'journeys st_new',
    'journeys st_new',
    'journeys st_new',
    'refresh rt_old',
  ])
  assert.equal(renewed.length, 1)
})

test('D2 §5: a call with a rejected session is repeated under its key after a renewal', async () => {
  setScript(({ url, token }) => {
    if (url.endsWith('/refresh')) return withData(tokens('new'))
    return token === 'st_old' ? refused(401, 'AUTH_INVALID_SESSION') : withData({ journeyID: 'j' })
  })
  await client.borrower({ tokens: tokens('old') }).createJourney({ body: { type: 'PERSONAL_LOAN' } })
  const posts = requests.filter(({ url }) => url.endsWith('/journeys'))
  assert.deepEqual(
    posts.map(({ token }) => token),
    ['st_old', 'st_new'],
  )
  assert.equal(posts[0]!.key, posts[1]!.key)
})

test('D2 §5: a renewal without an answer is repeated under its key, and the next renewal has a new key', async () => {
  let lost = true
  setScript(({ url }) => {
    if (!url.endsWith('/refresh')) return withData({})
    return lost ? 'cut' : withData(tokens('new', 10))
  })
  const impatient = lendloom({ baseUrl, apiKey: 'k', tries: 2, wait: async () => {} })
  const borrower = impatient.borrower({ tokens: tokens('old', 10) })
  await assert.rejects(borrower.listJourneys(), NoAnswerError)
  lost = false
  await borrower.listJourneys()
  await borrower.listJourneys()
  const keys = requests.filter(({ url }) => url.endsWith('/refresh')).map(({ key }) => key)
  assert.equal(keys.length, 4)
  assert.equal(new Set(keys.slice(0, 3)).size, 1)
  assert.equal(new Set(keys).size, 2)
})

test('D2 §5: aborting a call ends its wait for a renewal, which continues for other calls', async () => {
  const abort = new AbortController()
  setScript(({ url }) => {
    if (!url.endsWith('/refresh')) return withData({ items: [] })
    abort.abort(new Error('the app has closed'))
    return withData(tokens('new'))
  })
  const borrower = client.borrower({ tokens: tokens('old', 10) })
  const other = borrower.listJourneys()
  await assert.rejects(borrower.listJourneys({ signal: abort.signal }), /the app has closed/)
  assert.deepEqual(await other, { items: [] })
})
