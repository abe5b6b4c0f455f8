// The table of complaints: issue.

import { parseJson } from '@lendloom/foundation/json'
import { fieldsOf } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import type { ResolutionAction } from '@lendloom/wire/network/igm/codes'
import type { LenderActionName } from '@lendloom/wire/network/igm/complaint'
import { messageContext } from '#sandbox/lender/core/store.ts'

const issueColumns = sql`conversation_id, issue_id, raised_at, message_id, ttl, escalated, closed, actions, resolution, updated_at`

/** Returns a complaint. The caller must hold the lock on the conversation. */
export async function issueOf(db: Run, conversationId: string, issueId: string): Promise<Issue | undefined> {
  const [row] = await db<Issue>`
    select ${issueColumns} from issue where conversation_id = ${conversationId} and issue_id = ${issueId}`
  return row
}

/** Inserts a complaint, or replaces what may change about it. */
export async function storeIssue(tx: Tx, issue: Issue): Promise<void> {
  const { messageId, ttl, escalated, closed, updatedAt } = issue
  const actions = JSON.stringify(issue.actions)
  const resolution = issue.resolution && JSON.stringify(issue.resolution)
  await tx`insert into issue ${tx({ ...issue, actions, resolution })}
    on conflict (conversation_id, issue_id) do update set message_id = ${messageId}, ttl = ${ttl}, escalated = ${escalated},
      closed = ${closed}, actions = ${actions}, resolution = ${resolution}, updated_at = ${updatedAt}`
}

/** The message with which the buyer app changed the complaint last. */
export async function newestIssueMessage(
  db: Run,
  seal: Seal,
  { conversationId, messageId }: Pick<Issue, 'conversationId' | 'messageId'>,
): Promise<unknown> {
  const [row] = await db<{ bodySealed: Buffer }>`
    select body_sealed from message where conversation_id = ${conversationId} and direction = 'in' and action = 'issue'
      and message_id = ${messageId}`
  const { bodySealed } = required(row, `issue ${messageId} of conversation ${conversationId}`)
  const body = seal.open(bodySealed, messageContext(conversationId, messageId))
  return fieldsOf(parseJson(body)).message
}

/** A complaint of a borrower about their loan, as the buyer app raised it. */
export interface Issue {
  conversationId: string
  issueId: string
  raisedAt: string
  messageId: string
  ttl: string
  escalated: boolean
  closed: boolean
  /** `at` is an ISO 8601 instant. */
  actions: { action: LenderActionName; text: string; at: string }[]
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
