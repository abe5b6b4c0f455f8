// Mandates at the provider, over HTTP: allowed is not accepted, an authority is whole, and rejections keep the bank's code.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#kit/http/refusal.ts'
import type { MandateRequest, MandateStatusReport } from '#platform/provider/ports.ts'
import { until } from '#test/setup/programs.ts'
import { startProviders } from '#test/setup/providers.ts'
import { lendloomMandate } from './lendloom.ts'

const providers = await startProviders()
const { ctx, db } = providers
const begin = (digits?: string, over: Partial<MandateRequest> = {}) =>
  lendloomMandate.begin(ctx, {
    ...providers.newRequest(digits),
    account: { holderName: 'Asha Verma', accountNumber: '50100123451234', ifsc: 'HDFC0001234', type: 'CURRENT' },
    maximumPaise: 6_000_00n,
    frequency: 'WEEKLY',
    validFrom: '2026-11-27',
    validUntil: '2077-06-30',
    ...over,
  })
const settled = (reference: string, status: string): Promise<MandateStatusReport> =>
  until(`${reference} ${status}`, async () => {
    const report = await lendloomMandate.fetch(ctx, reference)
    return report.status === status && report
  })
const onFile = async (umrn: string) => {
  const [row] = await db<{ status: string; maximumPaise: bigint; validUntil: string }>`
    select status, maximum_paise, valid_until::text from bank_mandate where umrn = ${umrn}`
  return row
}

test('D3 §6 MANDATE_UPDATED: REQUESTED, PENDING once allowed, ACTIVE with its authority once the bank accepts', async () => {
  const { reference, url } = await begin()
  const { status, umrn, maximumPaise, frequency, validFrom, validUntil } = await lendloomMandate.fetch(ctx, reference)
  assert.equal(status, 'REQUESTED')
  assert.deepEqual([umrn, maximumPaise, frequency, validFrom, validUntil], [null, null, null, null, null])
  await providers.choose(url, 'approve')
  const reports = (await providers.waitForCallbacks(reference, 2)).map(
    ({ body, headers }) => lendloomMandate.verifyCallback(ctx, body, headers, new Date()).report,
  )
  assert.deepEqual(
    reports.map(({ status, verified }) => [status, verified]),
    [
      ['PENDING', false],
      ['ACTIVE', true],
    ],
  )
  const active = reports[1]!
  assert.match(active.umrn!, /^HDFC7\d{15}$/)
  assert.deepEqual(
    [active.maximumPaise, active.frequency, active.validFrom, active.validUntil, active.reasonCode],
    [6_000_00n, 'WEEKLY', '2026-11-27', '2077-06-30', null],
  )
  assert.deepEqual(
    active.documents.map(({ type, contentType }) => [type, contentType]),
    [['MANDATE_DOCUMENT', 'application/pdf']],
  )
  assert.deepEqual(await lendloomMandate.fetch(ctx, reference), active)
  assert.deepEqual(await onFile(active.umrn!), { status: 'ACTIVE', maximumPaise: 6_000_00n, validUntil: '2077-06-30' })
})

test("D3 §6 MANDATE_UPDATED: a rejection is the bank's or the borrower's, with its own code", async () => {
  const rejections: [digits: string, outcome: string, reason: string][] = [
    ['1234', 'decline', 'AP23'],
    ['1234', 'hang-up', 'AP30'],
    ['9009', 'approve', 'AP05'],
    ['9111', 'approve', 'AP27'],
    ['9112', 'approve', 'AP08'],
  ]
  for (const [digits, outcome, reason] of rejections) {
    const { reference, url } = await begin(digits)
    await providers.choose(url, outcome)
    const report = await settled(reference, 'REJECTED')
    assert.deepEqual([report.reasonCode, report.verified, report.umrn], [reason, false, null], digits)
  }
})

test('D3 §6 MANDATE_UPDATED: where a weekly mandate is turned away (AP27), one AS_PRESENTED is taken', async () => {
  const { reference, url } = await begin('9111', { frequency: 'AS_PRESENTED' })
  await providers.choose(url, 'approve')
  assert.equal((await settled(reference, 'ACTIVE')).frequency, 'AS_PRESENTED')
})

test('D3 §6 MANDATE_UPDATED: what fails once may be tried again', async () => {
  const { reference, url } = await begin('9015')
  assert.match((await providers.choose(url, 'approve')).text, /AP39/)
  await providers.choose(url, 'approve')
  await settled(reference, 'ACTIVE')
})

test('D3 §6 MANDATE_UPDATED: an active mandate is CANCELLED by the borrower at the bank, or by us, and the bank knows', async () => {
  const withdrawn = await begin('9114')
  await providers.choose(withdrawn.url, 'approve')
  const report = await settled(withdrawn.reference, 'CANCELLED')
  assert.deepEqual([report.reasonCode, report.verified], ['AP23', false])
  assert.equal((await onFile(report.umrn!))!.status, 'CANCELLED')

  const ours = await begin()
  await providers.choose(ours.url, 'approve')
  await settled(ours.reference, 'ACTIVE')
  assert.equal((await lendloomMandate.cancel(ctx, ours.reference)).status, 'CANCELLED')
  await assert.rejects(
    lendloomMandate.cancel(ctx, ours.reference),
    (error) => error instanceof Refusal && error.kind === 'upstream',
  )
})

test('D3 §6 MANDATE_UPDATED: a mandate whose last day is over is EXPIRED', async () => {
  const { reference, url } = await begin('1234', { validFrom: '2020-01-01', validUntil: '2020-06-30' })
  await providers.choose(url, 'approve')
  const report = await settled(reference, 'EXPIRED')
  assert.deepEqual([report.reasonCode, report.verified], ['VALIDITY_OVER', false])
})
