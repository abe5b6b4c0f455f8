// Tests KYC over HTTP: sessions, signed callbacks and look-ups.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { until } from '@lendloom/tests/setup/programs'
import { startProviders } from '@lendloom/tests/setup/providers'
import type { KycMode, KycStatusReport } from '#platform/providers/ports.ts'
import type { DatedReport } from '#platform/providers/status-report.ts'
import { lendloomKyc } from './lendloom.ts'

const providers = await startProviders()
const { ctx } = providers
// The digits of the PAN select a fault of the sandbox's providers (docs/reference/sandbox.md); 1234 selects none.
const begin = (mode: KycMode, panDigits?: string) =>
  lendloomKyc.begin(ctx, { ...providers.newRequest(panDigits), mode })
const isRefused = (kind: string) => (error: unknown) => error instanceof Refusal && error.kind === kind

async function receiveReports(reference: string, count: number): Promise<DatedReport<KycStatusReport>[]> {
  const received = await providers.waitForCallbacks(reference, count)
  return received.map(({ body, headers }) => lendloomKyc.verifyCallback(ctx, body, headers, new Date()).report)
}

const waitForStatus = (reference: string, status: string): Promise<KycStatusReport> =>
  until(`${reference} ${status}`, async () => {
    const report = await lendloomKyc.fetch(ctx, reference)
    return report.status === status && report
  })

test('D3 §1.1: a new session is REQUESTED, and a repeated request returns the same session', async () => {
  const request = { ...providers.newRequest(), mode: 'STANDARD' as const }
  const session = await lendloomKyc.begin(ctx, request)
  assert.deepEqual(await lendloomKyc.begin(ctx, request), session)
  const report = await lendloomKyc.fetch(ctx, session.reference)
  assert.equal(report.status, 'REQUESTED')
  assert.equal(report.verified, false)
  assert.equal(report.provider, 'SANDBOX_KYC')
  assert.deepEqual(report.documents, [])
  const otherPerson = { ...request, person: { ...request.person, fullName: 'Ravi Rao' } }
  const other = await lendloomKyc.begin(ctx, otherPerson)
  assert.notEqual(other.reference, session.reference, 'never the session of another person')
})

test('D3 §6 KYC_UPDATED: callback and look-up report STANDARD KYC as APPROVED, without a review', async () => {
  const { reference, url } = await begin('STANDARD')
  const { status, location } = await providers.choose(url, 'approve')
  assert.equal(status, 303)
  assert.match(location!, /\/back$/)
  const [report] = await receiveReports(reference, 1)
  assert.equal(report!.status, 'APPROVED')
  assert.equal(report!.verified, true)
  assert.equal(report!.reasonCode, null)
  assert.deepEqual(await lendloomKyc.fetch(ctx, reference), report)
  assert.deepEqual(report!.documents.map(({ type }) => type).sort(), [
    'AADHAAR_VERIFICATION_PDF',
    'KYC_REPORT',
    'PAN_VERIFICATION_PDF',
  ])
})

test('D3 §1.1: KYC by video call is REVIEW_READY and unverified until the official approves the call', async () => {
  const { reference, url } = await begin('VIDEO_AND_MANUAL_REVIEW')
  await providers.choose(url, 'approve')
  const [review, approved] = await receiveReports(reference, 2)
  assert.equal(review!.status, 'REVIEW_READY')
  assert.equal(review!.verified, false)
  assert.deepEqual(review!.documents.map(({ type }) => type).sort(), [
    'AADHAAR_VERIFICATION_PDF',
    'PAN_VERIFICATION_PDF',
    'VKYC_RECORDING',
  ])
  assert.equal(approved!.status, 'APPROVED')
  assert.equal(approved!.verified, true)
  assert.ok(approved!.providerUpdatedAt > review!.providerUpdatedAt)
  assert.equal(approved!.documents.length, 4)
  const recording = approved!.documents.find(({ type }) => type === 'VKYC_RECORDING')!
  const bytes = await readAll(reference, recording.fileId)
  assert.equal(bytes.length, recording.sizeBytes)
  assert.equal(createHash('sha256').update(bytes).digest('hex'), recording.sha256)
  assert.equal(bytes.toString('latin1', 4, 12), 'ftypisom', 'the recording is an MP4 file')
})

