// Table of complaints at the lenders: issue.
import { type Run, sql, type Tx } from '#kit/db/sql.ts'
import type { Issue } from './issue.ts'

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
