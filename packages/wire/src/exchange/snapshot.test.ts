// Snapshots: consistent ones are accepted, and each contradiction is reported at its field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rupees } from '@lendloom/lending/money'
import { pathsOf, valueAt, withChange } from '@lendloom/tests/setup/exchange-change'
import fc from 'fast-check'
import { exampleStatus } from '#wire/exchange/example/answer.ts'
import { exampleData } from '#wire/exchange/example/event.ts'
import { freshForMs, inconsistencies, isFresh, type SnapshotStatus } from './snapshot.ts'

type Change = Record<string, unknown>
const apply = (change: Change, from: SnapshotStatus = exampleStatus()): unknown =>
  Object.entries(change).reduce<unknown>((status, [path, to]) => withChange(status, path, to), from)
const faultPaths = (status: unknown): string[] => inconsistencies(status).map((line) => line.split(' ')[0]!)

const noAccount = {
  loan_status: 'NOT_CREATED',
  loan_account_id: null,
  soa: null,
  amortization_schedule: null,
  payments: [],
}
const beforeOffer = {
  ...noAccount,
  disbursement: null,
  offer: null,
  checks: { kyc: 'NOT_STARTED', lender_kyc_review: 'NOT_REQUIRED', mandate: 'NOT_STARTED', esign: 'NOT_STARTED' },
}
const undecided = { offer_id: 'OFFER-1', decision: 'PENDING', source_event_id: null, recorded_at: null }

const acceptedCases: [name: string, Change][] = [
  ['a disbursed loan', {}],
  [
    'a receipt before registration',
    {
      ...beforeOffer,
      case_status: 'RECEIVED',
      celestium_lead_id: null,
      celestium_loan_id: null,
      documents: { stored: [], pending: [] },
    },
  ],
  [
    'documents pending',
    { ...beforeOffer, case_status: 'DOCUMENTS_PENDING', documents: { stored: [], pending: ['DOC-1'] } },
  ],
  ['under review', { ...beforeOffer, case_status: 'UNDER_REVIEW' }],
  ['an undecided offer', { ...beforeOffer, case_status: 'OFFERED', offer: undecided }],
  ['an accepted offer', { ...beforeOffer, case_status: 'OFFER_ACCEPTED', offer: exampleStatus().offer }],
  ['a rejection', { ...beforeOffer, case_status: 'REJECTED' }],
  [
    'a pending transfer',
    {
      ...noAccount,
      case_status: 'DISBURSEMENT_PENDING',
      disbursement: { ...exampleData('DISBURSEMENT_UPDATED'), status: 'PENDING', bank_reference: null },
    },
  ],
  ['disbursed, without an account yet', noAccount],
  [
    'a closed account',
    {
      loan_status: 'CLOSED',
      soa: {
        ...exampleStatus().soa,
        principal_outstanding: '0.00',
        interest_outstanding: '0.00',
        total_outstanding: '0.00',
      },
    },
  ],
]
for (const [name, change] of acceptedCases)
  test(`D3 §4.4: accepted: ${name}`, () => assert.deepEqual(inconsistencies(apply(change)), []))

