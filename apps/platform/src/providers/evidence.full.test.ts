// Tests over HTTP how the adapters get the evidence for a lead: bureau reports and bank statements (D3 §2.3).
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { pdfOf } from '@lendloom/documents/pdf'
import { Refusal } from '@lendloom/foundation/refusal'
import { until } from '@lendloom/tests/setup/programs'
import { startProviders } from '@lendloom/tests/setup/providers'
import { lendloomStatement } from './bank-statement/lendloom.ts'
import type { StatementStatusReport } from './bank-statement/port.ts'
import { lendloomBureau } from './bureau/lendloom.ts'
import type { BureauStatusReport } from './bureau/port.ts'

const providers = await startProviders()
const { ctx } = providers

// The digits of the PAN select a fault of the sandbox's providers (docs/reference/sandbox.md); 1234 selects none.
const pull = (
  panDigits?: string,
  clientReference = providers.newRequest().clientReference,
): Promise<BureauStatusReport> =>
  lendloomBureau.pull(ctx, {
    ...providers.newRequest(panDigits),
    clientReference,
    consentedAt: new Date('2026-11-20T06:00:00Z'),
  })
const account = {
  holderName: 'Asha Verma',
  accountNumber: '50100123451234',
  ifsc: 'HDFC0001234',
  accountType: 'CURRENT',
  bankName: 'HDFC Bank',
}
const begin = (panDigits?: string) => lendloomStatement.begin(ctx, { ...providers.newRequest(panDigits), account })
const waitForResult = (reference: string): Promise<StatementStatusReport> =>
  until(`a result of ${reference}`, async () => {
    const report = await lendloomStatement.fetch(ctx, reference)
    return report.status !== 'PENDING' && report
  })

test('D3 §2.3 bureau: an AVAILABLE report has a score from 300 to 900 and a PDF', async () => {
  const report = await pull()
  assert.equal(report.status, 'AVAILABLE')
  assert.ok(report.score! >= 300 && report.score! <= 900)
  assert.equal((report.reportData!.score as { value: number }).value, report.score)
  assert.equal(report.unavailableReason, null)
  assert.deepEqual(await lendloomBureau.fetch(ctx, report.reference), report)
  const [document] = report.documents
  assert.equal(document!.type, 'BUREAU_REPORT')
  const bytes = await readAll(await lendloomBureau.download(ctx, report.reference, document!))
  assert.equal(createHash('sha256').update(bytes).digest('hex'), document!.sha256)
  assert.ok(!JSON.stringify(report.reportData).includes('ABCPV1234F'), 'the PAN is masked')
})

test('D3 §2.3 bureau: a NO_HIT or FAILED report has a reason, but no score and no data', async () => {
  for (const [panDigits, status, reason] of [
    ['9131', 'NO_HIT', 'NO_RECORD'],
    ['9132', 'FAILED', 'BUREAU_UNAVAILABLE'],
  ] as const) {
    const report = await pull(panDigits)
    assert.equal(report.status, status)
    assert.equal(report.unavailableReason, reason)
    assert.equal(report.score, null)
    assert.equal(report.reportData, null)
    assert.deepEqual(report.documents, [])
  }
  assert.equal((await pull('9133')).score, 545, 'a low score is AVAILABLE')
})

test('D3 §2.3 bureau: only a pull for the same person may repeat a client reference', async () => {
  const first = await pull('1234', 'pull-1')
  assert.deepEqual(await pull('1234', 'pull-1'), first)
  const other = await pull('9133', 'pull-1')
  assert.notEqual(other.reference, first.reference, 'never the report on another person')
  assert.notEqual(other.score, first.score)
})

test('D3 §1.1: the bureau refuses a pull whose consent is in the future', async () => {
  const consentedAt = new Date(Date.now() + 3_600_000)
  const pulling = lendloomBureau.pull(ctx, { ...providers.newRequest(), consentedAt })
  await assert.rejects(pulling, (error) => error instanceof Refusal && error.kind === 'upstream')
})

test('D3 §2.3 banking: a shared statement leads to a report on six months with two PDFs', async () => {
  const { reference, url } = await begin()
  const pending = await lendloomStatement.fetch(ctx, reference)
  assert.equal(pending.status, 'PENDING')
  assert.equal(pending.reportData, null)
  assert.equal(pending.account, null)
  await providers.choose(url, 'approve')
  const report = await waitForResult(reference)
  assert.equal(report.status, 'COMPLETED')
  assert.deepEqual(report.account, account)
  assert.match(report.periodFrom!, /^\d{4}-\d{2}-01$/)
  assert.ok(report.periodFrom! < report.periodTo! && report.analyzedAt! <= new Date())
  assert.equal((report.reportData!.months as unknown[]).length, 6)
  assert.match(report.reportData!.average_monthly_credits as string, /^\d+\.\d{2}$/)
  assert.deepEqual(report.documents.map(({ type }) => type).sort(), ['BANK_ANALYSIS_REPORT', 'BANK_STATEMENT'])
  const callbacks = await providers.waitForCallbacks(reference, 2)
  const last = callbacks.at(-1)!
  assert.deepEqual(lendloomStatement.verifyCallback(ctx, last.body, last.headers, new Date()).report, report)
})

test('D3 §2.3 banking: a submitted statement is returned unchanged', async () => {
  const pdf = await pdfOf({ title: 'Statement', author: 'A bank', blocks: [], createdAt: new Date() })
  const { reference } = await begin()
  await lendloomStatement.submit(ctx, reference, pdf)
  await lendloomStatement.submit(ctx, reference, pdf)
  const report = await waitForResult(reference)
  const document = report.documents.find(({ type }) => type === 'BANK_STATEMENT')!
  assert.deepEqual(await readAll(await lendloomStatement.download(ctx, reference, document)), pdf)
})

test('D3 §2.3 banking: a FAILED report has a reason, but no data and no documents', async () => {
  for (const [panDigits, outcome, reason] of [
    ['9141', 'approve', 'PDF_PARSE_FAILED'],
    ['9142', 'approve', 'PDF_FRAUD_DETECTED'],
    ['9143', 'approve', 'STATEMENT_VALIDATION_FAILED'],
    ['1234', 'decline', 'CONSENT_DENIED'],
    ['1234', 'lapse', 'LINK_EXPIRED'],
  ] as const) {
    const { reference, url } = await begin(panDigits)
    await providers.choose(url, outcome)
    const report = await waitForResult(reference)
    assert.equal(report.status, 'FAILED')
    assert.equal(report.unavailableReason, reason)
    assert.equal(report.reportData, null)
    assert.deepEqual(report.documents, [])
  }
})

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
