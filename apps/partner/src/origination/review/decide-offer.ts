// Records and confirms the borrower's decision on the final offer; expires undecided offers (D3 §1.1 rule 4, §3).

import { secondsAfter } from '@lendloom/foundation/clock'
import { required } from '@lendloom/foundation/required'
import type { OfferDecision } from '@lendloom/wire/exchange/event/decision'
import type { Context, TxContext } from '#partner/context.ts'
import { enqueueCaseEvent } from '#partner/exchange/enqueue-events.ts'
import type { Case, CaseMove } from '#partner/origination/case/lifecycle.ts'
import { moveCase } from '#partner/origination/case/move-case.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { checkDecision, type OfferDecisionRequest } from './offer.ts'
import { currentOffer, lapsedOffers, recordDecision } from './store.ts'

const moves: Record<OfferDecision, CaseMove> = { ACCEPT: 'accepted', REJECT: 'rejected', EXPIRE: 'expired' }

interface RecordedOfferDecision extends OfferDecisionRequest {
  sourceEventId: string
}

/** Records and confirms the borrower's decision. Throws like `checkDecision`. Confirms a repeated decision again. */
export async function decideOffer(ctx: TxContext, loanCase: Case, offerDecision: RecordedOfferDecision): Promise<void> {
  const { tx, at } = ctx
  const { isRepeated, offer } = checkDecision(await currentOffer(tx, loanCase.caseRef), offerDecision)
  const { offerId, decision, decidedAt, sourceEventId } = offerDecision
  if (!isRepeated) {
    await recordDecision(tx, offer, { decision, sourceEventId, decidedAt, recordedAt: at })
    await moveCase(tx, loanCase, moves[decision], at)
  }
  const data = {
    source_event_id: sourceEventId,
    offer_id: offerId,
    decision,
    recorded_at: (isRepeated ? required(offer.recordedAt, 'the time of a recorded decision') : at).toISOString(),
  }
  await enqueueCaseEvent(ctx, loanCase, { type: 'OFFER_DECISION_CONFIRMED', data })
}

const batch = 100

/** Expires undecided offers after the grace period for late events (D3 §3, §8). Returns the number of offers found. */
export async function lapseOffers(ctx: Context, at: Date): Promise<number> {
  const before = secondsAfter(at, -60 * ctx.config.PARTNER_OFFER_GRACE_MINUTES)
  const dueOffers = await lapsedOffers(ctx.db, before, batch)
  for (const { caseRef } of dueOffers)
    await ctx.db.tx(async (tx) => {
      const loanCase = await lockCase(tx, caseRef)
      const offer = await currentOffer(tx, caseRef)
      if (loanCase.status !== 'OFFERED' || offer?.decision !== 'PENDING' || offer.validUntil >= before) return
      const expiry = { decision: 'EXPIRE' as const, sourceEventId: null, decidedAt: offer.validUntil, recordedAt: at }
      await recordDecision(tx, offer, expiry)
      await moveCase(tx, loanCase, 'expired', at)
    })
  return dueOffers.length
}
