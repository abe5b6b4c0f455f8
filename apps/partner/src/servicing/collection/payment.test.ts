// State machines of payments and disbursements, policies of return codes, and the wire format of payments.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTerminal, leadsTo } from '@lendloom/foundation/machine'
import { checkPayment } from '@lendloom/wire/exchange/account'
import { eNach } from '#partner/bank/rail/e-nach.ts'
import { returnPolicyOf } from '#partner/bank/rail/rail.ts'
import {
  newPayment,
  type Payment,
  type PaymentStatus,
  paymentLifecycle,
  statusAfterMove,
  wirePayment,
} from './payment.ts'
import { normalizeReference, receiptMismatch } from './receipt/match-receipt.ts'
import { disbursementLifecycle } from './transfer/disbursement.ts'

const statuses = Object.keys(paymentLifecycle) as PaymentStatus[]

const payment = (changes: Partial<Payment> = {}): Payment => {
  const debit = { collectionId: 'c-1', umrn: 'SBXB7201126000000001', mandateReference: 'M-1', submittedAt: new Date(0) }
  const money = { method: 'ENACH', amountPaise: 479_000n, installmentIds: ['70012345-01'] }
  return newPayment(
    { caseRef: 'case-1', paymentId: 'p-1', status: 'SUBMITTED', ...money, ...debit, ...changes },
    new Date(0),
  )
}

test('D3 §6.7: a posted payment can never be posted again', () => {
  assert.ok(!leadsTo(paymentLifecycle, 'POSTED', 'POSTED'))
  assert.ok(!leadsTo(paymentLifecycle, 'POSTED', 'FAILED'))
  for (const status of ['TAKEN_BACK', 'REVERSED'] as const) assert.ok(isTerminal(paymentLifecycle, status))
})

test('D3 §6.7: a sent debit is resent only after the bank reported that it never arrived', () => {
  for (const status of statuses) if (statusAfterMove({ status }, 'sent') !== undefined) assert.equal(status, 'PREPARED')
  for (const status of statuses)
    if (paymentLifecycle[status].notFoundAtBank !== undefined) {
      assert.equal(status, 'UNKNOWN')
      assert.equal(paymentLifecycle[status].notFoundAtBank, 'PREPARED')
    }
})

test('D3 §6.7: money that arrives is posted in every non-final status, even after a failure', () => {
  for (const status of ['PREPARED', 'DROPPED', 'UNKNOWN', 'SUBMITTED', 'FAILED', 'PENDING_VERIFICATION'] as const)
    assert.equal(statusAfterMove({ status }, 'confirmed'), 'POSTED')
})

test('D3 §6.6: a transfer is resent only after the bank reported that it never arrived', () => {
  assert.equal(disbursementLifecycle.UNKNOWN.notFoundAtBank, 'ORDERED')
  assert.deepEqual(disbursementLifecycle.SENT, { arrived: 'DISBURSED', returned: 'FAILED' })
  assert.deepEqual(disbursementLifecycle.DISBURSED, { givenBack: 'RETURNED' })
  for (const status of ['RETURNED', 'FAILED'] as const) assert.ok(isTerminal(disbursementLifecycle, status), status)
})

test('D3 §2.5: each payment status has its wire status, and internal statuses have none', () => {
  const wireStatusOf = Object.fromEntries(
    statuses.map((status) => [status, wirePayment(payment({ status, submittedAt: null }))?.status ?? null]),
  )
  const resent = payment({ status: 'PREPARED', submittedAt: new Date(0) })
  assert.equal(wirePayment(resent)?.status, 'PROCESSING', 'a reported payment stays reported')
  assert.deepEqual(wireStatusOf, {
    PREPARED: null,
    DROPPED: null,
    UNKNOWN: 'PROCESSING',
    SUBMITTED: 'SUBMITTED',
    PENDING_VERIFICATION: 'PENDING_VERIFICATION',
    FAILED: 'FAILED',
    POSTED: 'POSTED',
    TAKEN_BACK: 'POSTED',
    REVERSED: 'REVERSED',
  })
})

test('D3 §2.5: a reported payment satisfies the contract', () => {
  const failed = wirePayment(payment({ status: 'FAILED', reasonCode: '04' }))!
  assert.deepEqual(checkPayment(failed), [])
  assert.equal(failed.amount, '4790.00')
  assert.equal(failed.reason_code, '04')
  assert.equal(failed.bank_reference, null)
  const reversed = payment({ status: 'REVERSED', paymentId: 'p-2', reversalOfPaymentId: 'p-1', valueOn: '2026-11-28' })
  assert.deepEqual(checkPayment(wirePayment(reversed)!), [])
})

test('D3 §6.7: each return code has its policy, and an unknown code needs a review', () => {
  const expected = {
    retry: '04 55 57 58 59 98',
    'new-mandate': '01 02 08 11 12 14 15 21 22 23 24 25 26 27 28 29 54 61',
    stop: '06 07 17 60 68 69',
    enquire: '13 31',
    review: '03 05 09 16 20 51 52 53 56 70 72 85 99 XX',
  }
  for (const [policy, codes] of Object.entries(expected))
    for (const code of codes.split(' ')) assert.equal(returnPolicyOf(eNach, code), policy, code)
})

test('D3 §6.4: a claim matches a receipt of the same amount and method within a few days', () => {
  const claim = { amountPaise: 479_000n, method: 'UPI', on: '2026-11-27' }
  const days = { earlyDays: 1, lateDays: 3 }
  for (const on of ['2026-11-26', '2026-11-27', '2026-11-30'])
    assert.equal(receiptMismatch(claim, { ...claim, on }, days), null)
  for (const on of ['2026-11-25', '2026-12-01'])
    assert.equal(receiptMismatch(claim, { ...claim, on }, days), 'DATE_MISMATCH')
  assert.equal(receiptMismatch(claim, { ...claim, amountPaise: 479_001n }, days), 'AMOUNT_MISMATCH')
  assert.equal(receiptMismatch(claim, { ...claim, method: 'NEFT' }, days), 'METHOD_MISMATCH')
  assert.equal(normalizeReference(' sbxb-2632 4000 '), 'SBXB26324000')
})
