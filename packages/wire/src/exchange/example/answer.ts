// Complete valid answers: a snapshot, a dedupe check, a stored document, and their requests (D3 §4).
import { installmentsOfProduct } from '#wire/exchange/account.ts'
import type { DedupeReply, DedupeRequest } from '#wire/exchange/dedupe.ts'
import type { DocumentForm, DocumentReply } from '#wire/exchange/document.ts'
import type { SnapshotStatus } from '#wire/exchange/snapshot.ts'
import { exampleAt, exampleData, exampleIds, sourceEventId } from './event.ts'

const installments = (): NonNullable<SnapshotStatus['amortization_schedule']>['installments'] =>
  Array.from({ length: installmentsOfProduct }, (_, i) => {
    const day = new Date(Date.UTC(2026, 10, 27 + 7 * i)).toISOString().slice(0, 10)
    const amount = i === installmentsOfProduct - 1 ? '4789.00' : '4790.00'
    return {
      installment_id: `INST-${i + 1}`,
      installment_number: i + 1,
      due_date: day,
      principal: i === installmentsOfProduct - 1 ? '4550.00' : '4545.00',
      interest: i === installmentsOfProduct - 1 ? '239.00' : '245.00',
      charges: '0.00',
      amount,
      paid_amount: i === 0 ? amount : '0.00',
      unpaid_amount: i === 0 ? '0.00' : amount,
      status: i === 0 ? 'PAID' : 'DUE',
      updated_at: exampleAt,
    }
  })

/** A disbursed loan, its first installment paid. */
export const exampleStatus = (overrides: Partial<SnapshotStatus> = {}): SnapshotStatus => ({
  request_id: '0190f5a0-0000-7000-8000-000000000002',
  external_reference_id: exampleIds.caseRef,
  celestium_lead_id: exampleIds.leadId,
  celestium_loan_id: exampleIds.loanId,
  snapshot_version: 12,
  snapshot_at: exampleAt,
  case_status: 'DISBURSED',
  loan_status: 'ACTIVE',
  loan_account_id: exampleIds.loanAccountId,
  offer: { offer_id: 'OFFER-1', decision: 'ACCEPT', source_event_id: sourceEventId, recorded_at: exampleAt },
  checks: { kyc: 'APPROVED', lender_kyc_review: 'NOT_REQUIRED', mandate: 'ACTIVE', esign: 'COMPLETED' },
  documents: {
    stored: [
      { document_reference_id: 'DOC-1', document_id: 'D-1', document_type: 'BUREAU_REPORT' },
      { document_reference_id: 'DOC-5', document_id: 'D-5', document_type: 'KYC_REPORT' },
      { document_reference_id: 'DOC-7', document_id: 'D-7', document_type: 'SIGNED_LOAN_AGREEMENT' },
    ],
    pending: [],
  },
  disbursement: exampleData('DISBURSEMENT_UPDATED'),
  soa: {
    currency: 'INR',
    updated_at: exampleAt,
    disbursed_amount: '97640.00',
    principal_outstanding: '95455.00',
    interest_outstanding: '215.00',
    penalty_outstanding: '0.00',
    charges_outstanding: '0.00',
    total_outstanding: '95670.00',
    total_overdue: '0.00',
  },
  amortization_schedule: {
    schedule_version: 1,
    updated_at: exampleAt,
    frequency: 'WEEKLY',
    installments: installments(),
  },
  payments: [exampleData('PAYMENT_UPDATED')],
  ...overrides,
})

const requestId = '0190f5a0-0000-7000-8000-000000000003'

export const exampleDedupeRequest = (): DedupeRequest => ({
  request_id: requestId,
  external_reference_id: exampleIds.caseRef,
  product: 'BUSINESS_LOAN',
  applicant: { pan: 'ABCPE1234F', mobile: '+919876543210', date_of_birth: '1992-02-29', name: 'Asha Kumar' },
})

export const exampleDedupeReply = (): DedupeReply => ({
  request_id: requestId,
  external_reference_id: exampleIds.caseRef,
  dedupe_reference_id: 'DD-1001',
  match_status: 'NO_MATCH',
  decision: 'PROCEED',
  reason_code: 'NO_RECORD',
  reason_message: 'No record of this applicant',
  existing_celestium_lead_id: null,
  existing_celestium_loan_id: null,
  checked_at: exampleAt,
})

export const exampleDocumentForm = (): DocumentForm => ({
  request_id: requestId,
  external_reference_id: exampleIds.caseRef,
  celestium_lead_id: exampleIds.leadId,
  celestium_loan_id: exampleIds.loanId,
  document_reference_id: 'DOC-1',
  document_type: 'BUREAU_REPORT',
  provider_reference_id: 'CRIF-9001',
})

export const exampleDocumentReply = (): DocumentReply => {
  const { provider_reference_id: _, ...replyFields } = exampleDocumentForm()
  return {
    ...replyFields,
    document_id: 'D-1',
    file_name: 'bureau.pdf',
    content_type: 'application/pdf',
    size_bytes: 12345,
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    status: 'STORED',
    stored_at: exampleAt,
  }
}
