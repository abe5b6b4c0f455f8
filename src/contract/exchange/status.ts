// One consistent snapshot of a case, and what would make it none: D3 §3, §4.4.
import { OneOf, orNull, type Static, Type, Uuid } from '#kit/http/schema.ts'
import { AmortizationSchedule, Disbursement, Payment, Soa } from './account.ts'
import { ExpectedDocument } from './document.ts'
import { esignStatuses } from './event/esign-updated.ts'
import { kycReviewDecisions } from './event/kyc-review-decided.ts'
import { kycStatuses } from './event/kyc-updated.ts'
import { loanStatuses } from './event/loan-status-updated.ts'
import { mandateStatuses } from './event/mandate-updated.ts'
import { offerDecisions } from './event/offer-decision-recorded.ts'
import { Id, Ids, Instant, LoanId, Version } from './fields.ts'

export const caseStatuses = [
  'RECEIVED',
  'DOCUMENTS_PENDING',
  'UNDER_REVIEW',
  'OFFERED',
  'OFFER_ACCEPTED',
  'KYC_PENDING',
  'MANDATE_PENDING',
  'ESIGN_PENDING',
  'READY_TO_DISBURSE',
  'DISBURSEMENT_PENDING',
  'DISBURSED',
  'REJECTED',
  'EXPIRED',
] as const
export type CaseStatus = (typeof caseStatuses)[number]

export const StatusQuery = Type.Object({ external_reference_id: Id })

const StatusOffer = Type.Object({
  offer_id: Id,
  decision: OneOf(['PENDING', ...offerDecisions]),
  source_event_id: orNull(Uuid),
  recorded_at: orNull(Instant),
})

export const Checks = Type.Object({
  kyc: OneOf(['NOT_STARTED', ...kycStatuses]),
  lender_kyc_review: OneOf(['NOT_STARTED', 'NOT_REQUIRED', ...kycReviewDecisions]),
  mandate: OneOf(['NOT_STARTED', ...mandateStatuses]),
  esign: OneOf(['NOT_STARTED', ...esignStatuses]),
})
export type Checks = Static<typeof Checks>

const StoredDocument = Type.Object({ ...ExpectedDocument.properties, document_id: Id })

export const Status = Type.Object({
  request_id: Uuid,
  external_reference_id: Id,
  celestium_lead_id: orNull(Id),
  celestium_loan_id: orNull(LoanId),
  snapshot_version: Version,
  snapshot_at: Instant,
  case_status: OneOf(caseStatuses),
  loan_status: OneOf(loanStatuses),
  loan_account_id: orNull(Id),
  offer: orNull(StatusOffer),
  checks: Checks,
  documents: Type.Object({ stored: Type.Array(StoredDocument), pending: Ids }),
  /** Null before there is a transfer to speak of: an amount would have to be invented. */
  disbursement: orNull(Disbursement),
  soa: orNull(Soa),
  amortization_schedule: orNull(AmortizationSchedule),
  payments: Type.Array(Payment),
})
export type Status = Static<typeof Status>

/** D3 §8. Nothing that has to do with money rests on an older snapshot. */
export const freshForMs = 15 * 60_000

/** Whether a snapshot is recent enough for money. One from the future is not: a clock is wrong. */
export function isFresh({ snapshot_at }: Pick<Status, 'snapshot_at'>, at: Date): boolean {
  const ageMs = at.getTime() - Date.parse(snapshot_at)
  return ageMs <= freshForMs && ageMs >= -freshForMs
}
