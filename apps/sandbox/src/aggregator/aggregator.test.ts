// The sandbox's account aggregator: limits of consent requests, and refusals of its API.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '@lendloom/foundation/clock'
import type { Static } from '@lendloom/foundation/schema'
import { uuidv4 } from '@lendloom/seal/id'
import { newSigner, publicJwk } from '@lendloom/seal/jws'
import { testDatabase } from '@lendloom/tests/setup/database'
import { openSandbox } from '@lendloom/tests/setup/sandbox/open-sandbox'
import { type ConsentDetail, type EntityReply, signedBody } from '@lendloom/wire/aggregator/consent-api'
import { veil } from '@lendloom/wire/aggregator/redirect-fields'
import { consentFault, decisionDeadline } from './consent.ts'

const { url } = await openSandbox(() => testDatabase('sandbox'))
const at = new Date('2026-11-20T06:00:00Z')
const detail = (change: Partial<ConsentDetail> = {}): ConsentDetail => ({
  consentStart: at.toISOString(),
  consentExpiry: daysAfter(at, 30).toISOString(),
  consentMode: 'STORE',
  fetchType: 'ONETIME',
  consentTypes: ['SUMMARY'],
  fiTypes: ['DEPOSIT'],
  DataConsumer: { id: 'lender.example', type: 'FIU' },
  Customer: { id: '9876543210@sandbox-aa' },
  Purpose: { code: '103', text: 'underwriting' },
  FIDataRange: { from: daysAfter(at, -365).toISOString(), to: at.toISOString() },
  DataLife: { unit: 'MONTH', value: 1 },
  Frequency: { unit: 'MONTH', value: 1 },
  ...change,
})

test('FIS12 §7.8: a consent request beyond the limits of its purpose gets an error code', () => {
  assert.equal(consentFault(detail(), at), null)
  const codeOf = (change: Partial<ConsentDetail>) => consentFault(detail(change), at)?.errorCode ?? null
  const dataSince = (from: number) => ({
    FIDataRange: { from: daysAfter(at, from).toISOString(), to: at.toISOString() },
  })
  assert.equal(codeOf(dataSince(-435)), 'InvalidDateRange')
  assert.equal(codeOf(dataSince(1)), 'InvalidDateRange')
  const long = { consentExpiry: daysAfter(at, 300).toISOString() }
  assert.equal(codeOf(long), 'InvalidConsentDetail')
  assert.equal(codeOf({ ...long, Purpose: { code: '104', text: 'monitoring' } }), null)
  assert.equal(codeOf({ consentExpiry: at.toISOString() }), 'InvalidConsentDetail')
  assert.equal(codeOf({ Purpose: { code: '101', text: 'wealth' } }), 'InvalidConsentPurpose')
  assert.equal(codeOf({ Customer: { id: '9876543210@other-aa' } }), 'InvalidCustomerAddress')
})

test('FIS12 §7.8: an undecided request expires after a day, or earlier with its consent', () => {
  assert.deepEqual(decisionDeadline(detail(), at), daysAfter(at, 1))
  const soon = new Date(at.getTime() + 20_000)
  assert.deepEqual(decisionDeadline(detail({ consentExpiry: soon.toISOString() }), at), soon)
})

const signer = newSigner('lsp-1')
const entity = { id: 'lsp.test.example', type: 'LSP', name: 'A provider', apiKey: 'key-1', secret: 's' }

const enrol = (more: object = {}) =>
  fetch(`${url}/aggregator/registry/entities`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...entity, keys: [publicJwk(signer)], ...more }),
  })

interface ApiRequest {
  path?: string
  content?: object
  key?: string
  by?: typeof signer
  at?: Date
  tamper?(body: string): string
}

