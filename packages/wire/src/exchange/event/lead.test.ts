// The rules of a lead: each case breaks one rule and expects the fault at its field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf } from '@lendloom/foundation/schema-fields'
import { type Case, faultPathsOf, testRules } from '@lendloom/tests/setup/exchange-rule'
import { LeadSubmitted } from './lead.ts'

const failedBanking = { 'banking.status': 'FAILED', 'banking.unavailable_reason': 'the statement is locked' }
const withoutAnalysis = {
  'banking.analysis_reference_id': null,
  'banking.analyzed_at': null,
  'banking.period_from': null,
  'banking.period_to': null,
  'banking.report_data': null,
  'banking.account': null,
}
const withoutReport = {
  'bureau.report_reference_id': null,
  'bureau.pulled_at': null,
  'bureau.score': null,
  'bureau.report_data': null,
}

const rules: Case[] = [
  [
    '2.3',
    'COMPLETED banking requires analysis_reference_id',
    { 'banking.analysis_reference_id': null },
    'banking.analysis_reference_id',
  ],
  ['2.3', 'COMPLETED banking requires analyzed_at', { 'banking.analyzed_at': null }, 'banking.analyzed_at'],
  ['2.3', 'COMPLETED banking requires period_from', { 'banking.period_from': null }, 'banking.period_from'],
  ['2.3', 'COMPLETED banking requires period_to', { 'banking.period_to': null }, 'banking.period_to'],
  ['2.3', 'a period may be one day', { 'banking.period_to': '2026-05-01' }, null],
  ['2.3', 'period_to must not be before period_from', { 'banking.period_to': '2026-04-30' }, 'banking.period_to'],
  ['2.3', 'FAILED banking requires a reason', { 'banking.status': 'FAILED' }, 'banking.unavailable_reason'],
  ['2.3', 'NOT_PROVIDED banking requires a reason', { 'banking.status': 'NOT_PROVIDED' }, 'banking.unavailable_reason'],
  ['2.3', 'FAILED banking with a reason needs no analysis', { ...failedBanking, ...withoutAnalysis }, null],
  ['2.3', 'the analysis may be a file instead', { 'banking.report_data': null }, null],
  [
    '2.3',
    'an analysis must be in the lead or expected as a file',
    {
      'banking.report_data': null,
      documents_expected: [{ document_reference_id: 'DOC-1', document_type: 'BUREAU_REPORT' }],
    },
    'banking.report_data',
  ],
  [
    '2.3',
    'a bureau report must be in the lead or expected as a file',
    { documents_expected: [] },
    'bureau.report_data',
  ],
  ['2.3', 'a bureau report may be in the lead', { documents_expected: [], 'bureau.report_data': { score: 741 } }, null],
  ['2.3', 'an AVAILABLE report requires a score', { 'bureau.score': null }, 'bureau.score'],
  [
    '2.3',
    'an AVAILABLE report requires a reference',
    { 'bureau.report_reference_id': null },
    'bureau.report_reference_id',
  ],
  ['2.3', 'an AVAILABLE report requires pulled_at', { 'bureau.pulled_at': null }, 'bureau.pulled_at'],
  ['2.3', 'NO_HIT requires a reason', { 'bureau.status': 'NO_HIT' }, 'bureau.unavailable_reason'],
  ['2.3', 'a FAILED pull requires a reason', { 'bureau.status': 'FAILED' }, 'bureau.unavailable_reason'],
  [
    '2.3',
    'NO_HIT with a reason needs no report',
    { 'bureau.status': 'NO_HIT', 'bureau.unavailable_reason': 'no history', ...withoutReport },
    null,
  ],
  [
    '2.3',
    'an INELIGIBLE case cannot be submitted',
    { 'proposed_offer.bre_decision': 'INELIGIBLE' },
    'proposed_offer.bre_decision',
  ],
  ['2.3', 'a case for review may be submitted', { 'proposed_offer.bre_decision': 'REVIEW_REQUIRED' }, null],
  ['1', 'the only tenure is 22 weeks', { 'proposed_offer.tenure_weeks': 26 }, 'proposed_offer.tenure_weeks'],
  [
    '1',
    'there is no 150-day option',
    { 'proposed_offer.installment_frequency': 'DAILY' },
    'proposed_offer.installment_frequency',
  ],
  ['1', 'there is one product', { product: 'PERSONAL_LOAN' }, 'product'],
  ['1', 'a salaried borrower is rejected', { 'borrower.employment_type': 'SALARIED' }, 'borrower.employment_type'],
  [
    '2.3',
    'a GSTIN with a wrong check character is rejected',
    { 'business.gstin': '27AAPFU0939F1ZX' },
    'business.gstin',
  ],
  [
    '2.3',
    'the date of birth must be before the submission',
    { 'borrower.date_of_birth': '2026-11-20' },
    'borrower.date_of_birth',
  ],
  ['6', 'consent to submission is required', { 'consents.submission.accepted': false }, 'consents.submission.accepted'],
  [
    '6',
    'consent to data sharing is required',
    { 'consents.data_sharing.accepted': false },
    'consents.data_sharing.accepted',
  ],
  ['6', 'a bureau pull requires consent', { 'consents.bureau.accepted': false }, 'consents.bureau.accepted'],
  [
    '6',
    'a bank analysis requires consent',
    { 'consents.bank_analysis.accepted': false },
    'consents.bank_analysis.accepted',
  ],
  [
    '6',
    'no consent is needed without a bank analysis',
    { ...failedBanking, 'consents.bank_analysis.accepted': false },
    null,
  ],
  [
    '6',
    'a document reference may appear only once',
    { 'documents_expected.1.document_reference_id': 'DOC-1' },
    'documents_expected.1.document_reference_id',
  ],
  [
    '4.3',
    'a document type outside the table is rejected',
    { 'documents_expected.1.document_type': 'SELFIE' },
    'documents_expected.1.document_type',
  ],
]
testRules('LEAD_SUBMITTED', rules)

test('D3 §2.3: a GSTIN is optional, and every valid one is accepted', () => {
  const valid =
    '27AAPFU0939F1ZV 29AABCT1332L1ZA 07AAACR5055K1Z9 33ABCPE1234F1ZI 38AAAAA1234A1ZL 97AAACT2727Q1ZP 09ABCFP6789K2ZD'
  for (const gstin of [null, ...valid.split(' ')])
    assert.deepEqual(faultPathsOf('LEAD_SUBMITTED', { 'business.gstin': gstin }), [], `${gstin}`)
  for (const gstin of ['39AAPFU0939F1ZV', '00AAPFU0939F1ZV', '27aapfu0939f1zv', '27AAPFU0939F1Z', '27ABCDE1234F1Z5'])
    assert.deepEqual(faultPathsOf('LEAD_SUBMITTED', { 'business.gstin': gstin }), ['business.gstin'], gstin)
})

test('D3 §2.3: the schema of a lead says what each optional key means', () => {
  const schema: object = LeadSubmitted
  const optional = fieldsOf(schema).filter(({ isRequired }) => !isRequired)
  const withoutMeaning = optional.filter(({ rule }) => rule === '').map(({ path }) => path)
  assert.ok(optional.some(({ path }) => path === 'borrower.last_name_is_filler'))
  assert.deepEqual(withoutMeaning, [])
})
