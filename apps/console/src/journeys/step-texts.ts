// The state of a lender's step in words.

import type { JourneyHead } from '@lendloom/wire/console/journeys'
import { labelOf } from '../ui/code-labels.ts'

type Steps = Pick<JourneyHead, 'steps' | 'visitsBranch'>

/** Whether the borrower signs on the lender's own page, which then has the other steps too. */
const isOnLendersPage = ({ steps }: Steps): boolean =>
  steps.some(({ name, status }) => name === 'loanAgreement' && status === 'NOT_REQUIRED')

/** The name of a step, by what the borrower does in it. */
export function stepName(name: string, { visitsBranch, line }: Pick<JourneyHead, 'visitsBranch' | 'line'>): string {
  if (visitsBranch && name === 'kyc') return 'Visit to the branch'
  return line !== null && name === 'disbursal' ? 'First drawdown' : labelOf(name)
}

/** A step that the app does not need is one that the borrower does elsewhere, if there is such a place. */
export function stepState(status: string, journey: Steps): string {
  if (status !== 'NOT_REQUIRED') return labelOf(status)
  if (journey.visitsBranch) return 'At the branch'
  return isOnLendersPage(journey) ? 'On the lender’s page' : labelOf(status)
}
