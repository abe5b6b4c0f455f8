// The account the money goes to and the instalments come from: the borrower's form, passed on to the lender's (D2 §4).

import type { BankAccount } from '#contract/hosted/embed.ts'
import { upper } from '#contract/identifier.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#platform/context.ts'
import { submitWithAccount } from '#platform/exchange/open-case.ts'
import { findCaseOf } from '#platform/exchange/store.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { init } from '#platform/network/ask-lender.ts'
import { readConversation } from '#platform/network/store.ts'
import { submitForm } from '#platform/network/submit-form.ts'
import { findSelected } from '#platform/offer/store.ts'
import { productOf } from '#platform/product/products.ts'
import { agreedBy } from './agreed.ts'
import { moveStep, stepSucceeded } from './move.ts'
import { bankContext } from './step.ts'
import { findStep } from './store.ts'

/**
 * Sends the account to the lender, who verifies it; one against mutual funds is told of it before anything else. Refused as
 * `wrong-state` unless the lender has asked for it.
 */
export async function submitBankAccount(
  tx: Tx,
  ctx: Context,
  journey: Journey,
  account: BankAccount,
  at: Date,
): Promise<void> {
  const { isAccountFirst, network } = productOf(journey)
  const step = await findStep(tx, journey, 'bankMandate')
  if (isAccountFirst && journey.status === 'OFFER_SELECTED')
    throw new Refusal('wrong-state', 'the final terms have to be accepted first', { status: journey.status })
  if (step.status !== 'READY' && step.status !== 'FAILURE')
    throw new Refusal('wrong-state', 'the lender does not ask for a bank account now', { stepStatus: step.status })
  const offer = await findSelected(tx, journey)
  if (!offer) throw new Error(`journey ${journey.journeyId} asks for a bank account without a chosen offer`)
  const kept = { ...account, ifsc: upper(account.ifsc), accountHolderName: account.accountHolderName.trim() }
  const bankSealed = ctx.seal.json(kept, bankContext(journey.tenantId, journey.journeyId))
  await moveStep(tx, journey, 'bankMandate', 'begun', { bankSealed, attempts: step.attempts + 1 }, at)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  if (offer.via === 'PARTNER') {
    // The account goes to the partner with the lead; whose it is, the partner finds out before it pays (D3 §2.3).
    await stepSucceeded(tx, journey, 'bankMandate', at)
    return submitWithAccount(tx, (await findCaseOf(tx, journey))!, at)
  }
  const conversation = (await readConversation(tx, journey.tenantId, journey.journeyId, offer.conversationId))!
  if (network.isAccountInOrder) return void (await init(tx, ctx, conversation, agreedBy(offer, kept), at))
  const fields = {
    accHolderName: kept.accountHolderName,
    acctype: kept.accountType,
    accNo: kept.accountNumber,
    ifscCode: kept.ifsc,
  }
  await submitForm(tx, ctx, conversation, 'BANK', fields, at)
}
