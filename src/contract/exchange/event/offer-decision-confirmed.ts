// OFFER_DECISION_CONFIRMED: the partner recorded the borrower's decision (D3 §6).

import { Id, Instant } from '#contract/exchange/fields.ts'
import { OneOf, type Static, Type, Uuid } from '#kit/http/schema.ts'
import { offerDecisions } from './offer-decision-recorded.ts'

export const OfferDecisionConfirmed = Type.Object({
  /** The `event_id` of the OFFER_DECISION_RECORDED that is confirmed. */
  source_event_id: Uuid,
  offer_id: Id,
  decision: OneOf(offerDecisions),
  recorded_at: Instant,
})
export type OfferDecisionConfirmed = Static<typeof OfferDecisionConfirmed>
