// KYC_UPDATED (the identity provider's result) and KYC_REVIEW_DECIDED (the lender's own review) (D3 §6 rules 1 and 2).

import type { Table } from '@lendloom/foundation/machine'
import type { FieldError } from '@lendloom/foundation/refusal'
import { OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { brokenRules, Code, Ids, Instant, Reference, Text } from '#wire/exchange/fields.ts'

export const kycStatuses = ['REQUESTED', 'REVIEW_READY', 'APPROVED', 'REJECTED', 'TERMINATED', 'EXPIRED'] as const
export type KycStatus = (typeof kycStatuses)[number]

/** Transitions of one request at its provider; endings are final. */
export const kycMachine: Table<KycStatus, KycStatus> = {
  REQUESTED: {
    REVIEW_READY: 'REVIEW_READY',
    APPROVED: 'APPROVED',
    REJECTED: 'REJECTED',
    TERMINATED: 'TERMINATED',
    EXPIRED: 'EXPIRED',
  },
  REVIEW_READY: { APPROVED: 'APPROVED', REJECTED: 'REJECTED', TERMINATED: 'TERMINATED', EXPIRED: 'EXPIRED' },
  APPROVED: {},
  REJECTED: {},
  TERMINATED: {},
  EXPIRED: {},
}

export const KycUpdated = Type.Object({
  provider: Code,
  provider_reference_id: Reference,
  mode: OneOf(['STANDARD', 'VIDEO_AND_MANUAL_REVIEW']),
  status: OneOf(kycStatuses),
  verified: Type.Boolean(),
  provider_event_id: orNull(Reference),
  provider_updated_at: Instant,
  document_ids: Ids,
  reason_code: orNull(Code),
})
export type KycUpdated = Static<typeof KycUpdated>

const failureStatuses: readonly KycStatus[] = ['REJECTED', 'TERMINATED', 'EXPIRED']

export const checkKycUpdated = ({ status, verified, reason_code }: KycUpdated, under = 'data'): FieldError[] =>
  brokenRules(
    under,
    [verified && status !== 'APPROVED', 'verified', 'can be true only when status is APPROVED'],
    [failureStatuses.includes(status) && reason_code === null, 'reason_code', `is required when status is ${status}`],
  )

/** KYC_REVIEW_DECIDED: the lender's own KYC review, which cannot replace the provider's result (D3 §6 rule 2). */
export const kycReviewDecisions = ['APPROVED', 'REJECTED'] as const
export type KycReviewDecision = (typeof kycReviewDecisions)[number]

export const KycReviewDecided = Type.Object({
  provider: Code,
  provider_reference_id: Reference,
  decision: OneOf(kycReviewDecisions),
  reviewed_at: Instant,
  reviewer_reference: Reference,
  reason_code: Code,
  reason_message: orNull(Text(1000)),
})
export type KycReviewDecided = Static<typeof KycReviewDecided>
