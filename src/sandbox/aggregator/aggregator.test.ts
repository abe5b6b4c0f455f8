// The sandbox's account aggregator: what lenders may ask for, and how every wrong call of its interface is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConsentDetail, type EntityReply, signedBody } from '#contract/aggregator/consent.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { newSigner, publicJwk } from '#kit/crypto/jws.ts'
import type { Static } from '#kit/http/schema.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { testDatabase } from '#test/setup/database.ts'
import { openSandbox } from '#test/setup/sandbox/open-sandbox.ts'
import { consentFault, waitsUntil } from './consent.ts'

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

test('FIS12 §7.8: underwriting sees fourteen months at most, for a month at most; monitoring may last longer', () => {
  assert.equal(consentFault(detail(), at), null)
  const codeOf = (change: Partial<ConsentDetail>) => consentFault(detail(change), at)?.errorCode ?? null
  const days = (from: number) => ({ FIDataRange: { from: daysAfter(at, from).toISOString(), to: at.toISOString() } })
  assert.equal(codeOf(days(-435)), 'InvalidDateRange')
  assert.equal(codeOf(days(1)), 'InvalidDateRange')
  const long = { consentExpiry: daysAfter(at, 300).toISOString() }
  assert.equal(codeOf(long), 'InvalidConsentDetail')
  assert.equal(codeOf({ ...long, Purpose: { code: '104', text: 'monitoring' } }), null)
  assert.equal(codeOf({ consentExpiry: at.toISOString() }), 'InvalidConsentDetail')
  assert.equal(codeOf({ Purpose: { code: '101', text: 'wealth' } }), 'InvalidConsentPurpose')
  assert.equal(codeOf({ Customer: { id: '9876543210@other-aa' } }), 'InvalidCustomerAddress')
})

test('FIS12 §7.8: a request waits a day, and no longer than its consent', () => {
  assert.deepEqual(waitsUntil(detail(), at), daysAfter(at, 1))
  const soon = new Date(at.getTime() + 20_000)
  assert.deepEqual(waitsUntil(detail({ consentExpiry: soon.toISOString() }), at), soon)
})

const signer = newSigner('lsp-1')
const entity = { id: 'lsp.test.example', type: 'LSP', name: 'A provider', apiKey: 'key-1', secret: 's' }

const enrol = (more: object = {}) =>
  fetch(`${url}/aggregator/registry/entities`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...entity, keys: [publicJwk(signer)], ...more }),
  })

interface Ask {
  path?: string
  content?: object
  key?: string
  by?: typeof signer
  at?: Date
  spoil?(body: string): string
}

async function ask({ path = '/Consent/handle', content = { ConsentHandle: uuidv4() }, ...given }: Ask = {}) {
  const { key = entity.apiKey, by = signer, at: when = new Date(), spoil = (body: string) => body } = given
  const { body, signature } = await signedBody(content, { txnId: uuidv4(), at: when }, by)
  const headers = { 'content-type': 'application/json', client_api_key: key, 'x-jws-signature': signature }
  const answer = await fetch(`${url}/aggregator/api${path}`, { method: 'POST', headers, body: spoil(body) })
  assert.ok(answer.headers.get('x-jws-signature'), 'every answer is signed')
  return [answer.status, ((await answer.json()) as { errorCode?: string }).errorCode]
}

test('FIS12 §7.8: the directory knows the aggregator with its addresses and keys, and nobody else', async () => {
  const look = async (path: string) => fetch(`${url}/aggregator/registry/entityInfo/${path}`)
  const found = await look('AA/aa.sandbox.example')
  const { entityinfo } = (await found.json()) as Static<typeof EntityReply>
  assert.deepEqual([entityinfo.baseurl, entityinfo.webviewurl], [`${url}/aggregator/api`, `${url}/aggregator/web`])
  assert.equal(entityinfo.keys[0]!.kty, 'RSA')
  assert.ok(!('d' in entityinfo.keys[0]!), 'no private half')
  for (const path of ['AA/nobody', 'LSP/aa.sandbox.example']) assert.equal((await look(path)).status, 404)
})

test('FIS12 §7.8: an unknown caller, a wrong signature, another version and an old body are refused by their codes', async () => {
  assert.deepEqual(await ask(), [401, 'Unauthorized'])
  assert.equal((await enrol()).status, 201)
  assert.deepEqual(await ask(), [400, 'InvalidConsentHandle'])
  assert.deepEqual(await ask({ content: { ConsentHandle: 'x' } }), [400, 'InvalidConsentHandle'])
  assert.deepEqual(await ask({ path: '/Consent/fetch', content: { consentId: uuidv4() } }), [400, 'InvalidConsentId'])
  assert.deepEqual(await ask({ by: newSigner('lsp-1') }), [401, 'SignatureDoesNotMatch'])
  assert.deepEqual(await ask({ spoil: (body) => `${body} ` }), [401, 'SignatureDoesNotMatch'])
  assert.deepEqual(await ask({ content: { ver: '1.1.2', ConsentHandle: uuidv4() } }), [404, 'NoSuchVersion'])
  assert.deepEqual(await ask({ content: {} }), [400, 'InvalidRequest'])
  assert.deepEqual(await ask({ at: new Date(Date.now() - 16 * 60_000) }), [400, 'InvalidRequest'])
})

test('FIS12 §7.8: service providers look, they neither ask for consents nor collect data', async () => {
  await enrol()
  assert.deepEqual(await ask({ path: '/Consent', content: { ConsentDetail: detail() } }), [403, 'Unauthorized'])
  assert.deepEqual(await ask({ path: '/FI/fetch', content: { sessionId: uuidv4() } }), [400, 'InvalidSessionId'])
})

test('FIS12 §7.8: nobody takes the place of a party that is known; a new key of its own is added', async () => {
  await enrol()
  assert.equal((await enrol({ apiKey: 'another' })).status, 403)
  const second = newSigner('lsp-2')
  assert.equal((await enrol({ keys: [publicJwk(second)] })).status, 201)
  assert.deepEqual(await ask({ by: second }), [400, 'InvalidConsentHandle'])
  assert.deepEqual(await ask(), [400, 'InvalidConsentHandle'])
})
