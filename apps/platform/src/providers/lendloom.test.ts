// Tests a reference that the provider already has, with every adapter of our own interface.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pdfOf } from '@lendloom/documents/pdf'
import { Refusal } from '@lendloom/foundation/refusal'
import { until } from '@lendloom/tests/setup/programs'
import { startProviders } from '@lendloom/tests/setup/providers'
import { type Recording, startReplay } from '@lendloom/tests/setup/replay'
import { lendloomStatement } from './bank-statement/lendloom.ts'
import { lendloomBureau } from './bureau/lendloom.ts'
import { lendloomEsign } from './esign/lendloom.ts'
import { lendloomKyc } from './kyc/lendloom.ts'
import { lendloomMandate } from './mandate/lendloom.ts'
import type { KycMode, ProviderRequest, StartedRequest } from './ports.ts'
import type { ProviderContext } from './provider-client.ts'

const providers = await startProviders(0)
const { ctx } = providers
const agreementOf = (text: string) =>
  pdfOf({
    title: 'Loan agreement',
    author: 'A lender',
    blocks: [{ kind: 'text', text }],
    createdAt: new Date('2026-11-20T06:00:00Z'),
  })
const pdf = await agreementOf('Everything that was agreed.')
const account = { holderName: 'Asha Verma', accountNumber: '50100123451234', ifsc: 'HDFC0001234' }
const kycOf = (request: ProviderRequest, mode: KycMode = 'STANDARD') => lendloomKyc.begin(ctx, { ...request, mode })
const esignOf = (request: ProviderRequest, bytes = pdf) =>
  lendloomEsign.begin(ctx, { ...request, pdf: bytes, title: 'Loan agreement' })
const mandateOf = (request: ProviderRequest, maximumPaise = 6_000_00n, validFrom = '2026-11-27') =>
  lendloomMandate.begin(ctx, {
    ...request,
    account: { ...account, type: 'CURRENT' },
    maximumPaise,
    frequency: 'WEEKLY',
    validFrom,
    validUntil: '2077-06-30',
  })
const statementOf = (request: ProviderRequest) =>
  lendloomStatement.begin(ctx, { ...request, account: { ...account, accountType: 'SAVINGS', bankName: 'HDFC' } })

const starts: [kind: string, begin: (request: ProviderRequest) => Promise<StartedRequest>][] = [
  ['kyc', kycOf],
  ['esign', esignOf],
  ['mandate', mandateOf],
  ['statement', statementOf],
]

/** The references of the provider's requests that begin with this one, oldest first. */
const referencesAt = async (kind: string, prefix: string): Promise<string[]> =>
  (
    await providers.db<{ clientReference: string }>`
      select client_reference from verification
      where kind = ${kind} and (client_reference = ${prefix} or client_reference like ${`${prefix}.%`}) order by created_at`
  ).map(({ clientReference }) => clientReference)

for (const [kind, begin] of starts)
  test(`D3 §6: a ${kind} request with another return address is the one that the provider has`, async () => {
    const request = providers.newRequest()
    const first = await begin(request)
    const again = await begin({ ...request, returnUrl: `${request.returnUrl}/resealed` })
    assert.equal(again.reference, first.reference)
    assert.equal(again.url, first.url)
    assert.deepEqual(await referencesAt(kind, request.clientReference), [request.clientReference])
  })

for (const [kind, begin] of starts)
  test(`D3 §6: a ${kind} request for another person is never the one that the provider has`, async () => {
    const request = providers.newRequest()
    const first = await begin(request)
    const other = await begin({ ...request, person: { ...request.person, fullName: 'Ravi Rao' } })
    assert.notEqual(other.reference, first.reference)
    assert.notEqual(other.url, first.url)
    assert.equal((await referencesAt(kind, request.clientReference)).length, 2)
  })

test('D3 §6: a KYC in another mode, another agreement and another limit are new requests', async () => {
  const kyc = providers.newRequest()
  const standard = await kycOf(kyc)
  assert.notEqual((await kycOf(kyc, 'VIDEO_AND_MANUAL_REVIEW')).reference, standard.reference)
  assert.equal((await referencesAt('kyc', kyc.clientReference)).length, 2)

  const esign = providers.newRequest()
  const agreement = await esignOf(esign)
  const other = await esignOf(esign, await agreementOf('Something else was agreed.'))
  assert.notEqual(other.reference, agreement.reference)
  assert.equal((await referencesAt('esign', esign.clientReference)).length, 2)

  const mandate = providers.newRequest()
  const registered = await mandateOf(mandate)
  await providers.choose(registered.url, 'approve')
  await until('the bank accepted the mandate', async () => {
    const { status } = await lendloomMandate.fetch(ctx, registered.reference)
    return status === 'ACTIVE'
  })
  assert.equal((await mandateOf(mandate, 6_000_00n, '2026-11-28')).reference, registered.reference, 'a day later')
  assert.notEqual((await mandateOf(mandate, 7_000_00n)).reference, registered.reference)
  assert.equal((await referencesAt('mandate', mandate.clientReference)).length, 2)
})

