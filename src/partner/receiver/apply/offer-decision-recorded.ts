// OFFER_DECISION_RECORDED: what the borrower decided on the current offer, once (D3 §1.1 rule 4, §3).
import type { EventOf } from '#contract/exchange/envelope.ts'
import type { TxContext } from '#partner/context.ts'
import { decideOffer } from '#partner/review/decide-offer.ts'
import { caseOf } from './case-of.ts'

export async function onOfferDecision(ctx: TxContext, event: EventOf<'OFFER_DECISION_RECORDED'>): Promise<void> {
  const { tx } = ctx
  const loanCase = await caseOf(tx, event)
  const { offer_id: offerId, decision, decided_at } = event.data
  const decided = { offerId, decision, decidedAt: new Date(decided_at), sourceEventId: event.event_id }
  await decideOffer(ctx, loanCase, { ...decided })
}
