// Submits the borrower's bank account for disbursal and instalments to the lender (D2 §4).

import { Refusal } from '@lendloom/foundation/refusal'
import type { BankAccount } from '@lendloom/wire/hosted/embed-requests'
import { upper } from '@lendloom/wire/identifier'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { findSelected } from '#platform/lending/offer/store.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { markStepSucceeded, moveStep } from './move-step.ts'
import { isDoneOnPage } from './step.ts'
import { bankContext, findStep } from './store.ts'

/**
 * Sends the account to the lender, which verifies it. For a loan against mutual funds this is the first step after
 * the final terms are accepted. Throws `wrong-state` unless the lender has requested the account.
 */
export async function submitBankAccount(ctx: TxContext, journey: Journey, account: BankAccount): Promise<void> {
  const { tx, at } = ctx
  const { isAccountFirst } = productOf(journey)
  const step = await findStep(tx, journey, 'bankMandate')
  if (isAccountFirst && journey.status === 'OFFER_SELECTED')
    throw new Refusal('wrong-state', 'the final terms must be accepted first', { status: journey.status })
  if (step.status !== 'READY' && step.status !== 'FAILURE')
    throw new Refusal('wrong-state', 'the lender does not request a bank account now', { stepStatus: step.status })
  if (isDoneOnPage(step))
    throw new Refusal('wrong-state', 'the account is already known; the borrower completes this step on a page', {
      step: step.name,
    })
  const offer = await findSelected(tx, journey)
  if (!offer) throw new Error(`journey ${journey.journeyId} requests a bank account without a chosen offer`)
  const normalized = { ...account, ifsc: upper(account.ifsc), accountHolderName: account.accountHolderName.trim() }
  const bankSealed = ctx.seal.json(normalized, bankContext(journey.tenantId, journey.journeyId))
  const change = { bankSealed, attempts: step.attempts + 1 }
  const begun = await moveStep(tx, journey, { step, move: 'begun', change, at }, { lastBorrowerActAt: at })
  const verification = await ctx.channels[offer.channel].submitAccount(ctx, journey, offer, normalized)
  if (verification === 'accepted') await markStepSucceeded(tx, journey, begun, at)
}
