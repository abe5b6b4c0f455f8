// Complete valid events, for the published document and for tests (D3 §2, §6).

import { fieldsOf } from '@lendloom/foundation/record'
import { type DataOf, type EventOf, type EventType, entityOf, type Side, senderOf } from '#wire/exchange/envelope.ts'
import type { FinalOffer } from '#wire/exchange/final-offer.ts'

/** The case of all examples below. */
export const exampleIds = {
  caseRef: 'CASE-2026-000123',
  leadId: '500123',
  loanId: '70012345',
  loanAccountId: 'LA0000070012345',
} as const

export const senders: Record<Side, string> = { platform: 'LENDLOOM', partner: 'CELESTIUM' }

export const exampleAt = '2026-11-20T10:00:00.000Z'
const address = () => ({
  line1: '12 Market Road',
  line2: null,
  city: 'Bengaluru',
  state: 'Karnataka',
  postal_code: '560001',
  country: 'India',
})
const consent = () => ({ accepted: true, at: exampleAt })

const exampleBorrower = (): DataOf<'LEAD_SUBMITTED'>['borrower'] => ({
  first_name: 'Asha',
  middle_name: null,
  last_name: 'Kumar',
  date_of_birth: '1992-02-29',
  pan: 'ABCPE1234F',
  mobile: '+919876543210',
  email: 'asha@mail.example',
  monthly_income: '85000.00',
  employment_type: 'SELF_EMPLOYED',
  residential_address: address(),
})

const exampleBusiness = (): DataOf<'LEAD_SUBMITTED'>['business'] => ({
  name: 'Asha Stores',
  constitution: 'Sole proprietorship',
  industry: 'Retail - groceries',
  pan: 'ABCPE1234F',
  gstin: '33ABCPE1234F1ZI',
  udyam_number: 'UDYAM-KA-03-0000001',
  annual_turnover: '2400000.00',
  address: { ...address(), line2: 'Ground floor' },
})

const exampleBanking = (): DataOf<'LEAD_SUBMITTED'>['banking'] => ({
  status: 'COMPLETED',
  source: 'STATEMENT_UPLOAD',
  analysis_reference_id: 'BSA-771',
  analyzed_at: exampleAt,
  period_from: '2026-05-01',
  period_to: '2026-10-31',
  report_data: { accounts: [{ averageBalance: 41250.75, narration: 'UPI/412345678901/rent' }] },
  unavailable_reason: null,
  account: {
    holder_name: 'Asha Kumar',
    account_number: '123456789012',
    ifsc: 'HDFC0000001',
    account_type: 'CURRENT',
    bank_name: 'HDFC Bank',
  },
})

export const exampleLead = (): DataOf<'LEAD_SUBMITTED'> => ({
  dedupe_reference_id: 'DD-1001',
  product: 'BUSINESS_LOAN',
  consents: { bureau: consent(), bank_analysis: consent(), data_sharing: consent(), submission: consent() },
  documents_expected: [
    { document_reference_id: 'DOC-1', document_type: 'BUREAU_REPORT' },
    { document_reference_id: 'DOC-2', document_type: 'BANK_ANALYSIS_REPORT' },
  ],
  borrower: exampleBorrower(),
  business: exampleBusiness(),
  banking: exampleBanking(),
  bureau: {
    provider: 'CRIF',
    status: 'AVAILABLE',
    report_reference_id: 'CRIF-9001',
    pulled_at: exampleAt,
    score: 741,
    report_data: null,
    unavailable_reason: null,
  },
  proposed_offer: {
    reference_id: 'PO-1',
    currency: 'INR',
    loan_amount: '100000.00',
    tenure_weeks: 22,
    installment_frequency: 'WEEKLY',
    bre_reference_id: 'BRE-1',
    bre_decision: 'ELIGIBLE',
  },
})

/** Rs 1,00,000 for 22 weeks at 24 %, whole rupees, the last installment one rupee less. */
export const exampleOffer = (): FinalOffer => ({
  offer_id: 'OFFER-1',
  currency: 'INR',
  loan_amount: '100000.00',
  tenure_weeks: 22,
  installment_frequency: 'WEEKLY',
  number_of_installments: 22,
  installment_amount: '4790.00',
  annual_interest_rate_percent: '24.00',
  apr_percent: '35.08',
  interest_rate_type: 'FIXED',
  processing_fee_amount: '2000.00',
  tax_amount: '360.00',
  other_upfront_charges: '0.00',
  net_disbursed_amount: '97640.00',
  total_interest_amount: '5379.00',
  total_payable_amount: '105379.00',
  valid_until: '2026-11-25T18:30:00.000Z',
  kfs_url: 'https://partner.example/kfs/7c1e',
  terms_url: 'https://partner.example/terms/7c1e',
})

export const sourceEventId = '0190f5a0-0000-7000-8000-000000000009'
const provider = {
  provider: 'SETU',
  provider_reference_id: 'prov-ref-1',
  provider_updated_at: exampleAt,
  reason_code: null,
}
const documentIds = ['D-1']

