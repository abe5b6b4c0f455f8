// The agreed terms of the journey's offer with the bank account of the step, as the network's order has them.

import type { Tx } from '@lendloom/postgres/sql'
import type { BankAccount } from '@lendloom/wire/hosted/embed-requests'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { type FinalTerms, finalTermsFrom } from '#platform/lending/offer/final-terms.ts'
import { findSelected } from '#platform/lending/offer/store.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { bankContext, findStep } from './store.ts'

/** The agreed terms of the journey's lender, for `init` and `confirm`. */
export async function finalTermsOf(tx: Tx, ctx: Context, journey: Journey): Promise<FinalTerms> {
  const offer = await findSelected(tx, journey)
  if (!offer) throw new Error(`journey ${journey.journeyId} has no selected offer`)
  return finalTermsFrom(
    offer,
    productOf(journey).network.orderContainsAccount ? await accountOf(tx, ctx, journey) : null,
  )
}

async function accountOf(tx: Tx, ctx: Context, journey: Journey): Promise<BankAccount | null> {
  const { bankSealed } = await findStep(tx, journey, 'bankMandate')
  return bankSealed && ctx.seal.openJson<BankAccount>(bankSealed, bankContext(journey.tenantId, journey.journeyId))
}
