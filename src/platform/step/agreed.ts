// What was agreed on with the lender that holds the journey: what `init` and `confirm` settle on.

import type { BankAccount } from '#contract/hosted/embed.ts'
import type { Account } from '#contract/network/v230/disbursal.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { termsFrom } from '#platform/journey/terms.ts'
import type { Agreed } from '#platform/network/ask-lender.ts'
import type { Offer } from '#platform/offer/offer.ts'
import { findSelected } from '#platform/offer/store.ts'
import { productOf } from '#platform/product/products.ts'
import { bankContext } from './step.ts'
import { findStep } from './store.ts'

export async function agreedOn(tx: Tx, ctx: Context, journey: Journey): Promise<Agreed> {
  const offer = await findSelected(tx, journey)
  if (!offer) throw new Error(`journey ${journey.journeyId} goes on with a lender, but no offer of it is chosen`)
  return agreedBy(offer, productOf(journey).network.isAccountInOrder ? await accountOf(tx, ctx, journey) : null)
}

/** The account goes into these messages where units secure the loan; of other loans a form of its own tells it. */
export function agreedBy({ terms, pledges, journeyId }: Offer, account: BankAccount | null): Agreed {
  if (!terms) throw new Error(`the offer that holds journey ${journeyId} has no terms`)
  return { terms: termsFrom(terms), pledges, account: account && disbursalAccount(account) }
}

async function accountOf(tx: Tx, ctx: Context, journey: Journey): Promise<BankAccount | null> {
  const { bankSealed } = await findStep(tx, journey, 'bankMandate')
  return bankSealed && ctx.seal.openJson<BankAccount>(bankSealed, bankContext(journey.tenantId, journey.journeyId))
}

/** The account as a lender against mutual funds is told of it. */
const disbursalAccount = ({ accountNumber, ifsc, accountType, accountHolderName }: BankAccount): Account => ({
  accountNumber,
  ifsc,
  type: accountType === 'current' ? 'current' : 'savings',
  holderName: accountHolderName,
  bankName: null,
})