const rejectedCases: [section: string, name: string, Change, faultPath: string][] = [
  ['4.4', 'no lead ID after registration', { celestium_lead_id: null }, 'celestium_lead_id'],
  ['4.4', 'no loan ID after registration', { celestium_loan_id: null }, 'celestium_loan_id'],
  [
    '4.4',
    'DOCUMENTS_PENDING without a pending document',
    { ...beforeOffer, case_status: 'DOCUMENTS_PENDING' },
    'documents.pending',
  ],
  [
    '4.4',
    'a document stored twice',
    {
      'documents.stored.1.document_reference_id': 'DOC-1',
      'documents.stored.0.document_type': 'SIGNED_LOAN_AGREEMENT',
    },
    'documents.stored.1.document_reference_id',
  ],
  [
    '4.4',
    'a document stored and pending',
    { ...beforeOffer, case_status: 'UNDER_REVIEW', 'documents.pending': ['DOC-1'] },
    'documents.pending.0',
  ],
  ['4.4', 'offered without an offer', { ...beforeOffer, case_status: 'OFFERED' }, 'offer'],
  ['4.4', 'accepted without an offer', { offer: null }, 'offer'],
  ['3', 'a later status without acceptance', { 'offer.decision': 'REJECT' }, 'offer.decision'],
  ['4.4', 'accepted without the event', { 'offer.source_event_id': null }, 'offer.recorded_at'],
  [
    '4.4',
    'recorded but pending',
    { ...beforeOffer, case_status: 'OFFERED', offer: { ...undecided, recorded_at: '2026-11-20T10:00:00.000Z' } },
    'offer.recorded_at',
  ],
  ['1.1', 'disbursed without KYC', { 'checks.kyc': 'REVIEW_READY' }, 'checks.kyc'],
  ['1.1', 'disbursed without a signature', { 'checks.esign': 'REQUESTED' }, 'checks.esign'],
  [
    '4.4',
    'disbursed without the signed file',
    { 'documents.stored.2.document_type': 'MANDATE_DOCUMENT' },
    'documents.stored',
  ],
  [
    '4.4',
    'disbursed without a KYC file',
    { 'documents.stored.1.document_type': 'MANDATE_DOCUMENT' },
    'documents.stored',
  ],
  ['4.3', 'disbursed while a required file is pending', { 'documents.pending': ['DOC-9'] }, 'documents.pending'],
  ['1.1', 'disbursed without a bank reference', { 'disbursement.bank_reference': null }, 'disbursement.bank_reference'],
  ['1.1', 'disbursed without a transfer', { disbursement: null }, 'disbursement.status'],
  ['1.1', 'disbursed while the transfer failed', { 'disbursement.status': 'FAILED' }, 'disbursement.status'],
  ['3', 'an unknown status of a check', { 'checks.kyc': 'NOT_REQUIRED' }, 'checks.kyc'],
  [
    '3',
    'an active loan without an account',
    { loan_account_id: null, soa: null, amortization_schedule: null, payments: [] },
    'loan_account_id',
  ],
  ['4.4', 'an account without a statement', { soa: null }, 'soa'],
  ['4.4', 'an account without a schedule', { amortization_schedule: null }, 'amortization_schedule'],
  ['4.4', 'payments without an account', { ...noAccount, payments: exampleStatus().payments }, 'payments'],
  ['3', 'closed with money outstanding', { loan_status: 'CLOSED' }, 'soa.total_outstanding'],
  ['3', 'overdue with nothing overdue', { loan_status: 'OVERDUE' }, 'soa.total_overdue'],
  ['2.5', 'a total that is not the sum of its parts', { 'soa.total_outstanding': '95670.01' }, 'soa.total_outstanding'],
  ['2.5', 'more overdue than outstanding', { 'soa.total_overdue': '95670.01' }, 'soa.total_overdue'],
  ['2.5', 'money below zero', { 'soa.penalty_outstanding': '-1.00' }, 'soa.penalty_outstanding'],
  [
    '2.5',
    'a row that is not the sum of its parts',
    { 'amortization_schedule.installments.3.charges': '1.00' },
    'amortization_schedule.installments.3.amount',
  ],
  [
    '2.5',
    'a row that is not the sum of paid and unpaid',
    { 'amortization_schedule.installments.3.unpaid_amount': '4789.00' },
    'amortization_schedule.installments.3.unpaid_amount',
  ],
  [
    '2.5',
    'a PAID row with an unpaid amount',
    { 'amortization_schedule.installments.3.status': 'PAID' },
    'amortization_schedule.installments.3.status',
  ],
  [
    '2.5',
    'a PART_PAID row without a paid amount',
    { 'amortization_schedule.installments.3.status': 'PART_PAID' },
    'amortization_schedule.installments.3.status',
  ],
  [
    '2.5',
    'an OVERDUE row without an unpaid amount',
    { 'amortization_schedule.installments.0.status': 'OVERDUE' },
    'amortization_schedule.installments.0.status',
  ],
  [
    '2.5',
    'a missing row',
    { 'amortization_schedule.installments': exampleStatus().amortization_schedule!.installments.slice(0, 21) },
    'amortization_schedule.installments',
  ],
  [
    '2.5',
    'rows out of order',
    { 'amortization_schedule.installments.3.installment_number': 5 },
    'amortization_schedule.installments.3.installment_number',
  ],
  [
    '2.5',
    'due dates out of order',
    { 'amortization_schedule.installments.3.due_date': '2026-12-11' },
    'amortization_schedule.installments.3.due_date',
  ],
  [
    '2.5',
    'a duplicate row',
    { 'amortization_schedule.installments.3.installment_id': 'INST-1' },
    'amortization_schedule.installments.3.installment_id',
  ],
  [
    '2.5',
    'a duplicate payment',
    { payments: [exampleData('PAYMENT_UPDATED'), exampleData('PAYMENT_UPDATED')] },
    'payments.1.payment_id',
  ],
  [
    '2.5',
    'a reversal of an unknown payment',
    { 'payments.0.status': 'REVERSED', 'payments.0.reversal_of_payment_id': 'PAY-0' },
    'payments.0.reversal_of_payment_id',
  ],
  ['2.5', 'a failed debit without its code', { 'payments.0.status': 'FAILED' }, 'payments.0.reason_code'],
  ...[
    'soa.updated_at',
    'amortization_schedule.updated_at',
    'disbursement.updated_at',
    'payments.0.updated_at',
    'offer.recorded_at',
  ].map((path): (typeof rejectedCases)[number] => [
    '4.4',
    `${path} after the snapshot`,
    { [path]: '2026-11-20T10:00:00.001Z' },
    path,
  ]),
]
for (const [section, name, change, path] of rejectedCases)
  test(`D3 §${section}: rejected: ${name}`, () => assert.deepEqual(faultPaths(apply(change)), [path]))

