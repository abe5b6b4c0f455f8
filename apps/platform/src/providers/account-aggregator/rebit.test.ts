// Tests that the ReBIT adapter accepts the status of a consent only from a validly signed response.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { configFrom } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { Refusal } from '@lendloom/foundation/refusal'
import { compactJws, newSigner, publicJwk } from '@lendloom/seal/jws'
import { platformEnvironment } from '@lendloom/tests/setup/platform'
import { signedBody } from '@lendloom/wire/aggregator/consent-api'
import { settings } from '#platform/settings.ts'
import { rebitAggregator } from './rebit.ts'

const consent = {
  consentStart: '2026-11-20T06:00:00Z',
  consentExpiry: '2026-12-20T06:00:00Z',
  consentMode: 'STORE',
  fetchType: 'ONETIME',
  consentTypes: ['SUMMARY'],
  fiTypes: ['DEPOSIT'],
  DataConsumer: { id: 'lender.example' },
  Customer: { id: '9876543210@aa' },
  Purpose: { code: '103', text: 'underwriting' },
  FIDataRange: { from: '2025-11-20T06:00:00Z', to: '2026-11-20T06:00:00Z' },
  DataLife: { unit: 'MONTH', value: 1 },
  Frequency: { unit: 'MONTH', value: 1 },
  Accounts: [{ fiType: 'DEPOSIT', fipId: 'bank', accType: 'SAVINGS', linkRefNumber: 'r', maskedAccNumber: 'XX1' }],
}

let aggregatorSigner = newSigner('aa-1')
/** Another private key with the same key id. */
const otherSigner = newSigner('aa-1')
/** How the test server responds; `fetchConsentWith` changes it. */
const behaviour = {
  status: 'APPROVED',
  artefact: 'ACTIVE',
  responseSigner: aggregatorSigner,
  consentSigner: aggregatorSigner,
  httpStatus: 200,
  hasSignature: true,
}
const defaults = { ...behaviour }

const server = createServer(async (request, response) => {
  const path = request.url!
  if (path.startsWith('/registry/'))
    return void response.end(
      JSON.stringify({
        entityinfo: {
          id: 'aa.test',
          name: 'AA',
          baseurl: base(),
          webviewurl: `${base()}/web`,
          keys: [publicJwk(aggregatorSigner)],
        },
      }),
    )
  const content =
    behaviour.httpStatus !== 200
      ? { errorCode: behaviour.httpStatus === 400 ? 'InvalidConsentHandle' : 'InternalError' }
      : path.endsWith('/handle')
        ? { ConsentHandle: 'h', ConsentStatus: { id: 'c-1', status: behaviour.status } }
        : {
            consentId: 'c-1',
            status: behaviour.artefact,
            createTimestamp: '2026-11-20T06:00:00Z',
            signedConsent: await compactJws(consent, behaviour.consentSigner),
          }
  const { body, signature } = await signedBody(content, { txnId: 't', at: new Date() }, behaviour.responseSigner)
  response.writeHead(behaviour.httpStatus, behaviour.hasSignature ? { 'x-jws-signature': signature } : {}).end(body)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const contextAt = (registry: string) => ({
  config: configFrom(settings, {
    ...platformEnvironment('postgres://unused', 1),
    AA_REGISTRY_URL: registry,
    AA_ID: 'aa.test',
  }),
  clock: () => new Date(),
  log: quietLog,
})
const ctx = contextAt(`${base()}/registry`)
/** Fetches the status of a consent from a test server with the changed behaviour. */
const fetchConsentWith = (change: Partial<typeof behaviour> = {}) => {
  Object.assign(behaviour, defaults, change)
  return rebitAggregator.fetchConsentStatus(ctx, 'h')
}
const isUpstream = (error: unknown) => error instanceof Refusal && error.kind === 'upstream'

test('D2 §2.2: the report of an approval states whether the artefact’s signature is valid', async () => {
  const approved = { status: 'APPROVED', consentId: 'c-1', artefact: { status: 'ACTIVE', isSignatureValid: true } }
  assert.deepEqual(await fetchConsentWith(), approved)
  assert.deepEqual(await fetchConsentWith({ consentSigner: otherSigner }), {
    ...approved,
    artefact: { status: 'ACTIVE', isSignatureValid: false },
  })
  assert.deepEqual(await fetchConsentWith({ artefact: 'REVOKED' }), {
    ...approved,
    artefact: { status: 'REVOKED', isSignatureValid: true },
  })
  for (const status of ['PENDING', 'REJECTED', 'EXPIRED', 'FAILED'])
    assert.deepEqual(await fetchConsentWith({ status }), { status, consentId: 'c-1', artefact: null })
})

test('D2 §2.2: a consent handle that the aggregator does not know is FAILED', async () => {
  assert.deepEqual(await fetchConsentWith({ httpStatus: 400 }), { status: 'FAILED', consentId: null, artefact: null })
})

test('D2 §7: an unsigned, wrongly signed or failed response, or an unknown status, is an upstream error', async () => {
  for (const change of [
    { hasSignature: false },
    { responseSigner: otherSigner },
    { httpStatus: 500 },
    { status: 'UNKNOWN_STATUS' },
  ])
    await assert.rejects(fetchConsentWith(change), isUpstream, JSON.stringify(change))
  await assert.rejects(rebitAggregator.fetchConsentStatus(contextAt('http://127.0.0.1:1/registry'), 'h'), isUpstream)
})

test('FIS12 §7.8: an unknown key in a response makes the adapter reload the aggregator’s keys', async () => {
  await fetchConsentWith()
  aggregatorSigner = newSigner('aa-2')
  const reloaded = await fetchConsentWith({ responseSigner: aggregatorSigner, consentSigner: aggregatorSigner })
  assert.deepEqual(reloaded.artefact, { status: 'ACTIVE', isSignatureValid: true })
})
