// Decisions on the final offer: the lender's, the borrower's, and the partner's confirmation (D3 §2.4, §6).

import type { FieldError } from '@lendloom/foundation/refusal'
import { OneOf, orNull, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import { brokenRules, Code, Id, Instant, isLater, Text } from '#wire/exchange/fields.ts'
import { checkOffer, FinalOffer } from '#wire/exchange/final-offer.ts'

export const offerDecisions = ['ACCEPT', 'REJECT', 'EXPIRE'] as const
export type OfferDecision = (typeof offerDecisions)[number]

export const OfferDecisionRecorded = Type.Object({
  offer_id: Id,
  decision: OneOf(offerDecisions),
  /** When the borrower decided, not when the event was sent. */
  decided_at: Instant,
  reason: orNull(Text(1000)),
})
export type OfferDecisionRecorded = Static<typeof OfferDecisionRecorded>

/** OFFER_DECISION_CONFIRMED: the partner recorded the borrower's decision (D3 §6). */
export const OfferDecisionConfirmed = Type.Object({
  /** The `event_id` of the confirmed OFFER_DECISION_RECORDED. */
  source_event_id: Uuid,
  offer_id: Id,
  decision: OneOf(offerDecisions),
  recorded_at: Instant,
})
export type OfferDecisionConfirmed = Static<typeof OfferDecisionConfirmed>

/** MANUAL_REVIEW_DECIDED: the lender's credit decision, with complete terms or a reason (D3 §2.4, §6). */
export const ManualReviewDecided = Type.Object({
  decision: OneOf(['APPROVED', 'REJECTED']),
  reason_code: orNull(Code),
  reason_message: orNull(Text(1000)),
  reviewed_at: Instant,
  offer: orNull(FinalOffer),
})
export type ManualReviewDecided = Static<typeof ManualReviewDecided>

/** The rules between the fields of a review: an approval has an offer, a rejection its reason. */
export function checkManualReviewDecided(review: ManualReviewDecided, under = 'data'): FieldError[] {
  const { decision, offer, reviewed_at } = review
  const isRejected = decision === 'REJECTED'
  return [
    ...brokenRules(
      under,
      [!isRejected && offer === null, 'offer', 'is required when decision is APPROVED'],
      [isRejected && offer !== null, 'offer', 'must be null when decision is REJECTED'],
      [isRejected && review.reason_code === null, 'reason_code', 'is required when decision is REJECTED'],
      [isRejected && review.reason_message === null, 'reason_message', 'is required when decision is REJECTED'],
      [offer !== null && !isLater(offer.valid_until, reviewed_at), 'offer.valid_until', 'must be after reviewed_at'],
    ),
    ...(offer === null ? [] : checkOffer(offer, `${under}.offer`)),
  ]
}
