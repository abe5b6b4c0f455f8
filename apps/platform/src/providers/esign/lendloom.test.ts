// Tests e-sign over HTTP: the statuses of a request, and the signed file, which is the agreement with an added page.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { pdfOf } from '@lendloom/documents/pdf'
import { Refusal } from '@lendloom/foundation/refusal'
import { until } from '@lendloom/tests/setup/programs'
import { startProviders } from '@lendloom/tests/setup/providers'
import type { EsignStatusReport } from '#platform/providers/ports.ts'
import { lendloomEsign } from './lendloom.ts'

const providers = await startProviders()
const { ctx } = providers
const pdf = await pdfOf({
  title: 'Loan agreement',
  author: 'A lender',
  blocks: [{ kind: 'text', text: 'Everything that was agreed.' }],
  createdAt: new Date('2026-11-20T06:00:00Z'),
})
// The digits of the PAN select a fault of the sandbox's providers (docs/reference/sandbox.md); 1234 selects none.
const begin = (panDigits?: string) =>
  lendloomEsign.begin(ctx, { ...providers.newRequest(panDigits), pdf, title: 'Loan agreement 22 weeks' })
const isUpstream = (error: unknown) => error instanceof Refusal && error.kind === 'upstream'

test('D3 §6 ESIGN_UPDATED: a request is REQUESTED until the borrower signs, and then COMPLETED', async () => {
  const request = { ...providers.newRequest(), pdf, title: 'Loan agreement' }
  const { reference, url } = await lendloomEsign.begin(ctx, request)
  assert.equal(
    (await lendloomEsign.begin(ctx, request)).reference,
    reference,
    'a repeated `begin` returns the same request',
  )
  const before = await lendloomEsign.fetch(ctx, reference)
  assert.equal(before.status, 'REQUESTED')
  assert.equal(before.verified, false)
  assert.deepEqual(before.documents, [])
  await providers.choose(url, 'approve')
  const [callback] = await providers.waitForCallbacks(reference, 1)
  const { report, providerEventId } = lendloomEsign.verifyCallback(ctx, callback!.body, callback!.headers, new Date())
  assert.equal(providerEventId, callback!.id)
  assert.equal(report.status, 'COMPLETED')
  assert.equal(report.verified, true)
  assert.equal(report.reasonCode, null)
  assert.deepEqual(await lendloomEsign.fetch(ctx, reference), report)
})

test('D3 §6 ESIGN_UPDATED: the signed file is the submitted agreement with an added page', async () => {
  const { reference, url } = await begin()
  const page = await (await fetch(url)).text()
  assert.match(page, new RegExp(createHash('sha256').update(pdf).digest('hex').slice(0, 16)))
  const displayed = await fetch(`${url}?document`)
  assert.deepEqual(Buffer.from(await displayed.arrayBuffer()), pdf, 'the signer sees the submitted file')
  await providers.choose(url, 'approve')
  const [document] = (await lendloomEsign.fetch(ctx, reference)).documents
  assert.equal(document!.type, 'SIGNED_LOAN_AGREEMENT')
  const bytes = await readAll(reference, document!.fileId)
  assert.equal(createHash('sha256').update(bytes).digest('hex'), document!.sha256)
  const signed = await PDFDocument.load(bytes)
  assert.equal(signed.getPageCount(), (await PDFDocument.load(pdf)).getPageCount() + 1)
  assert.equal(signed.getTitle(), 'Loan agreement')
})

test('D3 §6 ESIGN_UPDATED: a FAILED or EXPIRED request has a reason, and CANCELLED is final', async () => {
  const endings: [panDigits: string, outcome: string, status: string, reason: string][] = [
    ['1234', 'decline', 'FAILED', 'SIGNER_DECLINED'],
    ['9121', 'approve', 'FAILED', 'SIGNER_NAME_MISMATCH'],
    ['1234', 'lapse', 'EXPIRED', 'LINK_EXPIRED'],
  ]
  for (const [panDigits, outcome, status, reason] of endings) {
    const { reference, url } = await begin(panDigits)
    await providers.choose(url, outcome)
    const report = await waitForStatus(reference, status)
    assert.equal(report.reasonCode, reason, panDigits)
    assert.equal(report.verified, false, panDigits)
    assert.deepEqual(report.documents, [], panDigits)
  }
  const { reference, url } = await begin()
  assert.equal((await lendloomEsign.cancel(ctx, reference)).status, 'CANCELLED')
  await providers.choose(url, 'approve')
  assert.equal((await lendloomEsign.fetch(ctx, reference)).status, 'CANCELLED', 'a cancelled request cannot be signed')
})

test('D3 §6 ESIGN_UPDATED: the borrower can retry a failed signature', async () => {
  const { reference, url } = await begin('9010')
  assert.match((await providers.choose(url, 'approve')).text, /Please try again/)
  await providers.choose(url, 'approve')
  assert.equal((await lendloomEsign.fetch(ctx, reference)).status, 'COMPLETED')
})

test('the provider rejects an invalid PDF, and a file id that it does not know', async () => {
  const invalidRequest = { ...providers.newRequest(), pdf: Buffer.from('%PDF-1.7 and then nothing'), title: 'x' }
  await assert.rejects(lendloomEsign.begin(ctx, invalidRequest), isUpstream)
  const headers = { authorization: `Bearer ${ctx.config.ESIGN_CREDENTIAL}`, 'content-type': 'application/json' }
  const person = { full_name: 'A', pan: 'ABCPV1234F', date_of_birth: '1991-04-17', mobile: '9876543210' }
  const body = JSON.stringify({
    client_reference: 'r',
    callback_url: 'http://127.0.0.1:1/',
    return_url: null,
    person,
    title: 't',
    file_id: '018f0000-0000-7000-8000-000000000000',
  })
  const answer = await fetch(`${providers.url}/verification/esign/requests`, { method: 'POST', headers, body })
  assert.equal(answer.status, 422)
  assert.deepEqual(((await answer.json()) as { error: { fields: unknown } }).error.fields, [
    { path: 'file_id', message: 'was not uploaded' },
  ])
})

const waitForStatus = (reference: string, status: string): Promise<EsignStatusReport> =>
  until(`${reference} ${status}`, async () => {
    const report = await lendloomEsign.fetch(ctx, reference)
    return report.status === status && report
  })

async function readAll(reference: string, fileId: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await lendloomEsign.download(ctx, reference, { fileId })) chunks.push(chunk)
  return Buffer.concat(chunks)
}
