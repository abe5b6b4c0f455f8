// Whether complaints about a loan use the network, and the borrower's contact in any case (FIS12 §20, §7.1
// CONTACT_INFO).

import type { LenderContact } from '#contract/network/v203/lender.ts'
import type { Run } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { rulesOf } from '#platform/lender/rules.ts'
import { products } from '#platform/product/products.ts'
import { type ChosenLoan, chosenLoan } from './store.ts'

/**
 * `network`: the lender is notified in the transaction of the loan · `not-confirmed`: there is no loan yet · `direct`:
 * this kind of loan, or this lender, has no grievance messages.
 */
export type Channel = 'network' | 'not-confirmed' | 'direct'

export function channelOf(loan: ChosenLoan | undefined): Channel {
  if (!loan) return 'not-confirmed'
  if (!rulesOf(loan).takesGrievances || !products[loan.journeyType].network.takesGrievances) return 'direct'
  return loan.orderId === null ? 'not-confirmed' : 'network'
}

/** The loan of a journey whose lender accepts network complaints. Refused as `wrong-state` with another contact. */
export async function complainableLoan(db: Run, journey: Pick<Journey, 'tenantId' | 'journeyId'>): Promise<ChosenLoan> {
  const loan = await chosenLoan(db, journey)
  const channel = channelOf(loan)
  if (loan && channel === 'network') return loan
  if (!loan) throw new Refusal('wrong-state', 'no loan has been chosen yet, so there is nothing to complain of')
  const { name, contact } = loan.lender
  const why =
    channel === 'direct'
      ? 'complaints about this loan do not go over the network'
      : 'the lender has not confirmed the loan yet'
  const details = { lender: name, grievanceOfficer: officerOf(contact) }
  throw new Refusal('wrong-state', `${why}; please turn to ${name} directly: ${contactText(contact)}`, details)
}

export const officerOf = ({ groName: name, groContactNumber: phone, groEmail: email }: LenderContact) => ({
  name,
  phone,
  email,
})

const contactText = ({ groName, groDesignation, groContactNumber, groEmail }: LenderContact): string =>
  [groName, groDesignation, groContactNumber, groEmail].filter(Boolean).join(', ')
