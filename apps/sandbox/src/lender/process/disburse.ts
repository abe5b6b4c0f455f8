// Workers after the sanction: the account-monitoring consent, disbursal, and repayment of a credit line.

import { toWholeRupees } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { finish, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import type { Context } from '#sandbox/core/context.ts'
import { fetchConsentStatus } from '#sandbox/lender/consent/aggregator-client.ts'
import { type MonitoringJob, monitoringKind, requestMonitoring } from '#sandbox/lender/consent/request-monitoring.ts'
import { type Conversation, requireNextStatus } from '#sandbox/lender/core/conversation.ts'
import { sendCallback } from '#sandbox/lender/core/send-callback.ts'
import {
  lastAction,
  lockConversation,
  requireApplicant,
  requireConversation,
  writeConversation,
} from '#sandbox/lender/core/store.ts'
import { repaymentKind } from '#sandbox/lender/mutual-fund-loan/loan-state.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'
import { type DisbursalJob, disbursalKind } from '#sandbox/lender/servicing/loan-state.ts'
import { scheduleDuePayment } from './report-due-payment.ts'

export const disbursalWorker = (ctx: Context): Worker =>
  work<DisbursalJob>({ kind: disbursalKind, ...ctx, handle: (job) => ctx.db.tx((tx) => disburse(tx, ctx, job)) })

async function disburse(tx: Tx, ctx: Context, job: Job<DisbursalJob>): Promise<void> {
  const before = await lockConversation(tx, job.payload.conversationId)
  const at = ctx.clock()
  const policy = policyFor(before)
  const { product } = policy
  const { facts, settle, action, mayReportAfter, message, after } = product.disbursal
  const change = {
    ...facts(policy, before, at),
    status: requireNextStatus(product, before, 'disburse'),
    disbursedAt: at,
  }
  const conversation = await writeConversation(tx, before, change, at)
  await settle?.(tx, conversation, at)
  const last = await lastAction(tx, conversation.conversationId)
  if (conversation.scenario !== 'silent-disbursal' && mayReportAfter(last)) {
    const content = { message: await message(tx, { deps: ctx, policy, conversation }, at) }
    await sendCallback(tx, ctx, policy, { conversation, action, content, at })
    await after?.(tx, ctx, conversation, at)
  }
  if (product.disbursal.reportsDuePayments) await scheduleDuePayment(tx, conversation, at)
  await finish(tx, job)
}

const secondsBetweenPolls = 5

/** Requests the monitoring consent before disbursal, again after each refusal (FIS12 §8.1 row 18). */
export const monitoringWorker = (ctx: Context): Worker =>
  work<MonitoringJob>({ kind: monitoringKind, ...ctx, handle: (job) => monitor(ctx, job) })

async function monitor(ctx: Context, job: Job<MonitoringJob>): Promise<void> {
  const { conversationId } = job.payload
  const snapshot = await requireConversation(ctx.db, conversationId)
  if (snapshot.status !== 'SANCTIONED') return
  const handle = snapshot.monitoringHandle
  if (handle === null || (await fetchConsentStatus(ctx, handle)).state === 'refused')
    await requestMonitoringAgain(ctx, snapshot)
  throw new RetryLater(secondsBetweenPolls, 'the consent is not given yet')
}

async function requestMonitoringAgain(ctx: Context, snapshot: Conversation): Promise<void> {
  const policy = policyFor(snapshot)
  const applicant = await requireApplicant(ctx.db, ctx.seal, snapshot.conversationId)
  const monitoringHandle = await requestMonitoring(ctx, policy, applicant)
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const before = await lockConversation(tx, snapshot.conversationId)
    if (before.status !== 'SANCTIONED' || before.monitoringHandle !== snapshot.monitoringHandle) return
    const conversation = await writeConversation(tx, before, { status: before.status, monitoringHandle }, at)
    const content = { message: await policy.product.onUpdate(tx, { deps: ctx, policy, conversation }, at) }
    await sendCallback(tx, ctx, policy, { conversation, action: 'on_update', content, at })
  })
}

/** Repays half of the drawn amount of a credit line and notifies the buyer app (FIS12 §17.5). */
export const lineRepaymentWorker = (ctx: Context): Worker =>
  work<{ conversationId: string }>({
    kind: repaymentKind,
    ...ctx,
    handle: (job) => ctx.db.tx((tx) => repay(tx, ctx, job)),
  })

async function repay(tx: Tx, ctx: Context, job: Job<{ conversationId: string }>): Promise<void> {
  const before = await lockConversation(tx, job.payload.conversationId)
  const at = ctx.clock()
  const drawn = toWholeRupees((before.drawn ?? 0n) / 2n)
  const conversation = await writeConversation(tx, before, { status: before.status, drawn, drawnAt: at }, at)
  const policy = policyFor(conversation)
  const message = await policy.product.onUpdate(tx, { deps: ctx, policy, conversation }, at)
  await sendCallback(tx, ctx, policy, { conversation, action: 'on_update', content: { message }, at })
  await finish(tx, job)
}
