// A lender's next action on a complaint, by the fault rule of the PAN.

import type { LenderActionName } from '@lendloom/wire/network/igm/complaint'
import type { FaultScenario } from '@lendloom/wire/sandbox/fault-rules'
import type { Issue, Resolution } from './store.ts'

/** The lender's next action; a silent action sends no callback. */
export interface GrievanceStep {
  action: LenderActionName
  text: string
  isSilent?: boolean
}

const acknowledgement: GrievanceStep = { action: 'PROCESSING', text: 'We are looking into the complaint' }
const question: GrievanceStep = {
  action: 'NEED-MORE-INFO',
  text: 'On which day did it happen, and what is the reference of the payment?',
}
const thanks: GrievanceStep = { action: 'PROCESSING', text: 'Thank you, that helps. We are looking into it' }
const escalation: GrievanceStep = { action: 'PROCESSING', text: 'The grievance officer is handling the complaint' }
const confirmation: GrievanceStep = { action: 'CONFIRMED', text: 'The resolution is carried out' }
const resolution: GrievanceStep = { action: 'RESOLVED', text: 'The complaint is resolved' }

/** Whether the lender acts at once, or after the buyer app's deadline for a first answer. */
type Delay = 'now' | 'late'

export type IssueChange = 'opened' | 'added' | 'accepted' | 'escalated'

/** The step after a message of the buyer app; null when the lender does not answer. */
export function afterIssue(
  issue: Pick<Issue, 'actions' | 'escalated'>,
  scenario: FaultScenario | null,
  change: IssueChange,
): { step: GrievanceStep; delay: Delay } | null {
  const last = issue.actions.at(-1)?.action
  if (change === 'escalated') return { step: escalation, delay: 'now' }
  if (change === 'accepted') return last === 'RESOLVED' ? { step: confirmation, delay: 'now' } : null
  if (change === 'added') return last === 'NEED-MORE-INFO' ? { step: thanks, delay: 'now' } : null
  if (issue.actions.length > 0 || scenario === 'grievance-silent') return null
  return { step: acknowledgement, delay: scenario === 'grievance-late' ? 'late' : 'now' }
}

/** The step after the lender's last action; null when the lender has finished. */
export function afterStep(
  issue: Pick<Issue, 'actions' | 'escalated'>,
  scenario: FaultScenario | null,
): GrievanceStep | null {
  const last = issue.actions.at(-1)?.action
  if (last !== 'PROCESSING') return null
  const hasQuestion = issue.actions.some(({ action }) => action === 'NEED-MORE-INFO')
  if (scenario === 'grievance-question' && !hasQuestion && !issue.escalated) return question
  return scenario === 'grievance-untold' && !issue.escalated ? { ...resolution, isSilent: true } : resolution
}

export const resolutionOf = ({ escalated }: Pick<Issue, 'escalated'>, scenario: FaultScenario | null): Resolution =>
  escalated || scenario === 'grievance-refund'
    ? {
        short: 'We refund ₹500',
        long: 'We refund the amount to your account within five working days. We apologise.',
        action: 'REFUND',
        refund: '50000',
      }
    : {
        short: 'Everything is as agreed',
        long: 'We have compared the loan with its agreement and found no difference. The agreement is among your documents.',
        action: 'NO-ACTION',
        refund: null,
      }
