// What was agreed on with the lender that holds the journey: what `init` and `confirm` settle on.

import type { BankAccount } from '#contract/hosted/embed.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { agreedBy } from '#platform/network/agreed.ts'
import type { Agreed } from '#platform/network/ask-lender.ts'
import { findSelected } from '#platform/offer/store.ts'
import { productOf } from '#platform/product/products.ts'
import { bankContext } from './step.ts'
import { findStep } from './store.ts'

export async function agreedOn(tx: Tx, ctx: Context, journey: Journey): Promise<Agreed> {
  const offer = await findSelected(tx, journey)
  if (!offer) throw new Error(`journey ${journey.journeyId} goes on with a lender, but no offer of it is chosen`)
  return agreedBy(offer, productOf(journey).network.isAccountInOrder ? await accountOf(tx, ctx, journey) : null)
}

async function accountOf(tx: Tx, ctx: Context, journey: Journey): Promise<BankAccount | null> {
  const { bankSealed } = await findStep(tx, journey, 'bankMandate')
  return bankSealed && ctx.seal.openJson<BankAccount>(bankSealed, bankContext(journey.tenantId, journey.journeyId))
}
