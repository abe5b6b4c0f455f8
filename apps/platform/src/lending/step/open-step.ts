// The borrower's visits to the lender's pages (KYC, e-mandate, e-sign). The first KYC visit sets LENDER_REDIRECTED.

import { Refusal } from '@lendloom/foundation/refusal'
import type { TxContext } from '#platform/context.ts'
import { advance } from '#platform/lending/journey/advance.ts'
import { isWithLender, type Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { findSelected } from '#platform/lending/offer/store.ts'
import { moveStep } from './move-step.ts'
import { pageUrlOf, type StepName } from './step.ts'
import { findStep } from './store.ts'

/** Whether the step may be opened now. A lender may request the bank statement before the final terms are accepted. */
const mayOpenStep = (journey: Journey, name: StepName): boolean =>
  isWithLender(journey) || (journey.status === 'OFFER_SELECTED' && name === 'bankMandate')

/**
 * Returns the address of the lender's page and counts a new attempt. Throws `wrong-state` before
 * the final terms are accepted, before the lender has sent its page, and after the step has succeeded.
 */
export async function openStep(
  ctx: TxContext,
  journey: Journey,
  name: StepName,
): Promise<{ url: string; journey: Journey }> {
  const { tx, at } = ctx
  if (!mayOpenStep(journey, name))
    throw new Refusal('wrong-state', `the journey is ${journey.status}: no lender's page can be opened`, {
      status: journey.status,
    })
  const step = await findStep(tx, journey, name)
  const url = pageUrlOf(ctx.seal, journey, step)
  if (!url)
    throw new Refusal('wrong-state', 'the lender has not sent this page yet', { step: name, stepStatus: step.status })
  if (step.diagnostics && !step.diagnostics.retryable)
    throw new Refusal('wrong-state', step.diagnostics.problem, { step: name, stepStatus: step.status })
  // Reopening an open page is the same attempt.
  const attempts = step.status === 'IN_PROGRESS' ? step.attempts : step.attempts + 1
  await moveStep(tx, journey, { step, move: 'begun', change: { attempts }, at }, { lastBorrowerActAt: at })
  if (name === 'loanAgreement') await pageVisited(ctx, journey, { isBack: false, number: attempts })
  if (name !== 'kyc' || journey.status === 'LENDER_REDIRECTED') return { url, journey }
  return { url, journey: await advance(ctx, journey, 'redirected') }
}

/** Records the return from the page of a step; ignored before the first visit and after the step is done. */
export async function returnFromStep(ctx: TxContext, journey: Journey, name: StepName): Promise<void> {
  const { tx, at } = ctx
  const { status, attempts } = await findStep(tx, journey, name)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  if (status === 'IN_PROGRESS') await pageVisited(ctx, journey, { isBack: true, number: attempts })
}

async function pageVisited(
  ctx: TxContext,
  journey: Journey,
  visit: { isBack: boolean; number: number },
): Promise<void> {
  const offer = await findSelected(ctx.tx, journey)
  if (offer) await ctx.channels[offer.channel].pageVisited(ctx, journey, offer, visit)
}
