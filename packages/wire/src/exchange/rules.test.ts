// The rules between fields of all events except the lead: each case breaks one rule and expects the fault at its field.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyEvent } from '@lendloom/tests/setup/exchange-any'
import { pathsOf, withChange } from '@lendloom/tests/setup/exchange-change'
import { type Case, testRules } from '@lendloom/tests/setup/exchange-rule'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { envelopeFaults, eventTypes } from './envelope.ts'

const rejection = { decision: 'REJECTED', offer: null }
const authority = { umrn: null, maximum_amount: null, frequency: null, valid_from: null, valid_until: null }

testRules('LEAD_REGISTERED', [
  ['3', 'DOCUMENTS_PENDING requires a pending document', { documents_pending: [] }, 'documents_pending'],
  ['3', 'UNDER_REVIEW must have no pending document', { status: 'UNDER_REVIEW' }, 'documents_pending'],
  ['3', 'UNDER_REVIEW without pending documents is accepted', { status: 'UNDER_REVIEW', documents_pending: [] }, null],
  ['3', 'a pending document may appear only once', { documents_pending: ['DOC-1', 'DOC-1'] }, 'documents_pending'],
])

testRules('MANUAL_REVIEW_DECIDED', [
  ['6', 'an approval requires an offer', { offer: null }, 'offer'],
  ['6', 'a rejection must have no offer', { decision: 'REJECTED' }, 'offer'],
  ['6', 'a rejection requires a reason code', { ...rejection, reason_code: null }, 'reason_code'],
  ['6', 'a rejection requires a reason message', { ...rejection, reason_message: null }, 'reason_message'],
  ['6', 'a rejection with a reason is accepted', rejection, null],
  ['6', 'an approval may have no reason', { reason_code: null, reason_message: null }, null],
  ['2.4', 'an offer has 22 installments', { 'offer.number_of_installments': 21 }, 'offer.number_of_installments'],
  [
    '2.4',
    'valid_until must be after the review',
    { 'offer.valid_until': '2026-11-20T10:00:00.000Z' },
    'offer.valid_until',
  ],
  [
    '2.4',
    'the net disbursed amount must not exceed the loan amount',
    { 'offer.net_disbursed_amount': '100000.01' },
    'offer.net_disbursed_amount',
  ],
  [
    '2.4',
    'the total must include principal and interest',
    { 'offer.total_payable_amount': '105378.99' },
    'offer.total_payable_amount',
  ],
  [
    '2.4',
    'the total must exceed the regular installments before the last',
    { 'offer.installment_amount': '5018.05' },
    'offer.total_payable_amount',
  ],
  [
    '2.4',
    'the last installment must be above zero',
    {
      'offer.installment_amount': '5018.00',
      'offer.total_payable_amount': '105378.00',
      'offer.total_interest_amount': '0.00',
    },
    'offer.total_payable_amount',
  ],
  ['2.4', 'kfs_url must be https', { 'offer.kfs_url': 'http://partner.example/kfs' }, 'offer.kfs_url'],
])

testRules('KYC_UPDATED', [
  ['6', 'verified requires APPROVED', { status: 'REVIEW_READY' }, 'verified'],
  ['6', "APPROVED without the provider's confirmation is accepted", { verified: false }, null],
  ...['REJECTED', 'TERMINATED', 'EXPIRED'].map(
    (status): Case => ['6.1', `${status} requires a reason`, { status, verified: false }, 'reason_code'],
  ),
  ...['REQUESTED', 'REVIEW_READY'].map(
    (status): Case => ['6.1', `${status} may have no reason`, { status, verified: false }, null],
  ),
])

