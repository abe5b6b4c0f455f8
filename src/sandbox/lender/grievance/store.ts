// The table of complaints (issue), and a lender's next action by the fault rule of the PAN.

import type { ResolutionAction, RespondentActionName } from '#contract/network/igm/schema.ts'
import type { FaultScenario } from '#contract/sandbox/fault-rules.ts'
import { type Run, sql, type Tx } from '#kit/db/sql.ts'

const columns = sql`conversation_id, issue_id, raised_at, message_id, ttl, escalated, closed, actions, resolution, updated_at`

/** The caller must hold the lock on the conversation. */
export async function issueOf(db: Run, conversationId: string, issueId: string): Promise<Issue | undefined> {
  const [row] = await db<Issue>`
    select ${columns} from issue where conversation_id = ${conversationId} and issue_id = ${issueId}`
  return row
}

export async function storeIssue(tx: Tx, issue: Issue): Promise<void> {
  const { messageId, ttl, escalated, closed, updatedAt } = issue
  const actions = JSON.stringify(issue.actions)
  const resolution = issue.resolution && JSON.stringify(issue.resolution)
  await tx`insert into issue ${tx({ ...issue, actions, resolution })}
    on conflict (conversation_id, issue_id) do update set message_id = ${messageId}, ttl = ${ttl}, escalated = ${escalated},
      closed = ${closed}, actions = ${actions}, resolution = ${resolution}, updated_at = ${updatedAt}`
}

/** A complaint at a lender (FIS12 §20). */
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

/** `refund` is in paise, as text. */
export interface Resolution {
  short: string
  long: string
  action: ResolutionAction
  refund: string | null
}

/** The lender's next action; a silent action sends no callback. */
export interface GrievanceStep {
  action: RespondentActionName
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
const resolution: GrievanceStep = { action: 'RESOLVED', text: 'The complaint is resolved' }

/** Whether the lender acts at once, or after the buyer app's deadline for a first answer. */
type Delay = 'now' | 'late'

/** The step after a message of the buyer app; null when the lender does not answer. */
export function afterIssue(
  issue: Pick<Issue, 'actions' | 'escalated'>,
  scenario: FaultScenario | null,
  change: 'opened' | 'added' | 'escalated',
): { step: GrievanceStep; delay: Delay } | null {
  if (change === 'escalated') return { step: escalation, delay: 'now' }
  if (change === 'added')
    return issue.actions.at(-1)?.action === 'NEED-MORE-INFO' ? { step: thanks, delay: 'now' } : null
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

/** An escalated complaint ends with a refund. */
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
