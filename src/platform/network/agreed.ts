// The agreed terms in `init` and `confirm`; pure.
import type { BankAccount } from '#contract/hosted/embed.ts'
import type { SettlementAccount } from '#contract/network/v230/order.ts'
import { termsFrom } from '#platform/journey/journey.ts'
import type { LenderOffer } from '#platform/lender/channel.ts'
import type { FinalTerms } from './ask-lender.ts'

/** The account is part of these messages if the product has it so; otherwise a form carries it. */
export function agreedBy(
  { terms, pledges, journeyId }: Pick<LenderOffer, 'terms' | 'pledges' | 'journeyId'>,
  account: BankAccount | null,
): FinalTerms {
  if (!terms) throw new Error(`the offer that holds journey ${journeyId} has no terms`)
  return { terms: termsFrom(terms), pledges, account: account && disbursalAccount(account) }
}

/** The payout account as a lender against mutual funds receives it. */
const disbursalAccount = ({ accountNumber, ifsc, accountType, accountHolderName }: BankAccount): SettlementAccount => ({
  accountNumber,
  ifsc,
  type: accountType === 'current' ? 'current' : 'savings',
  holderName: accountHolderName,
  bankName: null,
})
