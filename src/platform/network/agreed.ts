// The agreed terms in `init` and `confirm`; pure.
import type { BankAccount } from '#contract/hosted/embed.ts'
import type { SettlementAccount } from '#contract/network/v230/order.ts'
import { termsFrom } from '#platform/journey/journey.ts'
import type { LenderOffer } from '#platform/lender/channel.ts'
import type { FinalTerms } from './ask-lender.ts'

/** Returns the terms for `init` and `confirm`. `account` is null when the product sends the account in a form. */
export function finalTermsFrom(
  { terms, pledges, journeyId }: Pick<LenderOffer, 'terms' | 'pledges' | 'journeyId'>,
  account: BankAccount | null,
): FinalTerms {
  if (!terms) throw new Error(`the chosen offer of journey ${journeyId} has no terms`)
  return { terms: termsFrom(terms), pledges, account: account && disbursalAccount(account) }
}

/** The disbursal account in the format of lenders against mutual funds. */
const disbursalAccount = ({ accountNumber, ifsc, accountType, accountHolderName }: BankAccount): SettlementAccount => ({
  accountNumber,
  ifsc,
  type: accountType === 'current' ? 'current' : 'savings',
  holderName: accountHolderName,
  bankName: null,
})
