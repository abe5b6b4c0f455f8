// The Node server package: webhook test vectors, retries, and installation in an app.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, beforeEach, test } from 'node:test'
import { publint } from 'publint'
import {
  LendloomError,
  lendloom,
  NoAnswerError,
  verifyWebhook,
  WebhookError,
} from '../../../packages/server-node/src/index.ts'
import { type Vector, vectorFile, vectors } from '../../../tools/packages/webhook-vectors.ts'
import { buildPackagesOnce, installPackage } from './consumer.ts'

const committed: Vector[] = JSON.parse(readFileSync(vectorFile, 'utf8'))

test('D1 §6: the vectors match the platform’s signer; node -C inside tools/packages/webhook-vectors.ts regenerates them', () => {
  assert.deepEqual(committed, vectors())
})

test('D1 §6: every vector is accepted, or refused with its fault', () => {
  for (const { name, secrets, headers, body, at, fault, missing = [] } of committed) {
    const verify = (sentHeaders: Record<string, string> | Headers) => {
      try {
        const raw = Buffer.from(body, 'base64')
        const webhook = verifyWebhook(secrets, sentHeaders, raw, { at: new Date(at * 1000) })
        assert.deepEqual(webhook.update, JSON.parse(raw.toString()))
        assert.equal(webhook.id, headers['webhook-id'])
        assert.deepEqual(webhook.missing, missing)
        assert.equal(webhook.version, null)
        return null
      } catch (error) {
        if (!(error instanceof WebhookError)) throw error
        return error.code
      }
    }
    assert.equal(verify(headers), fault, name)
    assert.equal(verify(new Headers(headers)), fault, `${name}, as Headers`)
    assert.equal(verify(inTitleCase(headers)), fault, `${name}, in the case of a gateway`)
  }
})

/** `webhook-id` becomes `Webhook-Id`. */
const inTitleCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase()),
      value,
    ]),
  )

test('D1 §6: an invalid secret and a repeated header are rejected', () => {
  const [{ secrets, headers, body }] = committed as [Vector]
  for (const wrong of ['', 'whsec_c2hvcnQ=', 'whsec_not base64 at all, but long enough', []])
    assert.throws(() => verifyWebhook(wrong, headers, body), TypeError)
  const repeated = { ...headers, 'webhook-id': ['a', 'b'] }
  assert.throws(() => verifyWebhook(secrets, repeated, body), /webhook-id is required exactly once/)
  const inTwoCases = { ...headers, 'Webhook-Id': 'b' }
  assert.throws(() => verifyWebhook(secrets, inTwoCases, body), /webhook-id is required exactly once/)
})