test("D3 §6 KYC_UPDATED: failed KYC has the provider's reason code and is unverified", async () => {
  const endings: [mode: KycMode, panDigits: string, outcome: string, status: string, reason: string][] = [
    ['STANDARD', '1234', 'decline', 'REJECTED', 'CONSENT_DENIED'],
    ['STANDARD', '9006', 'approve', 'REJECTED', 'CUSTOMER_DETAIL_MISMATCH'],
    ['VIDEO_AND_MANUAL_REVIEW', '9006', 'approve', 'REJECTED', 'CUSTOMER_DETAIL_MISMATCH'],
    ['VIDEO_AND_MANUAL_REVIEW', '1234', 'hang-up', 'TERMINATED', 'USER_LEFT_CALL'],
    ['VIDEO_AND_MANUAL_REVIEW', '9101', 'approve', 'TERMINATED', 'CALL_DROPPED'],
    ['STANDARD', '1234', 'lapse', 'EXPIRED', 'LINK_EXPIRED'],
  ]
  for (const [mode, panDigits, outcome, status, reason] of endings) {
    const { reference, url } = await begin(mode, panDigits)
    await providers.choose(url, outcome)
    const report = await waitForStatus(reference, status)
    assert.equal(report.reasonCode, reason, `${mode} ${panDigits} ${outcome}`)
    assert.equal(report.verified, false, `${mode} ${panDigits} ${outcome}`)
  }
})

test('D3 §1.1: the borrower can retry a failed attempt on the same page', async () => {
  const { reference, url } = await begin('STANDARD', '9007')
  const first = await providers.choose(url, 'approve')
  assert.equal(first.status, 200)
  assert.match(first.text, /Please try again/)
  assert.equal((await lendloomKyc.fetch(ctx, reference)).status, 'REQUESTED')
  assert.equal((await providers.choose(url, 'approve')).status, 303)
  assert.equal((await lendloomKyc.fetch(ctx, reference)).status, 'APPROVED')
})

test('D3 §6: KYC is EXPIRED when the borrower does not use the link in time', async () => {
  const { reference } = await lendloomKyc.begin(ctx, { ...providers.newRequest(), mode: 'STANDARD', pageSeconds: 1 })
  const [report] = await receiveReports(reference, 1)
  assert.equal(report!.status, 'EXPIRED')
  assert.equal(report!.reasonCode, 'LINK_EXPIRED')
})

test('D3 §6 event rule 1: the borrower cannot change the result of KYC afterwards', async () => {
  const { reference, url } = await begin('STANDARD')
  await providers.choose(url, 'approve')
  await providers.choose(url, 'decline')
  assert.equal((await lendloomKyc.fetch(ctx, reference)).status, 'APPROVED')
})

test('an unknown reference or file is absent, and a wrong credential or address is an upstream error', async () => {
  const unknownId = '018f0000-0000-7000-8000-000000000000'
  await assert.rejects(lendloomKyc.fetch(ctx, unknownId), isRefused('absent'))
  const { reference } = await begin('STANDARD')
  await assert.rejects(lendloomKyc.download(ctx, reference, { fileId: unknownId }), isRefused('absent'))
  const wrongCredential = { ...ctx, config: { ...ctx.config, KYC_CREDENTIAL: ctx.config.MANDATE_CREDENTIAL } }
  await assert.rejects(lendloomKyc.fetch(wrongCredential, reference), isRefused('upstream'))
  const wrongAddress = { ...ctx, config: { ...ctx.config, KYC_URL: 'http://127.0.0.1:1' } }
  await assert.rejects(lendloomKyc.fetch(wrongAddress, reference), isRefused('upstream'))
})

async function readAll(reference: string, fileId: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await lendloomKyc.download(ctx, reference, { fileId })) chunks.push(chunk)
  return Buffer.concat(chunks)
}