testRules('MANDATE_UPDATED', [
  ...Object.keys(authority).map((key): Case => ['6', `an active mandate requires ${key}`, { [key]: null }, key]),
  ['6', 'a REQUESTED mandate may have no authority', { ...authority, status: 'REQUESTED', verified: false }, null],
  ['6', 'verified requires ACTIVE', { status: 'PENDING' }, 'verified'],
  ['6', 'valid_until must not be before valid_from', { valid_until: '2026-11-19' }, 'valid_until'],
  ['6', 'the limit must be above zero', { maximum_amount: '0.00' }, 'maximum_amount'],
  ...['REJECTED', 'EXPIRED'].map(
    (status): Case => ['6.1', `${status} requires a reason`, { status, verified: false }, 'reason_code'],
  ),
])

testRules('ESIGN_UPDATED', [
  ['6', 'verified requires COMPLETED', { status: 'REQUESTED' }, 'verified'],
  ...['EXPIRED', 'FAILED'].map(
    (status): Case => ['6.1', `${status} requires a reason`, { status, verified: false }, 'reason_code'],
  ),
])

testRules('DISBURSEMENT_UPDATED', [
  ['2.5', 'DISBURSED requires the bank reference', { bank_reference: null }, 'bank_reference'],
  ['2.5', 'PENDING must have no bank reference', { status: 'PENDING' }, 'bank_reference'],
  ['2.5', 'PENDING without a bank reference is accepted', { status: 'PENDING', bank_reference: null }, null],
  ['2.5', 'the amount must be above zero', { amount: '0.00' }, 'amount'],
])

testRules('PAYMENT_CLAIM_SUBMITTED', [
  ['6', 'a claim for a foreclosure is rejected', { service_type: 'FORECLOSURE' }, 'service_type'],
  ['6', 'the amount is above zero', { amount: '0.00' }, 'amount'],
  ['6', 'the method is one of four', { method: 'CASH' }, 'method'],
])

testRules('PAYMENT_UPDATED', [
  ['2.5', 'a failed debit requires its return code', { status: 'FAILED' }, 'reason_code'],
  ['2.5', 'a reversal must name the reversed receipt', { status: 'REVERSED' }, 'reversal_of_payment_id'],
  [
    '2.5',
    'a reversal must not name itself',
    { status: 'REVERSED', reversal_of_payment_id: 'PAY-1' },
    'reversal_of_payment_id',
  ],
  ['2.5', 'a reversal of another payment is accepted', { status: 'REVERSED', reversal_of_payment_id: 'PAY-0' }, null],
  [
    '2.5',
    'the amount of a reversal is positive',
    { status: 'REVERSED', reversal_of_payment_id: 'PAY-0', amount: '-4790.00' },
    'amount',
  ],
])

testRules('LOAN_STATUS_UPDATED', [
  ['2.1', 'a snapshot version starts at one', { snapshot_version: 0 }, 'snapshot_version'],
])

testRules('OFFER_DECISION_RECORDED', [['6', 'PENDING is not a decision', { decision: 'PENDING' }, 'decision']])

testRules('EVENT_PROCESSING_FAILED', [['6', 'the code is one of five', { code: 'CONFLICT' }, 'code']])

for (const type of eventTypes) {
  test(`D3 §6: property: ${type}: every event that satisfies the rules is accepted`, () => {
    fc.assert(
      fc.property(anyEvent(type), (event) => assert.deepEqual(envelopeFaults(event), [])),
      { numRuns: roundsOf(200) },
    )
  })

  test(`D3 §2.1: property: ${type}: a missing key is reported at its path`, () => {
    fc.assert(
      fc.property(anyEvent(type), fc.nat(), (event, which) => {
        const paths = pathsOf(event).filter((path) => !/\.\d+$|report_data\./.test(path))
        const path = paths[which % paths.length]!
        const found = envelopeFaults(withChange(event, path, undefined)).map((fault) => fault.path)
        assert.ok(found.includes(path), path)
        // No other fault is reported, except that `entity_id` matches no payment if `payment_id` is missing.
        if (path.startsWith('data.') && !path.endsWith('payment_id')) assert.deepEqual(found, [path])
      }),
      { numRuns: roundsOf(200) },
    )
  })
}