/** The platform's answers, one per request; null closes the connection. */
const answers: ([status: number, body: string, headers?: Record<string, string>] | null)[] = []
const requests: { request: IncomingMessage; body: string }[] = []
const server = createServer(async (request, response) => {
  requests.push({ request, body: (await buffer(request)).toString() })
  const answer = answers.shift()
  if (!answer) return request.socket.destroy()
  response.writeHead(answer[0], answer[2]).end(answer[1])
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const delays: number[] = []
const wait = async (ms: number) => void delays.push(ms)
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
const client = lendloom({ baseUrl, apiKey: 'sk_test_1', wait })
const body = { borrowerProviderID: 'user-42', profile: { contactNumber: '9876543210' } }
const refusal = (code: string, retryable: boolean) =>
  JSON.stringify({
    requestID: 'r-1',
    error: { code, message: 'refused', retryable, details: { field: 'profile.pan' } },
  })

beforeEach(() => {
  for (const list of [answers, requests, delays]) list.length = 0
})

test('D1 §4: createSession sends the API key and the given idempotency and correlation ids', async () => {
  answers.push([201, '{"embedUrl":"https://lendloom.example/lab/embed#token=bt"}'])
  const session = await client.createSession(body, { idempotencyKey: 'k-1', correlationId: 'c-1' })
  assert.deepEqual(session, { embedUrl: 'https://lendloom.example/lab/embed#token=bt', isNew: true })
  const [received] = requests
  assert.equal(`${received?.request.method} ${received?.request.url}`, 'POST /api/lab/sessions')
  assert.deepEqual(JSON.parse(received?.body ?? ''), body)
  const { authorization, 'idempotency-key': key, 'x-correlation-id': correlation } = received?.request.headers ?? {}
  assert.equal(authorization, 'Bearer sk_test_1')
  assert.equal(key, 'k-1')
  assert.equal(correlation, 'c-1')
})

test('D1 §2.1: createSession returns the link that the request asks for', async () => {
  const link = { id: 'l1', url: 'https://lendloom.example/open/lk_1', expiresAt: '2026-12-04T10:00:00.000Z' }
  answers.push([201, JSON.stringify({ embedUrl: 'u', link })])
  assert.deepEqual(await client.createSession({ ...body, linkTtl: 'P3D' }), { embedUrl: 'u', link, isNew: true })
})

test('D1 §6: createWebhookEndpoint takes a URL, or a request with events of loans and headers', async () => {
  const url = 'https://app.example/hooks'
  const created = JSON.stringify({ id: 'e1', url, secret: 'whsec_1' })
  answers.push([201, created], [201, created])
  await client.createWebhookEndpoint(url, ['DISBURSED'])
  const headers = [{ name: 'x-api-key', value: 'k' }]
  await client.createWebhookEndpoint({ url, loanEvents: ['loan.paid'], headers })
  const sent = requests.map((each) => JSON.parse(each.body))
  assert.deepEqual(sent, [
    { url, statuses: ['DISBURSED'] },
    { url, loanEvents: ['loan.paid'], headers },
  ])
})

test('temporary failures are retried with one idempotency key, after the time in Retry-After', async () => {
  answers.push(
    null,
    [429, refusal('RATE_LIMITED', true), { 'retry-after': '7' }],
    [502, '<html>'],
    [200, '{"embedUrl":"u"}'],
  )
  assert.deepEqual(await client.createSession(body), { embedUrl: 'u', isNew: false })
  assert.equal(new Set(requests.map(({ request }) => request.headers['idempotency-key'])).size, 1)
  assert.equal(delays.length, 3)
  assert.ok(delays[1]! >= 7000)
})

test('a Retry-After beyond the deadline fails at once, and the error has its seconds', async () => {
  answers.push([429, refusal('RATE_LIMITED', true), { 'retry-after': '3600' }])
  await assert.rejects(client.createSession(body), { code: 'RATE_LIMITED', retryAfterSeconds: 3600 })
  answers.push(null)
  await assert.rejects(lendloom({ baseUrl, apiKey: 'k', wait, deadlineMs: 300 }).createSession(body), NoAnswerError)
  assert.equal(requests.length, 2)
  assert.equal(delays.length, 0)
})

test('the abort signal of a call ends the wait between two attempts', async () => {
  const abort = new AbortController()
  const abortingClient = lendloom({ baseUrl, apiKey: 'k', onRetry: () => abort.abort(new Error('the app has closed')) })
  answers.push([429, refusal('RATE_LIMITED', true), { 'retry-after': '59' }])
  await assert.rejects(abortingClient.createSession(body, { signal: abort.signal }), /the app has closed/)
  const laterAbort = new AbortController()
  const laterClient = lendloom({
    baseUrl,
    apiKey: 'k',
    onRetry: () => setImmediate(() => laterAbort.abort(new Error('closed later'))),
  })
  answers.push([429, refusal('RATE_LIMITED', true), { 'retry-after': '59' }])
  await assert.rejects(laterClient.createSession(body, { signal: laterAbort.signal }), /closed later/)
  assert.equal(requests.length, 2)
})

test('a refusal or a redirect is not retried', async () => {
  answers.push([400, refusal('VALIDATION_FAILED', false)], [302, '', { location: 'http://127.0.0.1:1/' }])
  await assert.rejects(client.createSession(body), (error) => {
    assert.ok(error instanceof LendloomError)
    const { status, code, requestId, details } = error
    assert.equal(status, 400)
    assert.equal(code, 'VALIDATION_FAILED')
    assert.equal(requestId, 'r-1')
    assert.deepEqual(details, { field: 'profile.pan' })
    return true
  })
  await assert.rejects(client.call('GET', '/moved'), { code: 'HTTP_302' })
  assert.deepEqual(delays, [])
})

test('after the last attempt a missing answer is a NoAnswerError, and a refusal a LendloomError', async () => {
  answers.push(null, null, null, null)
  await assert.rejects(client.createSession(body), NoAnswerError)
  answers.push(...Array.from({ length: 4 }, (): [number, string] => [503, refusal('UPSTREAM_TEMPORARY_FAILURE', true)]))
  await assert.rejects(client.createSession(body), LendloomError)
  answers.push([204, ''])
  assert.equal(await client.call('DELETE', '/api/lab/webhook-endpoints/1'), null)
})

test('an app installs the package, type checks against it and runs it', async () => {
  const app = await installPackage('server-node')
  app.link('@types/node')
  app.link('undici-types')
  app.write(
    'app.ts',
    `import { lendloom, verifyWebhook, type LifecycleUpdate, type SessionRequest } from '@lendloom/server'
     const client = lendloom({ baseUrl: 'https://lendloom.example', apiKey: 'sk_test_1' })
     const session: SessionRequest = { borrowerProviderID: 'user-42', profile: { contactNumber: '9876543210' } }
     export const open = async (): Promise<string> => (await client.createSession(session)).embedUrl
     export const amounts = (update: LifecycleUpdate): string[] => update.borrower.journey.offers.map((offer) => offer.amount_principal)
     export const statusOf = (raw: Buffer): 'DISBURSED' | null => {
       const { update } = verifyWebhook(['whsec_a', 'whsec_b'], {}, raw)
       return update.borrower.journey.status === 'DISBURSED' ? 'DISBURSED' : null
     }
     // @ts-expect-error contactNumber is needed
     void client.createSession({ borrowerProviderID: 'user-42', profile: {} })`,
  )
  app.check('app.ts', ['--types', 'node', '--lib', 'es2023'])
  app.write(
    'common.cts',
    `import { lendloom, LendloomError } from '@lendloom/server'
     export const client = lendloom({ baseUrl: 'https://lendloom.example', apiKey: 'k' })
     export const isRefusal = (error: unknown): boolean => error instanceof LendloomError`,
  )
  app.check('common.cts', ['--types', 'node', '--lib', 'es2023'])
  const [{ secrets, headers, body: raw, at }] = committed as [Vector]
  app.write(
    'app.js',
    `import { createRequire } from 'node:module'
     const { verifyWebhook } = createRequire(import.meta.url)('@lendloom/server')
     const [secrets, headers, raw, at] = ${JSON.stringify([secrets, headers, raw, at])}
     const { update } = verifyWebhook(secrets, headers, Buffer.from(raw, 'base64'), { at: new Date(at * 1000) })
     process.stdout.write(update.borrower.journey.status)`,
  )
  assert.equal(app.run('app.js'), JSON.parse(Buffer.from(raw, 'base64').toString()).borrower.journey.status)
})

test('the packed packages for npm are found by Node and bundlers as they should be', async () => {
  for (const name of ['server-node', 'browser-sdk']) {
    const { messages } = await publint({ pkgDir: join(await buildPackagesOnce(), name), strict: true })
    assert.deepEqual(messages, [], name)
  }
})