test('D3 §3: a loan is not active before it is disbursed', () => {
  const found = faultPaths(apply({ case_status: 'READY_TO_DISBURSE', disbursement: null }))
  assert.deepEqual(found, ['loan_status'])
})

test('D3 §4.4: every key of the example is required, at every depth', () => {
  for (const path of pathsOf(exampleStatus()).filter((path) => !/\.\d+$/.test(path)))
    assert.ok(faultPaths(withChange(exampleStatus(), path, undefined)).includes(path), path)
})

/** The nullable paths of D3 §2.5 and §4.4, plus `disbursement`, which has no amount before the transfer. */
const nullable =
  /^(?:celestium_lead_id|celestium_loan_id|loan_account_id|offer|offer\.(?:source_event_id|recorded_at)|disbursement|soa|amortization_schedule|disbursement\.(?:bank_reference|reason_code)|payments\.0\.(?:claim_reference|collection_id|mandate_reference|bank_reference|provider_reference|value_date|reason_code|reversal_of_payment_id))$/
test('D3 §4.4: null is accepted only where it is allowed', () => {
  for (const path of pathsOf(exampleStatus())) {
    const refusedAsNull = inconsistencies(withChange(exampleStatus(), path, null)).some(
      (line) => line.startsWith(`${path} must be`) && !/DISBURSED|ACCEPT/.test(line),
    )
    assert.equal(refusedAsNull, !nullable.test(path), path)
    assert.notEqual(valueAt(exampleStatus(), path), undefined)
  }
})

test('D3 §2.5: property: a statement is accepted if and only if its total is the sum of its parts and includes the overdue amount', () => {
  const paise = fc.bigInt({ min: 0n, max: 10_000_000n })
  fc.assert(
    fc.property(paise, paise, paise, paise, fc.bigInt({ min: -2n, max: 2n }), paise, (p, i, n, c, off, overdue) => {
      const total = p + i + n + c + off
      fc.pre(total >= 0n)
      const soa = {
        ...exampleStatus().soa,
        principal_outstanding: rupees(p),
        interest_outstanding: rupees(i),
        penalty_outstanding: rupees(n),
        charges_outstanding: rupees(c),
        total_outstanding: rupees(total),
        total_overdue: rupees(overdue),
      }
      assert.equal(inconsistencies(apply({ soa })).length === 0, off === 0n && overdue <= total)
    }),
  )
})

test('D3 §2.5: a row’s status matches its paid and unpaid amounts, and its amount is the sum of its parts', () => {
  const row = exampleStatus().amortization_schedule!.installments[3]!
  const fits = (status: string, paid: bigint, unpaid: bigint): boolean => {
    const money = { amount: rupees(paid + unpaid), paid_amount: rupees(paid), unpaid_amount: rupees(unpaid) }
    const parts = { principal: money.amount, interest: '0.00', charges: '0.00' }
    const changedRow = { ...row, ...money, ...parts, status }
    return inconsistencies(apply({ 'amortization_schedule.installments.3': changedRow })).length === 0
  }
  const amounts = [0n, 5n].flatMap((paid) => [0n, 5n].map((unpaid) => ({ paid, unpaid })))
  const fitting = (status: string) => amounts.filter(({ paid, unpaid }) => fits(status, paid, unpaid))
  assert.deepEqual(fitting('DUE'), [{ paid: 0n, unpaid: 5n }])
  assert.deepEqual(fitting('PART_PAID'), [{ paid: 5n, unpaid: 5n }])
  assert.deepEqual(fitting('PAID'), [
    { paid: 0n, unpaid: 0n },
    { paid: 5n, unpaid: 0n },
  ])
  assert.deepEqual(fitting('OVERDUE'), [
    { paid: 0n, unpaid: 5n },
    { paid: 5n, unpaid: 5n },
  ])

  const parts = { principal: '4545.00', interest: '200.00', charges: '45.00' }
  assert.deepEqual(inconsistencies(apply({ 'amortization_schedule.installments.3': { ...row, ...parts } })), [])
})

test('D3 §8: a snapshot over 15 minutes old is stale', () => {
  const status = exampleStatus()
  const snapshotMs = Date.parse(status.snapshot_at)
  assert.ok(isFresh(status, new Date(snapshotMs + freshForMs)))
  assert.ok(!isFresh(status, new Date(snapshotMs + freshForMs + 1)))
  assert.ok(isFresh(status, new Date(snapshotMs - freshForMs)))
  assert.ok(!isFresh(status, new Date(snapshotMs - freshForMs - 1)))
})

test('D3 §9: unknown keys are accepted at every depth of a snapshot', () => {
  const status = exampleStatus()
  const more = { ...status, more: 1, soa: { ...status.soa, more: [] }, checks: { ...status.checks, more: null } }
  assert.deepEqual(inconsistencies(more), [])
})
