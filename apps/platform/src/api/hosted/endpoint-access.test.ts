// What endpoints demand beside the signature, over HTTP: their own headers, client credentials, and answers that stop.
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { daysAfter } from '@lendloom/foundation/clock'
import type { Worker } from '@lendloom/queue/queue'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { type Received, startReceiver } from '@lendloom/tests/setup/receiver'
import { immediateRetries } from '@lendloom/tests/setup/webhooks'
import { webhookDeliveryWorker } from '#platform/integrators/webhook/deliver-updates.ts'
import { answerContext, deliveryOf } from '#platform/integrators/webhook/delivery.ts'
import { insertDeliveries } from '#platform/integrators/webhook/store.ts'

const { url, ctx, tenant, secondTenant } = await testPlatform()
const { db } = ctx
const receiver = await startReceiver()
after(() => receiver.stop())
let worker: Worker

/** The scopes and the times of the tokens that the token server has issued; null answers 401. */
let issued: string[] = []
let isIssuing = true
let expiresIn: number | undefined = 3600
let accepted: (token: string) => boolean = () => true

const expectedClient = `Basic ${Buffer.from('app:s3cret').toString('base64')}`

function answerToken({ headers, body }: Received) {
  const form = new URLSearchParams(body.toString())
  if (!isIssuing || headers.authorization !== expectedClient || form.get('grant_type') !== 'client_credentials')
    return json(401, { error: 'invalid_client' })
  const token = `token-${issued.length + 1}`
  issued.push(form.get('scope') ?? '')
  return json(200, { access_token: token, token_type: 'Bearer', ...(expiresIn && { expires_in: expiresIn }) })
}

