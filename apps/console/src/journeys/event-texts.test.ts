// The words of partner events.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventText, isFailure } from './event-texts.ts'

const none = { status: null, amount: null, reasonCode: null, isVerified: null }

test('D3 §6: an event is named with its amount, status and reason', () => {
  for (const [type, facts, text] of [
    ['PAYMENT_UPDATED', { status: 'POSTED', amount: '9580.00' }, 'Payment of ₹9,580 posted'],
    [
      'PAYMENT_UPDATED',
      { status: 'FAILED', amount: '9580.00', reasonCode: 'INSUFFICIENT_FUNDS' },
      'Payment of ₹9,580 failed: insufficient funds',
    ],
    ['LOAN_STATUS_UPDATED', { status: 'CLOSED', reasonCode: 'COOLING_OFF_EXIT' }, 'Loan closed: cancelled'],
    ['LOAN_STATUS_UPDATED', { status: 'CLOSED', reasonCode: 'RECEIPT_POSTED' }, 'Loan closed: repaid'],
    ['LOAN_STATUS_UPDATED', { status: 'OVERDUE', reasonCode: 'WAIVED' }, 'Loan overdue: part of the dues waived'],
    ['LOAN_STATUS_UPDATED', { status: 'ACTIVE', reasonCode: 'WAIVED' }, 'Loan active: dues waived'],
    ['DISBURSEMENT_UPDATED', { status: 'DISBURSED', amount: '195280.00' }, 'Payout of ₹1,95,280 made'],
    ['MANUAL_REVIEW_DECIDED', { status: 'APPROVED', amount: '200000.00' }, 'Loan application of ₹2,00,000 approved'],
    ['OFFER_DECISION_CONFIRMED', { status: 'ACCEPT' }, 'Confirmed: offer accepted'],
    ['PAYMENT_CLAIM_SUBMITTED', { amount: '9580.00' }, 'Claimed payment of ₹9,580'],
    ['KYC_UPDATED', { status: 'APPROVED' }, 'KYC approved'],
    [
      'ESIGN_UPDATED',
      { status: 'COMPLETED', isVerified: false },
      'E-sign completed, not yet confirmed by the provider',
    ],
    ['ESIGN_UPDATED', { status: 'COMPLETED', isVerified: true }, 'E-sign completed, confirmed by the provider'],
    ['MANDATE_UPDATED', { status: 'REQUESTED', isVerified: false }, 'Mandate requested'],
    ['PAYMENT_UPDATED', {}, 'Payment updated'],
    ['LEAD_SUBMITTED', {}, 'Lead submitted'],
    [
      'LOAN_STATUS_UPDATED',
      { status: 'OVERDUE', reasonCode: 'INSTALLMENT_OVERDUE' },
      'Loan overdue: instalment unpaid',
    ],
  ] as const)
    assert.equal(eventText(type, { ...none, ...facts }), text)
})

test('D3 §6: an applied event may report a failure', () => {
  assert.deepEqual(
    ['FAILED', 'REJECTED', 'POSTED', null].map((status) => isFailure({ status })),
    [true, true, false, false],
  )
})