const data: { [T in EventType]: () => DataOf<T> } = {
  LEAD_SUBMITTED: exampleLead,
  LEAD_REGISTERED: () => ({ status: 'DOCUMENTS_PENDING', documents_pending: ['DOC-1', 'DOC-2'] }),
  MANUAL_REVIEW_DECIDED: () => ({
    decision: 'APPROVED',
    reason_code: 'POLICY_OK',
    reason_message: 'Meets policy',
    reviewed_at: exampleAt,
    offer: exampleOffer(),
  }),
  OFFER_DECISION_RECORDED: () => ({ offer_id: 'OFFER-1', decision: 'ACCEPT', decided_at: exampleAt, reason: null }),
  OFFER_DECISION_CONFIRMED: () => ({
    source_event_id: sourceEventId,
    offer_id: 'OFFER-1',
    decision: 'ACCEPT',
    recorded_at: exampleAt,
  }),
  KYC_UPDATED: () => ({
    ...provider,
    mode: 'STANDARD',
    status: 'APPROVED',
    verified: true,
    provider_event_id: 'evt-1',
    document_ids: [...documentIds],
  }),
  KYC_REVIEW_DECIDED: () => ({
    provider: 'SETU',
    provider_reference_id: 'prov-ref-1',
    decision: 'APPROVED',
    reviewed_at: exampleAt,
    reviewer_reference: 'staff-7',
    reason_code: 'MATCHED',
    reason_message: null,
  }),
  MANDATE_UPDATED: () => ({
    ...provider,
    umrn: 'HDFC7021106230012345',
    status: 'ACTIVE',
    verified: true,
    maximum_amount: '10000.00',
    currency: 'INR',
    frequency: 'AS_PRESENTED',
    valid_from: '2026-11-20',
    valid_until: '2027-11-19',
    document_ids: [],
  }),
  ESIGN_UPDATED: () => ({
    ...provider,
    status: 'COMPLETED',
    verified: true,
    provider_event_id: null,
    document_ids: [],
  }),
  DISBURSEMENT_UPDATED: () => ({
    disbursement_id: 'DISB-1',
    status: 'DISBURSED',
    amount: '97640.00',
    currency: 'INR',
    bank_reference: 'HDFCN52026112000001',
    updated_at: exampleAt,
    reason_code: null,
  }),
  PAYMENT_CLAIM_SUBMITTED: () => ({
    claim_reference: 'CLAIM-1',
    service_type: 'MISSED_EMI',
    amount: '4790.00',
    currency: 'INR',
    payment_date: '2026-12-05',
    method: 'UPI',
    transaction_reference: '433912345678',
    document_ids: [],
  }),
  PAYMENT_UPDATED: () => ({
    payment_id: 'PAY-1',
    claim_reference: null,
    collection_id: 'COL-1',
    mandate_reference: 'HDFC7021106230012345',
    installment_ids: ['INST-1'],
    method: 'ENACH',
    status: 'POSTED',
    amount: '4790.00',
    currency: 'INR',
    bank_reference: 'NACH0001',
    provider_reference: 'npci-1',
    value_date: '2026-11-27',
    updated_at: exampleAt,
    reason_code: null,
    reversal_of_payment_id: null,
  }),
  LOAN_STATUS_UPDATED: () => ({
    loan_status: 'ACTIVE',
    snapshot_version: 12,
    updated_at: exampleAt,
    reason_code: 'ACCOUNT_OPENED',
  }),
  EVENT_PROCESSING_FAILED: () => ({
    source_event_id: sourceEventId,
    code: 'INVALID_STATE',
    message: 'the case does not expect this event',
    retryable: false,
    failed_at: exampleAt,
  }),
}

export const exampleData = <T extends EventType>(type: T): DataOf<T> => data[type]()

/** Returns an example event of a type, sent by the permitted side; `overrides` replace its fields. */
export function exampleEvent<T extends EventType>(type: T, overrides: Partial<EventOf<T>> = {}): EventOf<T> {
  const body = overrides.data ?? exampleData(type)
  const isRegistered = type !== 'LEAD_SUBMITTED'
  const side = senderOf(type)
  const entity = entityOf(type)
  return {
    event_version: '2.0',
    event_id: '0190f5a0-0000-7000-8000-000000000001',
    event_type: type,
    occurred_at: exampleAt,
    sender: senders[side === 'either' ? 'partner' : side],
    entity_type: entity,
    entity_id: entity === 'CASE' ? exampleIds.caseRef : String(fieldsOf(body).payment_id),
    entity_version: 1,
    correlation: {
      external_reference_id: exampleIds.caseRef,
      celestium_lead_id: isRegistered ? exampleIds.leadId : null,
      celestium_loan_id: isRegistered ? exampleIds.loanId : null,
    },
    data: body,
    ...overrides,
  }
}