const json = (status: number, body: object) => (response: import('node:http').ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

beforeEach(async () => {
  await db`delete from webhook_delivery`
  await db`delete from webhook_endpoint`
  receiver.received.length = 0
  issued = []
  isIssuing = true
  expiresIn = 3600
  accepted = () => true
  receiver.answer = (request) => {
    if (request.path === '/token') return answerToken(request)
    const { authorization = '' } = request.headers
    return authorization.startsWith('Bearer ') && !accepted(authorization.slice(7)) ? 401 : 204
  }
  worker = webhookDeliveryWorker(ctx, immediateRetries)
})
afterEach(() => worker.stop())

const endpoints = `${url}/api/lab/webhook-endpoints`
const register = (more: object, path = '/hook') =>
  ask(endpoints, { method: 'POST', key: tenant.apiKey, body: { url: receiver.url(path), ...more } })
const change = (id: string, body: object, key = tenant.apiKey) =>
  ask(`${endpoints}/${id}`, { method: 'PATCH', key, body })

async function commit(): Promise<string> {
  const { tenantId, applicationId } = tenant
  const journeyId = uuidv4()
  const eventId = uuidv7(Date.now(), bucketOf(journeyId))
  const event = { tenantId, applicationId, journeyId, sequence: 1, status: 'STARTED' as const, eventId }
  await db.tx((tx) => insertDeliveries(tx, deliveryOf(ctx, event, Buffer.from('{}'), null), new Date()))
  return journeyId
}

const deliveryTo = (journeyId: string, ...states: string[]) =>
  until(`a delivery that is ${states}`, async () => {
    const [row] = await db<{ state: string; attempt: number; lastAnswer: string | null }>`
      select state, attempt, last_answer from webhook_delivery where journey_id = ${journeyId}`
    return row && states.includes(row.state) && row
  })

const hooks = () => receiver.received.filter(({ path }) => path !== '/token')

const secret = 'key-of-the-gateway-0123456789'

test('D1 §6: an endpoint with headers of its own receives them beside the signature, and they are shown masked', async () => {
  const headers = [
    { name: 'X-Api-Key', value: secret },
    { name: 'x-short', value: 'abc' },
  ]
  const { status, body } = await register({ headers })
  assert.equal(status, 201)
  const shown = [
    { name: 'X-Api-Key', value: '••••6789' },
    { name: 'x-short', value: '••••' },
  ]
  assert.deepEqual(body.headers, shown)
  assert.equal(body.clientCredentials, null)
  const [listed] = (await ask(endpoints, { key: tenant.apiKey })).body.data.items
  assert.deepEqual(listed.headers, shown)
  await deliveryTo(await commit(), 'DELIVERED')
  const [request] = hooks()
  assert.equal(request!.headers['x-api-key'], secret)
  assert.equal(request!.headers['x-short'], 'abc')
  assert.match(String(request!.headers['webhook-signature']), /^v1,/)
  const rows = await db<{ text: string }>`select e::text as text from webhook_endpoint e`
  assert.equal(
    rows.some(({ text }) => text.includes(Buffer.from(secret).toString('hex'))),
    false,
    'it is sealed',
  )
})

test('D1 §6: hostile headers are refused by their field, and nothing is stored', async () => {
  const refused: [object, string][] = [
    [{ headers: [{ name: 'x-a', value: 'a\r\nx-b: c' }] }, 'headers.0.value'],
    [{ headers: [{ name: 'x-a', value: 'a\nb' }] }, 'headers.0.value'],
    [{ headers: [{ name: 'x-a', value: 'a\u0000' }] }, 'headers.0.value'],
    [{ headers: [{ name: 'x-a', value: 'é' }] }, 'headers.0.value'],
    [{ headers: [{ name: 'x-a', value: ' a' }] }, 'headers.0.value'],
    [{ headers: [{ name: 'x-a', value: 'a'.repeat(2001) }] }, 'headers.0.value'],
    [{ headers: [{ name: 'x a', value: 'a' }] }, 'headers.0.name'],
    [{ headers: [{ name: 'x-a:', value: 'a' }] }, 'headers.0.name'],
    [{ headers: [{ name: '', value: 'a' }] }, 'headers.0.name'],
    [{ headers: [{ name: 'Webhook-Signature', value: 'v1,a' }] }, 'headers.0.name'],
    [{ headers: [{ name: 'content-length', value: '0' }] }, 'headers.0.name'],
    [{ headers: [{ name: 'Host', value: 'other.example' }] }, 'headers.0.name'],
    [{ headers: [{ name: 'Transfer-Encoding', value: 'chunked' }] }, 'headers.0.name'],
    [{ headers: [{ name: 'lendloom-missing', value: 'a' }] }, 'headers.0.name'],
    [
      {
        headers: [
          { name: 'X-A', value: 'a' },
          { name: 'x-a', value: 'b' },
        ],
      },
      'headers.1.name',
    ],
    [{ headers: Array.from({ length: 11 }, (_, i) => ({ name: `x-${i}`, value: 'a' })) }, 'headers'],
    [{ clientCredentials: { ...client(), clientSecret: 'a\r\nb' } }, 'clientCredentials.clientSecret'],
    [{ clientCredentials: { ...client(), tokenUrl: 'http://10.0.0.1/token' } }, 'clientCredentials.tokenUrl'],
    [{ clientCredentials: { ...client(), tokenUrl: 'file:///etc/passwd' } }, 'clientCredentials.tokenUrl'],
    [{ headers: [{ name: 'Authorization', value: 'Basic abc' }], clientCredentials: client() }, 'headers.0.name'],
  ]
  for (const [body, field] of refused) {
    const { status, body: answer } = await register(body)
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal(answer.error.details.field, field, JSON.stringify(body))
  }
  assert.deepEqual(await db`select from webhook_endpoint`, [])
})

const client = () => ({ tokenUrl: receiver.url('/token'), clientId: 'app', clientSecret: 's3cret', scope: 'updates' })

test('RFC 6749 §4.4: updates carry a token by client credentials, which is asked for once while it is valid', async () => {
  const { body } = await register({ clientCredentials: client() })
  assert.deepEqual(body.clientCredentials, { tokenUrl: receiver.url('/token'), clientId: 'app', scope: 'updates' })
  for (const journeyId of [await commit(), await commit(), await commit()]) await deliveryTo(journeyId, 'DELIVERED')
  assert.deepEqual(issued, ['updates'])
  assert.deepEqual(new Set(hooks().map(({ headers }) => headers.authorization)), new Set(['Bearer token-1']))
  assert.equal(JSON.stringify((await ask(endpoints, { key: tenant.apiKey })).body).includes('s3cret'), false)
})

test('RFC 6749 §4.4: a token that the receiver refuses is asked for again, and a server without one fails the try', async () => {
  await register({ clientCredentials: { ...client(), scope: 'again' } })
  await deliveryTo(await commit(), 'DELIVERED')
  accepted = (token) => token !== 'token-1'
  await deliveryTo(await commit(), 'DELIVERED')
  assert.deepEqual(issued, ['again', 'again'])

  isIssuing = false
  accepted = (token) => token === 'token-9'
  const failed = await deliveryTo(await commit(), 'EXHAUSTED')
  assert.match(failed.lastAnswer!, /no access token: the token server refused: invalid_client/)
})

test('RFC 6749 §4.4: a token server’s text that cannot be stored or sent fails the try, and no such token is kept', async () => {
  await register({ clientCredentials: { ...client(), scope: 'hostile' } })
  let answer: object = { error: 'a\u0000b\u{d83d}' }
  const usual = receiver.answer
  receiver.answer = (request) => (request.path === '/token' ? json(400, answer) : usual(request))
  const refused = await deliveryTo(await commit(), 'EXHAUSTED')
  assert.equal(refused.lastAnswer, 'no access token: the token server refused: ab')
  for (const token of ['one\r\nx-evil: 1', 'münchen', ' ', 'x'.repeat(100_000)]) {
    answer = { access_token: token, token_type: 'Bearer', expires_in: 86_400 }
    receiver.answer = (request) => (request.path === '/token' ? json(200, answer) : usual(request))
    const { lastAnswer } = await deliveryTo(await commit(), 'EXHAUSTED')
    assert.match(lastAnswer!, /no access token: the token server/)
  }
  receiver.answer = usual
  await deliveryTo(await commit(), 'DELIVERED')
})

test('D1 §6: an answer that repeats what it was sent shows no secret', async () => {
  const { status } = await register({
    headers: [{ name: 'x-api-key', value: `${secret}"/\\` }],
    clientCredentials: { ...client(), scope: 'echo' },
  })
  assert.equal(status, 201)
  const bodyOf = async () => {
    const [row] = await db<{ tenantId: string; deliveryId: string; answerSealed: Buffer }>`
      select t.tenant_id, t.delivery_id, t.answer_sealed from webhook_try t
      join webhook_delivery d on d.bucket = t.bucket and d.delivery_id = t.delivery_id
      where d.journey_id = ${await failed()} limit 1`
    return ctx.seal.open(row!.answerSealed, answerContext(row!)).toString()
  }
  const failed = async () => {
    const journeyId = await commit()
    await deliveryTo(journeyId, 'EXHAUSTED')
    return journeyId
  }
  const usual = receiver.answer
  let echo = (headers: Received['headers']) => JSON.stringify(headers)
  receiver.answer = (request) =>
    request.path === '/token' ? usual(request) : (response) => void response.writeHead(500).end(echo(request.headers))
  const whole = await bodyOf()
  assert.match(whole, /"x-api-key":"••••"/)
  assert.match(whole, /"authorization":"••••"/)
  echo = ({ authorization, 'x-api-key': key }) =>
    `token=${String(authorization).split(' ')[1]}, key=${encodeURIComponent(String(key))}`
  assert.equal(await bodyOf(), 'token=••••, key=••••')
  echo = ({ 'x-api-key': key }) => `${'.'.repeat(2048 - 12)}${key}`
  assert.match(await bodyOf(), /\.••••$/)
})

test('D1 §6: an endpoint is changed by its app: other headers, none, and another URL', async () => {
  const { body } = await register({ headers: [{ name: 'x-a', value: 'one' }] })
  const changed = await change(body.id, { headers: [{ name: 'x-b', value: 'two' }], statuses: ['STARTED'] })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  assert.deepEqual(changed.body.headers, [{ name: 'x-b', value: '••••' }])
  await deliveryTo(await commit(), 'DELIVERED')
  const [request] = hooks()
  assert.equal(request!.headers['x-a'], undefined)
  assert.equal(request!.headers['x-b'], 'two')
  const samePlace = await change(body.id, { url: receiver.url('/elsewhere') })
  assert.deepEqual(samePlace.body.headers, [{ name: 'x-b', value: '••••' }], 'another path of the server keeps them')
  assert.deepEqual(samePlace.body.statuses, ['STARTED'])
  assert.deepEqual((await change(body.id, { headers: null })).body.headers, [])
  assert.equal((await change(body.id, {}, secondTenant.apiKey)).status, 404)
  assert.equal((await change('x', {})).status, 404)
})

test('D1 §6: headers do not follow an endpoint to another server, at which whoever moved it would read them', async () => {
  const other = await startReceiver()
  const { body } = await register({ headers: [{ name: 'x-api-key', value: secret }] })
  const moved = await change(body.id, { url: other.url('/hook') })
  assert.equal(moved.status, 400)
  assert.equal(moved.body.error.details.field, 'url')
  assert.match(
    moved.body.error.message,
    /another server: give the headers and client credentials of the endpoint again/,
  )
  assert.equal((await change(body.id, { url: other.url('/hook'), clientCredentials: null })).status, 400)
  const anew = await change(body.id, { url: other.url('/hook'), headers: [{ name: 'x-api-key', value: 'new' }] })
  assert.equal(anew.status, 200)
  await deliveryTo(await commit(), 'DELIVERED')
  assert.equal(other.received[0]!.headers['x-api-key'], 'new')
  await other.stop()
})

test('D1 §6: with Lendloom-Stop a receiver gives up one update, or ends the endpoint', async () => {
  await register({})
  const stop = (value: string, status: number) => () => (response: import('node:http').ServerResponse) =>
    void response.writeHead(status, { 'lendloom-stop': value }).end()
  receiver.answer = stop('update', 422)
  const givenUp = await deliveryTo(await commit(), 'EXHAUSTED')
  assert.equal(givenUp.attempt, 1, 'it is not tried again')
  assert.equal(givenUp.lastAnswer, '422')
  receiver.answer = stop('something', 500)
  assert.ok((await deliveryTo(await commit(), 'EXHAUSTED')).attempt > 1, 'an unknown word stops nothing')
  receiver.answer = stop('endpoint', 503)
  assert.equal((await deliveryTo(await commit(), 'STOPPED')).lastAnswer, '503')
  const [endpoint] = (await ask(endpoints, { key: tenant.apiKey })).body.data.items
  assert.match(endpoint.disabledBecause, /503/)
})

test('a token is kept until a minute before its end, at most a day, and shared by calls at the same time', async () => {
  const { tokenKeeper } = await import('@lendloom/http/client-credentials')
  const keeper = tokenKeeper()
  const limits = { timeoutMs: 2000, egress: 'public-or-loopback' } as const
  const at = new Date('2026-12-01T10:00:00Z')
  const later = (seconds: number) => new Date(at.getTime() + seconds * 1000)
  const tokenAt = (when: Date) => keeper.tokenOf(client(), limits, when)
  assert.deepEqual(await Promise.all([tokenAt(at), tokenAt(at), tokenAt(at)]), ['token-1', 'token-1', 'token-1'])
  assert.equal(await tokenAt(later(3539)), 'token-1')
  assert.equal(await tokenAt(later(3541)), 'token-2')
  keeper.forget(client())
  expiresIn = 10 ** 9
  assert.equal(await tokenAt(later(3542)), 'token-3')
  assert.equal(await tokenAt(daysAfter(later(3543), 1)), 'token-4')
  keeper.forget(client())
  expiresIn = 60
  assert.equal(await tokenAt(at), 'token-5')
  assert.equal(await tokenAt(later(29)), 'token-5', 'a short one is kept for half its time')
  assert.equal(await tokenAt(later(31)), 'token-6')
})
