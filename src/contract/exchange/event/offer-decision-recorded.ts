// OFFER_DECISION_RECORDED: the borrower accepted or rejected the final offer, or let it expire (D3 §6).

import { Id, Instant, Text } from '#contract/exchange/fields.ts'
import { OneOf, orNull, type Static, Type } from '#kit/http/schema.ts'

export const offerDecisions = ['ACCEPT', 'REJECT', 'EXPIRE'] as const
export type OfferDecision = (typeof offerDecisions)[number]

export const OfferDecisionRecorded = Type.Object({
  offer_id: Id,
  decision: OneOf(offerDecisions),
  /** When the borrower acted, not when it was sent. */
  decided_at: Instant,
  reason: orNull(Text(1000)),
})
export type OfferDecisionRecorded = Static<typeof OfferDecisionRecorded>