async function callApi({ path = '/Consent/handle', content = { ConsentHandle: uuidv4() }, ...rest }: ApiRequest = {}) {
  const {
    key = entity.apiKey,
    by: signingKey = signer,
    at: sentAt = new Date(),
    tamper = (body: string) => body,
  } = rest
  const { body, signature } = await signedBody(content, { txnId: uuidv4(), at: sentAt }, signingKey)
  const headers = { 'content-type': 'application/json', client_api_key: key, 'x-jws-signature': signature }
  const answer = await fetch(`${url}/aggregator/api${path}`, { method: 'POST', headers, body: tamper(body) })
  assert.ok(answer.headers.get('x-jws-signature'), 'every answer is signed')
  return { status: answer.status, errorCode: ((await answer.json()) as { errorCode?: string }).errorCode }
}

test('FIS12 §7.8: the directory returns addresses and public keys, and 404 for unknown parties', async () => {
  const lookUp = async (path: string) => fetch(`${url}/aggregator/registry/entityInfo/${path}`)
  const response = await lookUp('AA/aa.sandbox.example')
  const { entityinfo } = (await response.json()) as Static<typeof EntityReply>
  assert.equal(entityinfo.baseurl, `${url}/aggregator/api`)
  assert.equal(entityinfo.webviewurl, `${url}/aggregator/web`)
  assert.equal(entityinfo.keys[0]!.kty, 'RSA')
  assert.ok(!('d' in entityinfo.keys[0]!), 'no private key')
  for (const path of ['AA/nobody', 'LSP/aa.sandbox.example']) assert.equal((await lookUp(path)).status, 404)
})

test('FIS12 §7.8: a link whose requestor contains NUL is refused', async () => {
  const query = new URLSearchParams({ fi: veil('a\u0000b', '20112026'), reqdate: '20112026' })
  const response = await fetch(`${url}/aggregator/web?${query}`)
  assert.equal(((await response.json()) as { message: { ack: { status: string } } }).message.ack.status, 'NACK')
})

test('FIS12 §7.8: unknown callers, wrong signatures, unsupported versions and old bodies get error codes', async () => {
  assert.deepEqual(await callApi(), { status: 401, errorCode: 'Unauthorized' })
  assert.equal((await enrol()).status, 201)
  assert.deepEqual(await callApi(), { status: 400, errorCode: 'InvalidConsentHandle' })
  assert.deepEqual(await callApi({ content: { ConsentHandle: 'x' } }), {
    status: 400,
    errorCode: 'InvalidConsentHandle',
  })
  assert.deepEqual(await callApi({ path: '/Consent/fetch', content: { consentId: uuidv4() } }), {
    status: 400,
    errorCode: 'InvalidConsentId',
  })
  assert.deepEqual(await callApi({ by: newSigner('lsp-1') }), { status: 401, errorCode: 'SignatureDoesNotMatch' })
  assert.deepEqual(await callApi({ tamper: (body) => `${body} ` }), { status: 401, errorCode: 'SignatureDoesNotMatch' })
  assert.deepEqual(await callApi({ content: { ver: '1.1.2', ConsentHandle: uuidv4() } }), {
    status: 404,
    errorCode: 'NoSuchVersion',
  })
  assert.deepEqual(await callApi({ content: {} }), { status: 400, errorCode: 'InvalidRequest' })
  assert.deepEqual(await callApi({ at: new Date(Date.now() - 16 * 60_000) }), {
    status: 400,
    errorCode: 'InvalidRequest',
  })
})

test('FIS12 §7.8: a service provider can neither request consents nor collect data', async () => {
  await enrol()
  assert.deepEqual(await callApi({ path: '/Consent', content: { ConsentDetail: detail() } }), {
    status: 403,
    errorCode: 'Unauthorized',
  })
  assert.deepEqual(await callApi({ path: '/FI/fetch', content: { sessionId: uuidv4() } }), {
    status: 400,
    errorCode: 'InvalidSessionId',
  })
})

test('FIS12 §7.8: enrolling a known party requires its API key, and adds a new signing key', async () => {
  await enrol()
  assert.equal((await enrol({ apiKey: 'another' })).status, 403)
  const second = newSigner('lsp-2')
  assert.equal((await enrol({ keys: [publicJwk(second)] })).status, 201)
  assert.deepEqual(await callApi({ by: second }), { status: 400, errorCode: 'InvalidConsentHandle' })
  assert.deepEqual(await callApi(), { status: 400, errorCode: 'InvalidConsentHandle' })
})
