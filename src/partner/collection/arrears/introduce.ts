// Tells a borrower who works on their arrears, before that person contacts them, as the key facts statement promises.

import type { DataOf } from '#contract/exchange/envelope.ts'
import type { Tx } from '#kit/db/sql.ts'
import { enqueue, nobody, type Worker, work } from '#kit/messaging/queue.ts'
import { businessDate } from '#kit/money/calendar.ts'
import type { Mail } from '#kit/runtime/mail.ts'
import { leadContext } from '#partner/case/case.ts'
import { policyOn } from '#partner/collection/policy/store.ts'
import type { Context, TxContext } from '#partner/context.ts'
import { introduction } from './reminder-text-en.ts'
import { sendOnce } from './send-once.ts'
import { type AgentKey, moveNotice, noticeToSend, putNotice } from './store.ts'

const kind = 'introduce-agent'

/**
 * Puts the mail on its way that names the agent and how to reach them; an agent who was made known before is not announced
 * again. `sentByPost`: somebody has posted it. Where no mail server is set only a letter makes the agent known.
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
        prepare: (tx) => mailOf(tx, ctx, payload),
        move: (change) => moveNotice(ctx.db, payload, change, ctx.clock()),
      }),
  })

async function mailOf(tx: Tx, { seal, config, clock }: Context, key: AgentKey): Promise<Mail | null> {
  const found = await noticeToSend(tx, key)
  if (!found) return null
  const at = clock()
  const { borrower } = seal.openJson<DataOf<'LEAD_SUBMITTED'>>(found.leadSealed, leadContext(key.caseRef))
  if (borrower.email === null) {
    await moveNotice(tx, key, { state: 'FAILED', answer: 'no address is known' }, at)
    return null
  }
  await moveNotice(tx, key, { state: 'TRIED', answer: null }, at)
  const { contactFromHour, contactUntilHour } = await policyOn(tx, businessDate(at))
  const { subject, text } = introduction({
    ...{ lender: config.PARTNER_LENDER_NAME, officer: config.PARTNER_GRIEVANCE_OFFICER },
    ...{ loanId: found.loanId, agent: found.agent, reach: found.email, contactFromHour, contactUntilHour },
    name: [borrower.first_name, borrower.last_name].filter(Boolean).join(' '),
  })
  const messageId = `<agent-${key.caseRef}-${key.staffId}@${new URL(config.PARTNER_PUBLIC_URL).hostname}>`
  return { to: borrower.email, subject, text, messageId, headers: { 'Auto-Submitted': 'auto-generated' } }
}
