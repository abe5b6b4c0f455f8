// Before the money: a lender that wants to watch the account asks for that consent, and asks anew while it is refused (FIS12 §8.1 row 18).
import { type Job, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import type { Context } from '#sandbox/core/context.ts'
import { fetchConsentStatus } from '#sandbox/lender/consent/aggregator.ts'
import { requestMonitoring } from '#sandbox/lender/consent/request-monitoring.ts'
import { type Monitoring, monitoringKind } from '#sandbox/lender/consent/schedule-monitoring.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { sendCallback } from '#sandbox/lender/core/send-callback.ts'
import { lockById, requireApplicant, requireConversation, writeConversation } from '#sandbox/lender/core/store.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'

const secondsBetweenPolls = 5

export const monitoring = (ctx: Context): Worker =>
  work<Monitoring>({
    kind: monitoringKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: (job) => monitor(ctx, job),
  })

async function monitor(ctx: Context, job: Job<Monitoring>): Promise<void> {
  const { conversationId } = job.payload
  const seen = await requireConversation(ctx.db, conversationId)
  if (seen.status !== 'SANCTIONED') return
  const known = seen.monitoringHandle
  if (known === null || (await fetchConsentStatus(ctx, known)).is === 'refused') await askAnew(ctx, seen)
  throw new RetryLater(secondsBetweenPolls, 'the consent is not given yet')
}

async function askAnew(ctx: Context, seen: Conversation): Promise<void> {
  const policy = policyFor(seen)
  const applicant = await requireApplicant(ctx.db, ctx.seal, seen.conversationId)
  const monitoringHandle = await requestMonitoring(ctx, policy, applicant)
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const before = await lockById(tx, seen.conversationId)
    if (before.status !== 'SANCTIONED' || before.monitoringHandle !== seen.monitoringHandle) return
    const conversation = await writeConversation(tx, before, { status: before.status, monitoringHandle }, at)
    const content = { message: await policy.product.onUpdate(tx, { place: ctx, policy, conversation }, at) }
    await sendCallback(tx, ctx, policy, { conversation, action: 'on_update', content, at })
  })
}