test('D3 §2.3 bureau: a report that was pulled with another time of consent is not pulled again', async () => {
  const { clientReference, person } = providers.newRequest()
  const pull = { clientReference, person, consentedAt: new Date('2026-11-20T06:00:00Z') }
  const first = await lendloomBureau.pull(ctx, pull)
  const again = await lendloomBureau.pull(ctx, { ...pull, consentedAt: new Date('2026-11-20T06:05:00Z') })
  assert.equal(again.reference, first.reference)
})

/** A provider of our interface that may lack the look-up by reference. */
const vendor = await startReplay()
const vendorContext: ProviderContext = { ...ctx, config: { ...ctx.config, KYC_URL: vendor.origin } }
const started: Recording['response'] = {
  status: 201,
  body: {
    id: '018f0000-0000-7000-8000-000000000001',
    client_reference: '{{client_reference}}',
    mode: 'DIGILOCKER',
    state: 'LINK_SENT',
    reason_code: null,
    created_at: '2026-11-20T06:00:00.000Z',
    updated_at: '2026-11-20T06:00:00.000Z',
    page_url: 'http://127.0.0.1/page',
    page_expires_at: '2026-11-20T07:00:00.000Z',
    files: [],
  },
}
const post = (response: Recording['response']): Recording => ({
  request: {
    method: 'POST',
    path: '/requests',
    headers: {},
    body: {
      client_reference: '*',
      callback_url: '*',
      return_url: '*',
      person: { full_name: '*', pan: '*', date_of_birth: '*', mobile: '*' },
      mode: 'DIGILOCKER',
    },
  },
  response,
})
const lookUp = (response: Recording['response']): Recording => ({
  request: { method: 'GET', path: '/requests', query: { client_reference: '*' }, headers: {} },
  response,
})
const refusal = (status: number, code: string): Recording['response'] => ({
  status,
  body: { error: { code, message: 'refused' } },
})
const taken = post(refusal(409, 'REFERENCE_REUSED'))
const beginAtVendor = (request: ProviderRequest) => lendloomKyc.begin(vendorContext, { ...request, mode: 'STANDARD' })
const isUpstream = (error: unknown) => error instanceof Refusal && error.kind === 'upstream'

test('D3 §6: a provider that cannot look a reference up gets the request once more, under a new reference', async () => {
  const withoutRequest = { ...started, status: 200 }
  for (const answer of [refusal(404, 'NOT_FOUND'), refusal(405, 'WRONG_METHOD'), withoutRequest]) {
    const request = providers.newRequest()
    vendor.expect(taken, lookUp(answer), post(started))
    await beginAtVendor(request)
    vendor.check()
    const { client_reference } = JSON.parse(vendor.requests.at(-1)!.raw.toString('utf8'))
    assert.match(client_reference, new RegExp(`^${request.clientReference}\\.[0-9a-f]{6}$`))
  }
})

test('D3 §6: a second conflict, a failed look-up and another conflict are upstream errors, without a loop', async () => {
  vendor.expect(taken, lookUp(refusal(404, 'NOT_FOUND')), taken)
  await assert.rejects(beginAtVendor(providers.newRequest()), isUpstream)
  vendor.check()
  // What became of the reference is unknown, so nothing new is begun.
  vendor.expect(taken, lookUp(refusal(503, 'UNAVAILABLE')))
  await assert.rejects(beginAtVendor(providers.newRequest()), isUpstream)
  vendor.check()
  const { body } = started
  vendor.expect(taken, lookUp({ status: 200, body: { ...(body as object), request: { client_reference: 'another' } } }))
  await assert.rejects(beginAtVendor(providers.newRequest()), isUpstream, 'an answer about another request')
  vendor.check()
  vendor.expect(post(refusal(409, 'WRONG_STATE')))
  await assert.rejects(beginAtVendor(providers.newRequest()), isUpstream, 'a conflict about something else')
  vendor.check()
})
