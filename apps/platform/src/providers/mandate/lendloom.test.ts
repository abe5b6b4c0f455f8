// Tests mandates over HTTP: the borrower authorises a mandate, and then the bank accepts or rejects it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { until } from '@lendloom/tests/setup/programs'
import { startProviders } from '@lendloom/tests/setup/providers'
import type { MandateRequest, MandateStatusReport } from '#platform/providers/ports.ts'
import { lendloomMandate } from './lendloom.ts'

const providers = await startProviders()
const { ctx, db } = providers
// The digits of the PAN select a fault of the sandbox's providers (docs/reference/sandbox.md); 1234 selects none.
const begin = (panDigits?: string, overrides: Partial<MandateRequest> = {}) =>
  lendloomMandate.begin(ctx, {
    ...providers.newRequest(panDigits),
    account: { holderName: 'Asha Verma', accountNumber: '50100123451234', ifsc: 'HDFC0001234', type: 'CURRENT' },
    maximumPaise: 6_000_00n,
    frequency: 'WEEKLY',
    validFrom: '2026-11-27',
    validUntil: '2077-06-30',
    ...overrides,
  })
const waitForStatus = (reference: string, status: string): Promise<MandateStatusReport> =>
  until(`${reference} ${status}`, async () => {
    const report = await lendloomMandate.fetch(ctx, reference)
    return report.status === status && report
  })
const findAtBank = async (umrn: string) => {
  const [row] = await db<{ status: string; maximumPaise: bigint; validUntil: string }>`
    select status, maximum_paise, valid_until::text from bank_mandate where umrn = ${umrn}`
  return row
}

test('D3 §6 MANDATE_UPDATED: PENDING after the authorisation, ACTIVE after acceptance by the bank', async () => {
  const { reference, url } = await begin()
  const { status, umrn, maximumPaise, frequency, validFrom, validUntil } = await lendloomMandate.fetch(ctx, reference)
  assert.equal(status, 'REQUESTED')
  assert.equal(umrn, null)
  assert.equal(maximumPaise, null)
  assert.equal(frequency, null)
  assert.equal(validFrom, null)
  assert.equal(validUntil, null)
  await providers.choose(url, 'approve')
  const reports = (await providers.waitForCallbacks(reference, 2)).map(
    ({ body, headers }) => lendloomMandate.verifyCallback(ctx, body, headers, new Date()).report,
  )
  assert.deepEqual(
    reports.map(({ status, verified }) => ({ status, verified })),
    [
      { status: 'PENDING', verified: false },
      { status: 'ACTIVE', verified: true },
    ],
  )
  const active = reports[1]!
  assert.match(active.umrn!, /^HDFC7\d{15}$/)
  assert.equal(active.maximumPaise, 6_000_00n)
  assert.equal(active.frequency, 'WEEKLY')
  assert.equal(active.validFrom, '2026-11-27')
  assert.equal(active.validUntil, '2077-06-30')
  assert.equal(active.reasonCode, null)
  assert.deepEqual(
    active.documents.map(({ type, contentType }) => ({ type, contentType })),
    [{ type: 'MANDATE_DOCUMENT', contentType: 'application/pdf' }],
  )
  assert.deepEqual(await lendloomMandate.fetch(ctx, reference), active)
  assert.deepEqual(await findAtBank(active.umrn!), {
    status: 'ACTIVE',
    maximumPaise: 6_000_00n,
    validUntil: '2077-06-30',
  })
})

test('D3 §6 MANDATE_UPDATED: a borrower may choose UPI Autopay, up to ₹1,00,000; the mandate then has an address', async () => {
  const { reference, url } = await begin()
  await providers.choose(url, 'upi')
  const { umrn, maximumPaise, verified } = await waitForStatus(reference, 'ACTIVE')
  assert.match(umrn!, /^\d{32}@okbank$/)
  assert.equal(maximumPaise, 6_000_00n)
  assert.equal(verified, true)
  assert.equal((await findAtBank(umrn!))?.status, 'ACTIVE')
  for (const [outcome, maximumPaise] of [
    ['upi', 1_00_000_01n],
    ['approve', 1_00_00_000_01n],
  ] as const) {
    const tooLarge = await begin('1234', { maximumPaise })
    await providers.choose(tooLarge.url, outcome)
    assert.equal((await waitForStatus(tooLarge.reference, 'REJECTED')).reasonCode, 'AP10', outcome)
  }
})

test("D3 §6 MANDATE_UPDATED: a REJECTED mandate has the bank's reason code and no UMRN", async () => {
  const rejections: [panDigits: string, outcome: string, reason: string][] = [
    ['1234', 'decline', 'AP23'],
    ['1234', 'hang-up', 'AP30'],
    ['9009', 'approve', 'AP05'],
    ['9111', 'approve', 'AP27'],
    ['9112', 'approve', 'AP08'],
  ]
  for (const [panDigits, outcome, reason] of rejections) {
    const { reference, url } = await begin(panDigits)
    await providers.choose(url, outcome)
    const report = await waitForStatus(reference, 'REJECTED')
    assert.equal(report.reasonCode, reason, panDigits)
    assert.equal(report.verified, false, panDigits)
    assert.equal(report.umrn, null, panDigits)
  }
})

test('D3 §6 MANDATE_UPDATED: after AP27 for a WEEKLY mandate, an AS_PRESENTED mandate is accepted', async () => {
  const { reference, url } = await begin('9111', { frequency: 'AS_PRESENTED' })
  await providers.choose(url, 'approve')
  assert.equal((await waitForStatus(reference, 'ACTIVE')).frequency, 'AS_PRESENTED')
})

test('D3 §6 MANDATE_UPDATED: the borrower can retry a failed attempt', async () => {
  const { reference, url } = await begin('9015')
  assert.match((await providers.choose(url, 'approve')).text, /AP39/)
  await providers.choose(url, 'approve')
  await waitForStatus(reference, 'ACTIVE')
})

test('D3 §6 MANDATE_UPDATED: the borrower (at the bank) or the platform can cancel an active mandate', async () => {
  const cancelledByBorrower = await begin('9114')
  await providers.choose(cancelledByBorrower.url, 'approve')
  const report = await waitForStatus(cancelledByBorrower.reference, 'CANCELLED')
  assert.equal(report.reasonCode, 'AP23')
  assert.equal(report.verified, false)
  assert.equal((await findAtBank(report.umrn!))!.status, 'CANCELLED')

  const cancelledByUs = await begin()
  await providers.choose(cancelledByUs.url, 'approve')
  await waitForStatus(cancelledByUs.reference, 'ACTIVE')
  assert.equal((await lendloomMandate.cancel(ctx, cancelledByUs.reference)).status, 'CANCELLED')
  await assert.rejects(
    lendloomMandate.cancel(ctx, cancelledByUs.reference),
    (error) => error instanceof Refusal && error.kind === 'upstream',
  )
})

test('D3 §6 MANDATE_UPDATED: a mandate is EXPIRED after its `validUntil` date', async () => {
  const { reference, url } = await begin('1234', { validFrom: '2020-01-01', validUntil: '2020-06-30' })
  await providers.choose(url, 'approve')
  const report = await waitForStatus(reference, 'EXPIRED')
  assert.equal(report.reasonCode, 'VALIDITY_OVER')
  assert.equal(report.verified, false)
})
