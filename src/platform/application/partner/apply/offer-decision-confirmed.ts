// OFFER_DECISION_CONFIRMED: the partner has recorded the borrower's word; a receipt alone never says so (D3 §6 rule 3).
import { Refusal } from '#kit/http/refusal.ts'
import type { Applier } from '#platform/application/partner/applier.ts'
import { confirmed } from '#platform/application/partner/confirmed.ts'

export const onOfferDecisionConfirmed: Applier<'OFFER_DECISION_CONFIRMED'> = async (
  { tx, at },
  { application },
  { data },
) => {
  if (data.source_event_id !== application.decisionEventId)
    throw new Refusal('forbidden', 'source_event_id is no decision of ours', { code: 'IDENTITY_CONFLICT' })
  if (data.offer_id !== application.offerId || data.decision !== application.decision)
    throw new Refusal('wrong-state', 'another decision was made', { code: 'STALE_OFFER' })
  // Status may have told it before.
  if (data.decision === 'ACCEPT' && application.stage === 'DECIDED') await confirmed(tx, application, at)
}
