// KYC_REVIEW_DECIDED: the lender's own review of the borrower's identity, which cannot replace the provider's (D3 §6 rule 2).

import { Code, Instant, Reference, Text } from '#contract/exchange/fields.ts'
import { OneOf, orNull, type Static, Type } from '#kit/http/schema.ts'

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
