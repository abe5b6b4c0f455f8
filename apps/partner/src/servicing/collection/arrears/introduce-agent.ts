// Sends a borrower in arrears the agent's name before the first contact, as the key facts statement promises.

import { businessDate } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, noTenantId, type Worker, work } from '@lendloom/queue/queue'
import type { Context, TxContext } from '#partner/context.ts'
import { policyOn } from '#partner/servicing/collection/policy/store.ts'
import { agentIntroduction } from './borrower-mail-text-en.ts'
import { type Notice, sendMailOnce } from './send-mail-once.ts'
import { type AgentKey, findAgentToIntroduce, startNotice, updateNotice } from './store.ts'

const kind = 'introduce-agent'

/**
 * Queues a mail with the agent's name and contact details, unless such a notice was sent before. `sentByPost`: the
 * lender has posted a letter instead of a mail.
 */
export async function introduceAgent(
  { tx, at }: Pick<TxContext, 'tx' | 'at'>,
  { caseRef, staffId, sentByPost }: AgentKey & { sentByPost: boolean },
): Promise<void> {
  const key = { caseRef, staffId }
  if (sentByPost) return void (await startNotice(tx, key, { state: 'SENT', answer: 'by post' }, at))
  if (!(await startNotice(tx, key, { state: 'QUEUED', answer: null }, at))) return
  await enqueue(tx, { tenantId: noTenantId, kind, key: `${caseRef} ${staffId}`, payload: key, dueAt: at })
}

export const agentNoticeWorker = (ctx: Context): Worker =>
  work<AgentKey>({
    kind,
    ...ctx,
    concurrency: 1,
    handle: ({ payload }) =>
      sendMailOnce(ctx, {
        prepare: (tx) => composeNotice(tx, ctx, payload),
        update: (db, change) => updateNotice(db, payload, change, ctx.clock()),
      }),
  })

async function composeNotice(
  tx: Tx,
  { config, clock }: Context,
  { caseRef, staffId }: AgentKey,
): Promise<Notice | null> {
  const agentToIntroduce = await findAgentToIntroduce(tx, { caseRef, staffId })
  if (!agentToIntroduce) return null
  const { leadSealed, loanId, agent, email: contactDetails } = agentToIntroduce
  const { contactFromHour, contactUntilHour } = await policyOn(tx, businessDate(clock()))
  const text = (name: string) =>
    agentIntroduction({
      lender: config.PARTNER_LENDER_NAME,
      officer: config.PARTNER_GRIEVANCE_OFFICER,
      loanId,
      agent,
      contactDetails,
      contactFromHour,
      contactUntilHour,
      name,
    })
  return { caseRef, leadSealed, id: `agent-${caseRef}-${staffId}`, text }
}
