// Tests the adapter of MF Central against a test server: requests, signatures and errors.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { configFrom } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { Refusal } from '@lendloom/foundation/refusal'
import { keyFromJwk, newSigner, publicJwk } from '@lendloom/seal/jws'
import { platformEnvironment } from '@lendloom/tests/setup/platform'
import {
  casFaults,
  decryptFromAddress,
  signedRequest,
  verifyAndDecrypt,
} from '@lendloom/wire/registrar/encrypted-envelope'
import { settings } from '#platform/settings.ts'
import { mfCentral } from './mfcentral.ts'

const registrarSigner = newSigner('mfc-1')
const envelopeKey = { secret: 'sandbox-mfc-key-of-lendloom', iv: 'globalaesvectors' }
const acceptance = { reqId: 2469810, otpRef: 'c4558eff', userSubjectReference: '', clientRefNo: 'r-1' }
const defaults = {
  status: 200,
  content: acceptance as object,
  signer: registrarSigner,
  isPlainText: false,
  tokenStatus: 200,
}
/** How the test server responds; `respondWith` changes it. */
const policy = { ...defaults }
const requests: { path: string; authorization: string; clientId: string; content: unknown }[] = []
let clientKey: Parameters<typeof keyFromJwk>[0] = {}
let tokenCount = 0

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const server = createServer(async (request, response) => {
  const body = await bodyOf(request)
  const path = request.url ?? ''
  if (path === '/clients') {
    clientKey = JSON.parse(body).key
    return void response.writeHead(201).end(JSON.stringify({ key: publicJwk(registrarSigner) }))
  }
  if (path === '/oauth/token') {
    tokenCount += 1
    return void response
      .writeHead(policy.tokenStatus)
      .end(JSON.stringify({ access_token: `token-${tokenCount}`, expires_in: 2_591_999 }))
  }
  const { signature, request: text } = JSON.parse(body)
  const content = await verifyAndDecrypt(text, signature, envelopeKey, () => keyFromJwk(clientKey) ?? undefined)
  const { authorization = '', clientid } = request.headers
  requests.push({ path, authorization, clientId: String(clientid), content })
  // Simulates a token that MF Central revokes before its expiry.
  if (authorization === 'Bearer token-1') return void response.writeHead(401).end()
  const answer = await signedRequest(policy.content, envelopeKey, policy.signer)
  const responseBody = policy.isPlainText ? policy.content : { signature: answer.signature, response: answer.request }
  response.writeHead(policy.status).end(JSON.stringify(responseBody))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())

const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const config = configFrom(settings, {
  ...platformEnvironment('postgres://nowhere.example/none', 1),
  MFC_URL: url,
  MFC_PAGE_URL: 'https://pages.mfcentral.example',
})
const ctx = { config, log: quietLog, clock: () => new Date('2026-11-20T06:00:00Z') }
const request = {
  clientReference: 'r-1',
  pan: 'ABCPE1234F',
  mobile: '9876543210',
  returnUrl: 'https://app.example/back',
}
const respondWith = (change: Partial<typeof defaults>) => Object.assign(policy, defaults, change)
const fault = (message: string) => ({ status: 400, content: { errors: [{ code: 'error', message }] } })
const isUpstream = (error: unknown) => error instanceof Refusal && error.kind === 'upstream'

test('FIS12 §10.1: `begin` sends an encrypted request and returns a page that expires after 15 minutes', async () => {
  respondWith({})
  const started = await mfCentral.begin(ctx, request)
  assert.equal(started?.reference, '2469810 c4558eff r-1')
  assert.deepEqual(started?.expiresAt, new Date('2026-11-20T06:15:00Z'))
  const { path, authorization, clientId, content } = requests.at(-1) ?? assert.fail('no request')
  assert.equal(path, '/api/client/V1/newCasRequest')
  assert.equal(authorization, 'Bearer token-2')
  assert.equal(clientId, 'lendloom')
  const { pan, returnUrl: redirectUrl } = request
  const mobile = '+919876543210'
  assert.deepEqual(content, { clientRefNo: 'r-1', pan, pekrn: '', mobile, email: '', redirectUrl })
  const page = new URL(started?.url ?? '')
  assert.equal(page.origin + page.pathname, 'https://pages.mfcentral.example/api/auth/start')
  assert.deepEqual(decryptFromAddress(page.searchParams.get('data') ?? '', config.MFC_URL_KEY), {
    reqId: 2469810,
    otpRef: 'c4558eff',
    token: '',
    pan,
    email: '',
    mobile,
    clientRefNo: 'r-1',
    redirectUrl,
  })
  await mfCentral.begin(ctx, request)
  assert.equal(tokenCount, 2, 'the second request uses the cached token')
})

test('FIS12 §10.1: `fetch` converts each error message to a status, encrypted or not', async () => {
  for (const isPlainText of [false, true]) {
    respondWith({ ...fault(casFaults.unknownInvestor), isPlainText })
    assert.equal(await mfCentral.begin(ctx, request), null)
    for (const [message, report] of [
      [casFaults.pending, { status: 'PENDING' }],
      [casFaults.noFunds, { status: 'FAILED', reason: 'NO_FUNDS' }],
      [casFaults.declined, { status: 'FAILED', reason: 'DECLINED' }],
      [casFaults.expired, { status: 'FAILED', reason: 'EXPIRED' }],
    ] as const) {
      respondWith({ ...fault(message), isPlainText })
      assert.deepEqual(await mfCentral.fetch(ctx, '1 o r-1'), report)
    }
  }
  respondWith({ content: { reqId: 1, pan: 'ABCPE1234F', data: [] } })
  assert.deepEqual(await mfCentral.fetch(ctx, '1 o r-1'), {
    status: 'READY',
    statement: { reqId: 1, pan: 'ABCPE1234F', data: [] },
  })
  assert.deepEqual(requests.at(-1)?.content, { reqId: '1', otpRef: 'o', clientRefNo: 'r-1' })
})

test('FIS12 §10.1: a wrongly signed, unexpected or failed response is an upstream error', async () => {
  for (const change of [
    { signer: newSigner('mfc-1') },
    { content: { something: 'else' } },
    fault('Duplicate clientRefNo'),
    { status: 500, content: {} },
  ]) {
    respondWith(change)
    await assert.rejects(mfCentral.begin(ctx, request), isUpstream, JSON.stringify(change))
    await assert.rejects(mfCentral.fetch(ctx, '1 o r-1'), isUpstream, JSON.stringify(change))
  }
  const ctxWithoutToken = { ...ctx, config: { ...config } }
  respondWith({ tokenStatus: 401 })
  await assert.rejects(mfCentral.begin(ctxWithoutToken, request), isUpstream)
})

test('FIS12 §10.1: outside the sandbox the adapter counts as configured only with our own client secret', () => {
  assert.equal(mfCentral.isConfigured({ config }), true)
  assert.equal(mfCentral.isConfigured({ config: { ...config, SANDBOX: false } }), false)
  assert.equal(mfCentral.isConfigured({ config: { ...config, SANDBOX: false, MFC_CLIENT_SECRET: 'our own' } }), true)
})
