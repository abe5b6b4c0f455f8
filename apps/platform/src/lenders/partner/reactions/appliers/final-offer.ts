// Applies the partner's review of a lead, which contains the final terms or a rejection, and the partner's confirmation
// of the borrower's decision (D3 §1.1 rule 3, §2.4).

import { PrerequisiteError } from '@lendloom/event-log/inbox'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { TxContext } from '#platform/context.ts'
import { partnerOf } from '#platform/lenders/partner/call-partner.ts'
import { reasonForPartner } from '#platform/lenders/partner/decide-case.ts'
import { sendEvent } from '#platform/lenders/partner/deliver-events.ts'
import { type PartnerCase, stageAfter } from '#platform/lenders/partner/loan-case.ts'
import { recordConfirmation } from '#platform/lenders/partner/reactions/apply-status.ts'
import { urlOfCheck } from '#platform/lenders/partner/reactions/checks/check-link.ts'
import { endRejectedCase } from '#platform/lenders/partner/reactions/end-application.ts'
import { creditRejection } from '#platform/lenders/partner/rejecting-bureau.ts'
import { changeCase } from '#platform/lenders/partner/store.ts'
import { finalTerms, termsOf, validateFinalOffer } from '#platform/lenders/partner/terms.ts'
import { recordTerms } from '#platform/lending/offer/lender-answers.ts'
import { markStepReady } from '#platform/lending/step/move-step.ts'
import type { EventApplier } from './event-applier.ts'

export const onManualReviewDecided: EventApplier<'MANUAL_REVIEW_DECIDED'> = async (
  ctx,
  { loanCase, journey },
  { data },
) => {
  const { tx, at } = ctx
  if (loanCase.leadId === null) throw new PrerequisiteError('the lead is not registered yet')
  const { offer } = data
  if (offer === null) {
    ctx.log.info({ caseRef: loanCase.caseRef, reason: data.reason_code }, 'the partner rejected an application')
    // A status report or the borrower may have ended the case already.
    if (loanCase.stage === 'ENDED') return
    stageAfter(loanCase, 'end')
    const { isCreditReason, bureau } = creditRejection(data)
    const endedBecause = `rejected: ${data.reason_code}${bureau === null ? '' : `, by ${bureau}`}`
    const reason = isCreditReason ? 'REJECTED_ON_CREDIT_REPORT' : 'APPLICATION_REJECTED'
    return void (await endRejectedCase(ctx, { loanCase, journey }, endedBecause, reason))
  }
  if (loanCase.stage === 'ENDED') return rejectLateOffer(ctx, loanCase, offer.offer_id)
  const stage = stageAfter(loanCase, 'offered')
  if (loanCase.offerId === offer.offer_id)
    throw new Refusal('wrong-state', 'this offer_id was already used; changed terms need a new offer_id', {
      code: 'STALE_OFFER',
    })
  const { terms, quote } = finalTerms(offer)
  if (quote.validUntil <= at)
    throw new Refusal('wrong-state', 'the offer had already expired when it arrived', { code: 'STALE_OFFER' })
  // The lead contained the amount that the borrower chose.
  validateFinalOffer(offer, required(journey.preferredAmountPaise, 'the amount that the borrower chose'))
  const offered = await changeCase(tx, loanCase, { stage, offerId: offer.offer_id }, at)
  const source = {
    conversationId: loanCase.caseRef,
    lenderId: required(loanCase.lenderId, 'the lender of a case'),
  }
  const updated = await recordTerms(
    ctx,
    journey,
    source,
    termsOf(terms, quote, (await partnerOf(ctx, tx, loanCase)).rules, at),
  )
  // Until the partner confirms the decision, the KYC page only asks the borrower to wait (D3 §6 rule 3).
  await markStepReady(ctx, updated, { name: 'kyc', page: { url: urlOfCheck(ctx, offered, 'kyc'), formId: 'kyc' }, at })
}

/** Answers the first offer for an ended case with the decision REJECT, and refuses later offers. */
async function rejectLateOffer(ctx: TxContext, loanCase: PartnerCase, offerId: string): Promise<void> {
  const { tx, at } = ctx
  if (loanCase.decision !== null)
    throw new Refusal('wrong-state', 'the application has ended', { stage: loanCase.stage })
  const data = {
    offer_id: offerId,
    decision: 'REJECT',
    decided_at: at.toISOString(),
    reason: reasonForPartner(loanCase.endedBecause),
  } as const
  const decisionEventId = await sendEvent(ctx, loanCase, { type: 'OFFER_DECISION_RECORDED', data })
  await changeCase(tx, loanCase, { offerId, decision: 'REJECT', decisionEventId }, at)
}

/** Applies the partner's confirmation, without which the borrower's acceptance does not count (D3 §6 rule 3). */
export const onOfferDecisionConfirmed: EventApplier<'OFFER_DECISION_CONFIRMED'> = async (
  { tx, at },
  { loanCase },
  { data },
) => {
  if (data.source_event_id !== loanCase.decisionEventId)
    throw new Refusal('forbidden', 'source_event_id does not match the decision event', { code: 'IDENTITY_CONFLICT' })
  if (data.offer_id !== loanCase.offerId || data.decision !== loanCase.decision)
    throw new Refusal('wrong-state', 'the confirmation does not match the decision', { code: 'STALE_OFFER' })
  // A status report may already have confirmed the acceptance.
  if (data.decision === 'ACCEPT' && loanCase.stage === 'DECIDED') await recordConfirmation(tx, loanCase, at)
}
