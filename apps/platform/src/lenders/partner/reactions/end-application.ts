// Ends an application at a partner: the case, and what the borrower then sees of the lender or the journey.

import type { EndReason, OfferReason } from '@lendloom/lending/reason/reason'
import type { TxContext } from '#platform/context.ts'
import { endCase } from '#platform/lenders/partner/decide-case.ts'
import { recordNoOffer } from '#platform/lending/offer/lender-answers.ts'
import { endAsRejected } from '#platform/lending/step/lender-decision.ts'
import type { CaseAndJourney } from './lock-case.ts'

/** Ends a case before its lead is submitted. The borrower sees the lender without an offer and with `shownReason`. */
export async function endBeforeLead(
  ctx: TxContext,
  { loanCase, journey }: CaseAndJourney,
  internalReason: string,
  shownReason: OfferReason,
): Promise<void> {
  const { tx, at } = ctx
  await endCase(tx, loanCase, internalReason, at)
  if (journey.active && loanCase.lenderId !== null)
    await recordNoOffer(ctx, journey, { conversationId: loanCase.caseRef, lenderId: loanCase.lenderId }, shownReason)
}

/** Ends a rejected case, and the journey if it is still active. */
export async function endRejectedCase(
  ctx: TxContext,
  { loanCase, journey }: CaseAndJourney,
  internalReason: string,
  shownReason: EndReason,
): Promise<CaseAndJourney> {
  const { tx, at } = ctx
  const ended = await endCase(tx, loanCase, internalReason, at)
  return {
    loanCase: ended,
    journey: journey.active ? await endAsRejected(ctx, journey, shownReason) : journey,
  }
}
