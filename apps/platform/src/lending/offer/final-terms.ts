// The final terms that borrower and lender have agreed.

import type { Pledge } from '@lendloom/lending/pledge'
import type { BankAccount } from '@lendloom/wire/hosted/embed-requests'
import type { Terms } from '#platform/lending/journey/journey.ts'
import { termsFrom } from '#platform/lending/journey/stored-terms.ts'
import type { LenderOffer } from '#platform/lending/lender/channel.ts'

/** A loan against mutual funds also has the pledged units and the account; of other loans the account is null. */
export interface FinalTerms {
  terms: Terms
  pledges: Pledge[]
  account: BankAccount | null
}

/** Returns the final terms of a chosen offer. `account` is null when the product sends the account in a form. */
export function finalTermsFrom(
  { terms, pledges, journeyId }: Pick<LenderOffer, 'terms' | 'pledges' | 'journeyId'>,
  account: BankAccount | null,
): FinalTerms {
  if (!terms) throw new Error(`the chosen offer of journey ${journeyId} has no terms`)
  return { terms: termsFrom(terms), pledges, account }
}
