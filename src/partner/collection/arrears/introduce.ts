// Introduces the agent to a borrower in arrears before the first contact, as the key facts statement promises.

import type { Tx } from '#kit/db/sql.ts'
import { enqueue, nobody, type Worker, work } from '#kit/messaging/queue.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { policyOn } from '#partner/collection/policy/store.ts'
import type { Context, TxContext } from '#partner/context.ts'
import { introduction } from './reminder-text-en.ts'
import { type Notice, sendOnce } from './send-once.ts'
import { type AgentKey, moveNotice, noticeToSend, putNotice } from './store.ts'

const kind = 'introduce-agent'

/**
 * Queues the mail that names the agent and how to reach them; an agent who was introduced before is not announced
 * again. `sentByPost`: a letter was posted. Without a mail server only a letter introduces the agent.
 */
export async function introduce(
  { tx, at, config }: Pick<TxContext, 'tx' | 'at' | 'config'>,
  { caseRef, staffId, sentByPost }: AgentKey & { sentByPost: boolean },
): Promise<void> {
  const key = { caseRef, staffId }
  if (sentByPost) return void (await putNotice(tx, key, { state: 'SENT', answer: 'by post' }, at))
  if (config.SMTP_URL === 'none')
    return void (await putNotice(tx, key, { state: 'FAILED', answer: 'no mail server is set' }, at))
  if (!(await putNotice(tx, key, { state: 'QUEUED', answer: null }, at))) return
  await enqueue(tx, { tenantId: nobody, kind, key: `${caseRef} ${staffId}`, payload: key, dueAt: at })
}

export const introducingAgents = (ctx: Context): Worker =>
  work<AgentKey>({
    kind,
    ...{ db: ctx.db, clock: ctx.clock, log: ctx.log, concurrency: 1 },
    handle: ({ payload }) =>
      sendOnce(ctx, {
        prepare: (tx) => noticeOf(tx, ctx, payload),
        move: (db, change) => moveNotice(db, payload, change, ctx.clock()),
      }),
  })

async function noticeOf(tx: Tx, { config, clock }: Context, { caseRef, staffId }: AgentKey): Promise<Notice | null> {
  const found = await noticeToSend(tx, { caseRef, staffId })
  if (!found) return null
  const { leadSealed, loanId, agent, email: reach } = found
  const { contactFromHour, contactUntilHour } = await policyOn(tx, businessDate(clock()))
  const words = (name: string) =>
    introduction({
      ...{ lender: config.PARTNER_LENDER_NAME, officer: config.PARTNER_GRIEVANCE_OFFICER },
      ...{ loanId, agent, reach, contactFromHour, contactUntilHour, name },
    })
  return { caseRef, leadSealed, id: `agent-${caseRef}-${staffId}`, words }
}
