// The rules between fields of every event but the lead: each violated alone and reported at its field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyEvent } from '#test/setup/exchange-any.ts'
import { pathsOf, withChange } from '#test/setup/exchange-change.ts'
import { type Case, testRules } from '#test/setup/exchange-rule.ts'
import { envelopeFaults, eventTypes } from './envelope.ts'

const rejected = { decision: 'REJECTED', offer: null }
const authority = { umrn: null, maximum_amount: null, frequency: null, valid_from: null, valid_until: null }

testRules('LEAD_REGISTERED', [
  ['3', 'what is pending is named', { documents_pending: [] }, 'documents_pending'],
  ['3', 'a review starts when nothing is pending', { status: 'UNDER_REVIEW' }, 'documents_pending'],
  ['3', 'a review starts', { status: 'UNDER_REVIEW', documents_pending: [] }, null],
  ['3', 'a pending document is named once', { documents_pending: ['DOC-1', 'DOC-1'] }, 'documents_pending'],
])

testRules('MANUAL_REVIEW_DECIDED', [
  ['6', 'an approval needs an offer', { offer: null }, 'offer'],
  ['6', 'a rejection has no offer', { decision: 'REJECTED' }, 'offer'],
  ['6', 'a rejection needs a reason', { ...rejected, reason_code: null }, 'reason_code'],
  ['6', 'a rejection needs a reason in words', { ...rejected, reason_message: null }, 'reason_message'],
  ['6', 'a rejection with a reason', rejected, null],
  ['6', 'an approval needs no reason', { reason_code: null, reason_message: null }, null],
  ['2.4', 'an offer has 22 installments', { 'offer.number_of_installments': 21 }, 'offer.number_of_installments'],
  ['2.4', 'an offer is not born expired', { 'offer.valid_until': '2026-11-20T10:00:00.000Z' }, 'offer.valid_until'],
  ['2.4', 'no more is paid out than lent', { 'offer.net_disbursed_amount': '100000.01' }, 'offer.net_disbursed_amount'],
  [
    '2.4',
    'the total has principal and interest',
    { 'offer.total_payable_amount': '105378.99' },
    'offer.total_payable_amount',
  ],
  [
    '2.4',
    'the total is more than the installments before the last',
    { 'offer.installment_amount': '5018.05' },
    'offer.total_payable_amount',
  ],
  [
    '2.4',
    'a last installment is more than nothing',
    {
      'offer.installment_amount': '5018.00',
      'offer.total_payable_amount': '105378.00',
      'offer.total_interest_amount': '0.00',
    },
    'offer.total_payable_amount',
  ],
  ['2.4', 'the key facts are at an https address', { 'offer.kfs_url': 'http://partner.example/kfs' }, 'offer.kfs_url'],
])

testRules('KYC_UPDATED', [
  ['6', 'verified only when approved', { status: 'REVIEW_READY' }, 'verified'],
  ['6', 'approved but not confirmed by the provider', { verified: false }, null],
  ...['REJECTED', 'TERMINATED', 'EXPIRED'].map(
    (status): Case => ['6.1', `${status} has the provider's reason`, { status, verified: false }, 'reason_code'],
  ),
  ...['REQUESTED', 'REVIEW_READY'].map(
    (status): Case => ['6.1', `${status} needs no reason`, { status, verified: false }, null],
  ),
])

testRules('MANDATE_UPDATED', [
  ...Object.keys(authority).map((key): Case => ['6', `an active mandate has its ${key}`, { [key]: null }, key]),
  ['6', 'a mandate that was asked for has nothing yet', { ...authority, status: 'REQUESTED', verified: false }, null],
  ['6', 'verified only when active', { status: 'PENDING' }, 'verified'],
  ['6', 'it does not end before it begins', { valid_until: '2026-11-19' }, 'valid_until'],
  ['6', 'a limit is above zero', { maximum_amount: '0.00' }, 'maximum_amount'],
  ...['REJECTED', 'EXPIRED'].map(
    (status): Case => ['6.1', `${status} has the provider's reason`, { status, verified: false }, 'reason_code'],
  ),
])

testRules('ESIGN_UPDATED', [
  ['6', 'verified only when completed', { status: 'REQUESTED' }, 'verified'],
  ...['EXPIRED', 'FAILED'].map(
    (status): Case => ['6.1', `${status} has the provider's reason`, { status, verified: false }, 'reason_code'],
  ),
])

testRules('DISBURSEMENT_UPDATED', [
  ['2.5', 'disbursed needs the reference of the bank', { bank_reference: null }, 'bank_reference'],
  ['2.5', 'there is no reference before it is verified', { status: 'PENDING' }, 'bank_reference'],
  ['2.5', 'pending has none', { status: 'PENDING', bank_reference: null }, null],
  ['2.5', 'an amount is above zero', { amount: '0.00' }, 'amount'],
])

testRules('PAYMENT_CLAIM_SUBMITTED', [
  ['6', 'foreclosure is outside this release', { service_type: 'FORECLOSURE' }, 'service_type'],
  ['6', 'the amount is above zero', { amount: '0.00' }, 'amount'],
  ['6', 'the method is one of four', { method: 'CASH' }, 'method'],
])

testRules('PAYMENT_UPDATED', [
  ['2.5', 'a failed debit has its return code', { status: 'FAILED' }, 'reason_code'],
  ['2.5', 'a reversal names the receipt', { status: 'REVERSED' }, 'reversal_of_payment_id'],
  [
    '2.5',
    'a reversal is a record of its own',
    { status: 'REVERSED', reversal_of_payment_id: 'PAY-1' },
    'reversal_of_payment_id',
  ],
  ['2.5', 'a reversal', { status: 'REVERSED', reversal_of_payment_id: 'PAY-0' }, null],
  [
    '2.5',
    'the amount of a reversal is positive',
    { status: 'REVERSED', reversal_of_payment_id: 'PAY-0', amount: '-4790.00' },
    'amount',
  ],
])

testRules('LOAN_STATUS_UPDATED', [
  ['2.1', 'a snapshot version counts from one', { snapshot_version: 0 }, 'snapshot_version'],
])

testRules('OFFER_DECISION_RECORDED', [
  ['6', 'an offer is accepted, rejected or expires', { decision: 'PENDING' }, 'decision'],
])

testRules('EVENT_PROCESSING_FAILED', [['6', 'the code is one of five', { code: 'CONFLICT' }, 'code']])

for (const type of eventTypes) {
  test(`D3 §6: property: ${type}: every event that satisfies the rules is accepted`, () => {
    fc.assert(
      fc.property(anyEvent(type), (event) => assert.deepEqual(envelopeFaults(event), [])),
      { numRuns: 200 },
    )
  })

  test(`D3 §2.1: property: ${type}: an event without any one key is refused at that key`, () => {
    fc.assert(
      fc.property(anyEvent(type), fc.nat(), (event, which) => {
        const paths = pathsOf(event).filter((path) => !/\.\d+$|report_data\./.test(path))
        const path = paths[which % paths.length]!
        const found = envelopeFaults(withChange(event, path, undefined)).map((fault) => fault.path)
        assert.ok(found.includes(path), path)
        // Only faults of that key are reported: the entity is named after the case or the payment.
        if (path.startsWith('data.') && !path.endsWith('payment_id')) assert.deepEqual(found, [path])
      }),
      { numRuns: 200 },
    )
  })
}
