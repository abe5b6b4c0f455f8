// Before the money: a lender that wants to watch the account asks for that consent, and asks anew while it is refused (FIS12 §8.1 row 18).
import type { ConfirmedOrder } from '#contract/network/v203/confirm.ts'
import type { With } from '#contract/network/v203/order.ts'
import { onUpdate } from '#contract/network/v203/update.ts'
import type { Tx } from '#kit/db/sql.ts'
import { type Job, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#sandbox/context.ts'
import { fetchConsentStatus } from '#sandbox/lender/consent/aggregator.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { Applicant } from '#sandbox/lender/core/decide.ts'
import { enqueueFor } from '#sandbox/lender/core/enqueue-for.ts'
import { draftOf } from '#sandbox/lender/core/order.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'
import { sendCallback } from '#sandbox/lender/core/send-callback.ts'
import { applicantOf, conversationOf, lockById, writeConversation } from '#sandbox/lender/core/store.ts'
import { policyFor } from '#sandbox/lender/products/policy-for.ts'
import { requestMonitoring } from '#sandbox/lender/v203/bank-news.ts'

const kind = 'monitor'
const secondsBetweenPolls = 5

interface Monitoring {
  conversationId: string
}

export const scheduleMonitoring = (tx: Tx, ctx: Context, { conversationId }: Conversation, at: Date): Promise<void> =>
  enqueueFor(tx, ctx, {
    tenantId: conversationId,
    kind,
    key: conversationId,
    payload: { conversationId } satisfies Monitoring,
    dueAt: secondsAfter(at, ctx.disbursalSeconds),
  })

export const monitoring = (ctx: Context): Worker =>
  work<Monitoring>({
    kind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: (job) => monitor(ctx, job),
  })

async function monitor(ctx: Context, job: Job<Monitoring>): Promise<void> {
  const { conversationId } = job.payload
  const seen = (await conversationOf(ctx.db, conversationId))!
  if (seen.status !== 'SANCTIONED') return
  const known = seen.monitoringHandle
  if (known === null || (await fetchConsentStatus(ctx, known)).is === 'refused') await askAnew(ctx, seen)
  throw new RetryLater(secondsBetweenPolls, 'the consent is not given yet')
}

async function askAnew(ctx: Context, seen: Conversation): Promise<void> {
  const policy = policyFor(seen)
  const applicant = (await applicantOf(ctx.db, ctx.seal, seen.conversationId))!
  const monitoringHandle = await requestMonitoring(ctx, policy, applicant)
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const before = await lockById(tx, seen.conversationId)
    if (before.status !== 'SANCTIONED' || before.monitoringHandle !== seen.monitoringHandle) return
    const conversation = await writeConversation(tx, before, { status: before.status, monitoringHandle }, at)
    const content = { message: onUpdate(sanctionedOrder(ctx, policy, conversation, applicant)) }
    await sendCallback(tx, ctx, policy, { conversation, action: 'on_update', content, at })
  })
}

/** The loan as it is placed and not paid out yet; its state says that the consent is waited for. */
export const sanctionedOrder = (ctx: Context, policy: Policy, conversation: Conversation, applicant: Applicant) =>
  draftOf(ctx, policy, conversation, applicant) as ConfirmedOrder & With<'state'>
