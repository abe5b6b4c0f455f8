// The state of a lender's step in words.

import { capitalize } from '@lendloom/foundation/text'
import type { JourneyHead } from '@lendloom/wire/console/journeys'
import { labelOf } from '../ui/code-labels.ts'

type Steps = Pick<JourneyHead, 'steps' | 'visitsBranch'> & { isOpened: boolean }

/** Whether the borrower signs on the lender's own page, which then has the other steps too. */
const isOnLendersPage = ({ steps }: Pick<JourneyHead, 'steps'>): boolean =>
  steps.some(({ name, status }) => name === 'loanAgreement' && status === 'NOT_REQUIRED')

/** The name of a step, by what the borrower does in it. */
export function stepName(name: string, { visitsBranch, line }: Pick<JourneyHead, 'visitsBranch' | 'line'>): string {
  if (visitsBranch && name === 'kyc') return 'Visit to the branch'
  return line !== null && name === 'disbursal' ? 'First drawdown' : labelOf(name)
}

/**
 * What was tried more than once; empty for a first try. A lending partner takes the account in our form and then the
 * statement on another page, which are two acts of one step.
 */
export function triesText(
  { name, attempts }: Pick<JourneyHead['steps'][number], 'name' | 'attempts'>,
  { caseRef }: Pick<JourneyHead, 'caseRef'>,
): string {
  if (attempts <= 1) return ''
  if (name !== 'bankMandate' || caseRef === null) return `${attempts} tries`
  const opened = attempts - 1
  return `Account given, then its statement page opened${opened > 1 ? ` ${opened} times` : ''}`
}

/**
 * A step that the app does not need is one that the borrower does elsewhere, if there is such a place. It is done once
 * the loan is paid out or the line is open.
 */
export function stepState(status: string, journey: Steps): string {
  if (status !== 'NOT_REQUIRED') return labelOf(status)
  const place = journey.visitsBranch ? 'at the branch' : isOnLendersPage(journey) ? 'on the lender’s page' : null
  if (place === null) return labelOf(status)
  if (!journey.isOpened) return capitalize(place)
  return journey.visitsBranch ? 'Done at the branch' : 'Done at the lender'
}
