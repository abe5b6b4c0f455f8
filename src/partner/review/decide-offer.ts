// The borrower's decision on the final offer is recorded once, and confirmed (D3 §1.1 rule 4, §3).

import type { OfferDecision } from '#contract/exchange/event/offer-decision-recorded.ts'
import { required } from '#kit/runtime/required.ts'
import type { Case } from '#partner/case/case.ts'
import type { CaseMove } from '#partner/case/lifecycle.ts'
import { moveCase } from '#partner/case/move.ts'
import type { TxContext } from '#partner/context.ts'
import { sendEvent } from '#partner/exchange/send.ts'
import { type Decided, mayDecide } from './offer.ts'
import { currentOffer, recordDecision } from './store.ts'

const moves: Record<OfferDecision, CaseMove> = { ACCEPT: 'accepted', REJECT: 'rejected', EXPIRE: 'expired' }

/** The borrower's decision, the event that brought it, and when that is applied. */
interface OfferDecided extends Decided {
  sourceEventId: string
}

/** Records what the borrower decided. Refused as `mayDecide` does; the recorded decision again is confirmed again. */
export async function decideOffer(ctx: TxContext, loanCase: Case, decided: OfferDecided): Promise<void> {
  const { tx, at } = ctx
  const { is, offer } = mayDecide(await currentOffer(tx, loanCase.caseRef), decided)
  const { offerId, decision, decidedAt, sourceEventId } = decided
  if (is === 'first') {
    await recordDecision(tx, offer, { decision, sourceEventId, decidedAt, recordedAt: at })
    await moveCase(tx, loanCase, moves[decision], at)
  }
  const data = {
    source_event_id: sourceEventId,
    offer_id: offerId,
    decision,
    recorded_at: (is === 'first' ? at : required(offer.recordedAt, 'when a decision was recorded')).toISOString(),
  }
  await sendEvent(ctx, loanCase, { type: 'OFFER_DECISION_CONFIRMED', data })
}
