// Decides whether complaints about a loan are sent over the network. If not, the borrower contacts the lender directly
// (FIS12 §20, §7.1 CONTACT_INFO).

import { Refusal } from '@lendloom/foundation/refusal'
import type { LenderContact } from '@lendloom/lending/lender'
import type { Run } from '@lendloom/postgres/sql'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { rulesOf } from '#platform/lending/lender/channel-rules.ts'
import { type ChosenLoan, chosenLoan } from './store.ts'

/**
 * `network`: complaints are sent in the loan's network transaction. `not-confirmed`: no loan is confirmed yet. `direct`:
 * the lender does not support grievance messages.
 */
export type Channel = 'network' | 'not-confirmed' | 'direct'

/** How complaints about the loan that the borrower chose reach its lender. */
export function channelOf(loan: ChosenLoan | undefined): Channel {
  if (!loan) return 'not-confirmed'
  if (!rulesOf(loan).acceptsGrievances) return 'direct'
  return loan.orderId === null ? 'not-confirmed' : 'network'
}

/** Returns the loan if its complaints use the network; otherwise throws `wrong-state` with the lender's contact. */
export async function requireNetworkLoan(
  db: Run,
  journey: Pick<Journey, 'tenantId' | 'journeyId'>,
): Promise<ChosenLoan> {
  const loan = await chosenLoan(db, journey)
  const channel = channelOf(loan)
  if (loan && channel === 'network') return loan
  if (!loan) throw new Refusal('wrong-state', 'the borrower has not chosen a loan yet')
  const { name, contact } = loan.lender
  const reason =
    channel === 'direct'
      ? 'complaints about this loan cannot be sent over the network'
      : 'the lender has not confirmed the loan yet'
  const details = { lender: name, grievanceOfficer: officerOf(contact) }
  throw new Refusal('wrong-state', `${reason}; please contact ${name} directly: ${contactText(contact)}`, details)
}

/** The lender's grievance officer, as its catalogue names one. */
export const officerOf = ({ groName: name, groContactNumber: phone, groEmail: email }: LenderContact) => ({
  name,
  phone,
  email,
})

const contactText = ({ groName, groDesignation, groContactNumber, groEmail }: LenderContact): string =>
  [groName, groDesignation, groContactNumber, groEmail].filter(Boolean).join(', ')
