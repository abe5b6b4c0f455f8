// Table of complaints at the lenders, issue; the scenario of the PAN selects a lender's next action.

import type { ResolutionAction, RespondentActionName } from '#contract/network/igm/schema.ts'
import type { FaultScenario } from '#contract/sandbox/fault-rules.ts'
import { type Run, sql, type Tx } from '#kit/db/sql.ts'

const columns = sql`conversation_id, issue_id, raised_at, message_id, ttl, escalated, closed, actions, resolution, updated_at`

/** The caller holds the lock of the conversation. */
export async function issueOf(db: Run, conversationId: string, issueId: string): Promise<Issue | undefined> {
  const [found] = await db<Issue>`
    select ${columns} from issue where conversation_id = ${conversationId} and issue_id = ${issueId}`
  return found
}

export async function keepIssue(tx: Tx, issue: Issue): Promise<void> {
  const { messageId, ttl, escalated, closed, updatedAt } = issue
  const actions = JSON.stringify(issue.actions)
  const resolution = issue.resolution && JSON.stringify(issue.resolution)
  await tx`insert into issue ${tx({ ...issue, actions, resolution })}
    on conflict (conversation_id, issue_id) do update set message_id = ${messageId}, ttl = ${ttl}, escalated = ${escalated},
      closed = ${closed}, actions = ${actions}, resolution = ${resolution}, updated_at = ${updatedAt}`
}

/** A complaint at a lender: the scenario of the PAN selects its next action and time; pure (FIS12 §20). */
export interface Issue {
  conversationId: string
  issueId: string
  raisedAt: string
  messageId: string
  ttl: string
  escalated: boolean
  closed: boolean
  /** `at` is an ISO 8601 instant. */
  actions: { action: RespondentActionName; text: string; at: string }[]
  resolution: Resolution | null
  updatedAt: Date
}

/** `refund` in paise, as text. */
export interface Resolution {
  short: string
  long: string
  action: ResolutionAction
  refund: string | null
}

/** What the lender does next: sends an entry now, or after a while. `isSilent` is done without a callback. */
export interface GrievanceStep {
  action: RespondentActionName
  text: string
  isSilent?: boolean
}

const taken: GrievanceStep = { action: 'PROCESSING', text: 'We are looking into the complaint' }
const question: GrievanceStep = {
  action: 'NEED-MORE-INFO',
  text: 'On which day did it happen, and what is the reference of the payment?',
}
const thanked: GrievanceStep = { action: 'PROCESSING', text: 'Thank you, that helps. We are looking into it' }
const atOfficer: GrievanceStep = { action: 'PROCESSING', text: 'The grievance officer has taken over' }
const resolved: GrievanceStep = { action: 'RESOLVED', text: 'The complaint is resolved' }

/** When: at once, some seconds later, or after the time that the buyer app gives for a first answer. */
export type Delay = 'now' | 'soon' | 'late'

/** What follows a message of the buyer app; null when the lender keeps silent. */
export function afterIssue(
  issue: Pick<Issue, 'actions' | 'escalated'>,
  scenario: FaultScenario | null,
  change: 'opened' | 'added' | 'escalated',
): { step: GrievanceStep; delay: Delay } | null {
  if (change === 'escalated') return { step: atOfficer, delay: 'now' }
  if (change === 'added')
    return issue.actions.at(-1)?.action === 'NEED-MORE-INFO' ? { step: thanked, delay: 'now' } : null
  if (issue.actions.length > 0 || scenario === 'grievance-silent') return null
  return { step: taken, delay: scenario === 'grievance-late' ? 'late' : 'now' }
}

/** What follows a step of the lender's own, some seconds later; null when it has done all. */
export function afterStep(
  issue: Pick<Issue, 'actions' | 'escalated'>,
  scenario: FaultScenario | null,
): GrievanceStep | null {
  const last = issue.actions.at(-1)?.action
  if (last !== 'PROCESSING') return null
  const isQuestioned = issue.actions.some(({ action }) => action === 'NEED-MORE-INFO')
  if (scenario === 'grievance-question' && !isQuestioned && !issue.escalated) return question
  return scenario === 'grievance-untold' && !issue.escalated ? { ...resolved, isSilent: true } : resolved
}

/** A complaint that was escalated ends well. */
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
