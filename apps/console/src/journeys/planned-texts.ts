// What is planned for a journey, in an operator's words.

import { isKeyOf } from '@lendloom/foundation/record'
import type { PlannedKind } from '@lendloom/wire/console/journey-lists'
import { labelOf } from '../ui/code-labels.ts'

export interface PlannedFacts {
  /** The lender with which the job deals; null if the job deals with none, or with several. */
  lender: string | null
  /** The check whose result is fetched, such as `kyc`; null for other jobs. */
  check: string | null
  /** Whether the job ends the search, and not the wait for one lender. */
  isOfSearch: boolean
}

type Phrase = (facts: PlannedFacts) => string

const theLender = ({ lender }: PlannedFacts): string => lender ?? 'the lender'
const thePartner = ({ lender }: PlannedFacts): string => lender ?? 'the lending partner'

const phrases: Record<PlannedKind, Phrase> = {
  'aa-look': () => 'Ask the account aggregator whether the borrower has consented',
  autopilot: () => 'Play the borrower’s next step',
  'fund-statement-look': () => 'Fetch the statement of mutual funds',
  'grievance-changed': () => 'Copy the lender’s answer to the complaint',
  'grievance-follow-up': () => 'Check the lender’s deadline for the complaint',
  'grievance-turned-away': () => 'Handle the lender’s refusal of the complaint',
  'inbound-message': () => 'Apply the messages that have arrived',
  'lender-follow-up': (facts) => `Ask ${theLender(facts)} for its status again`,
  'lender-page': () => 'Look up the address of the lender’s page',
  'loan-look': () => 'Tell the app what has changed in the loan',
  'loan-closed': () => 'Settle the complaints about the closed loan',
  'network-call': () => 'Send the message to the network',
  'network-form': (facts) => `Submit the form to ${theLender(facts)}`,
  'network-timer': (facts) =>
    facts.isOfSearch ? 'Close the search for offers' : `Ask ${theLender(facts)} again if it has not answered`,
  'offer-lapse': ({ lender }) => (lender ? `${lender}’s offer lapses` : 'Check whether an offer is still valid'),
  'offer-window': () => 'Stop waiting for lenders that have not answered',
  'partner-begin': (facts) => `Start the case at ${thePartner(facts)}`,
  'partner-check': ({ check }) =>
    check === null ? 'Fetch the result of the check' : `Fetch the result of the check: ${labelOf(check)}`,
  'partner-claim': (facts) => `Send the claimed payment to ${thePartner(facts)}`,
  'partner-dedupe': (facts) => `Ask ${thePartner(facts)} whether it knows the borrower`,
  'partner-lead': (facts) => `Send the application to ${thePartner(facts)}`,
  'partner-statement': () => 'Fetch the account statement',
  'partner-status': (facts) => `Ask ${thePartner(facts)} for the state of the case`,
  'partner-upload': (facts) => `Send files to ${thePartner(facts)}`,
  'partner-weigh': () => 'Fetch the bureau report and work out the offer',
  'servicing-watch': (facts) => `Ask ${theLender(facts)} whether the payment has arrived`,
  sms: () => 'Send the borrower a code by SMS',
}

/** What a job of this kind will do. */
export const plannedText = (kind: string, facts: PlannedFacts): string =>
  isKeyOf(phrases, kind) ? phrases[kind](facts) : labelOf(kind)
