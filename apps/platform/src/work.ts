// All background work of the platform, with a worker per kind.

import { daysAfter } from '@lendloom/foundation/clock'
import { deleteStaleSignIns } from '@lendloom/identity/session/store'
import { deleteOldGuesses } from '@lendloom/postgres/guess-count'
import { inboxDigests, rekeyDigests } from '@lendloom/postgres/rekey'
import { deleteFullCounts } from '@lendloom/postgres/request-count'
import { sealPlainValues } from '@lendloom/postgres/seal-plain'
import { type Worker, work } from '@lendloom/queue/queue'
import { enqueueRecurring } from '@lendloom/queue/recurring-job'
import { consentReconcileWorker } from '#platform/aa/reconcile.ts'
import { digestsOfRequests } from '#platform/access/idempotency/store.ts'
import { deleteExpiredTokens } from '#platform/access/store.ts'
import { endpointCheckWorker } from '#platform/alert/check.ts'
import { alertWorker } from '#platform/alert/tell.ts'
import { inboundWorker } from '#platform/application/network/apply.ts'
import { followUpWorker } from '#platform/application/network/follow-up.ts'
import { pageAddressWorker } from '#platform/application/network/page-address.ts'
import { partnerWork } from '#platform/application/partner/work.ts'
import { archiveWorkers } from '#platform/archive/sweep.ts'
import { autopilotWorker } from '#platform/autopilot/drive.ts'
import { complaintClock } from '#platform/complaint/clock.ts'
import { loanExitWorker } from '#platform/complaint/loan-exit.ts'
import { grievanceMirrorWorker } from '#platform/complaint/mirror.ts'
import { receiveComplaintMail } from '#platform/complaint/receive-mail.ts'
import { clearPlainDigests } from '#platform/exchange/store.ts'
import { stalledJourneysWorker } from '#platform/figures/stalled-journeys.ts'
import { figuresWorker } from '#platform/figures/work.ts'
import { fundStatementWorker } from '#platform/fund-statement/look.ts'
import { grievanceWork } from '#platform/grievance/follow-up.ts'
import { incomingMailWorker, mailGaugeWorker } from '#platform/mail/handle.ts'
import { outgoingMailWorker } from '#platform/mail/send.ts'
import { subscribeWorker } from '#platform/network/subscribe.ts'
import { networkWork } from '#platform/network/work.ts'
import { lapseWorker } from '#platform/offer/lapse.ts'
import { offerWindowWorker } from '#platform/offer/window.ts'
import { eraseOldAnswers, erasureWorker } from '#platform/privacy/sweep.ts'
import { deleteOldRequests } from '#platform/request-log/forget.ts'
import { servicingPollWorker } from '#platform/servicing/watch.ts'
import { auditHeadsWorker } from '#platform/staff/audit/send-heads.ts'
import { deleteExpiredSignIns } from '#platform/staff/command-line-sign-in/store.ts'
import { deleteAnswers } from '#platform/subscriber/level/store.ts'
import { bulkReplayWorker } from '#platform/webhook/bulk-replay/work.ts'
import { webhookDeliveryWorker } from '#platform/webhook/deliver.ts'
import { deliveryPolicyOf } from '#platform/webhook/delivery.ts'
import { removeStoppedListeners } from '#platform/webhook/listener.ts'
import type { Context } from './context.ts'
import { expireIdle } from './journey/advance.ts'
import { plainLinks } from './sealed-columns.ts'

export const platformWork = (ctx: Context): Worker[] => [
  ...networkWork(ctx),
  ...(ctx.config.SANDBOX ? [subscribeWorker(ctx), autopilotWorker(ctx)] : []),
  ...partnerWork(ctx),
  inboundWorker(ctx),
  followUpWorker(ctx),
  pageAddressWorker(ctx),
  offerWindowWorker(ctx),
  lapseWorker(ctx),
  servicingPollWorker(ctx),
  ...grievanceWork(ctx),
  complaintClock(ctx),
  grievanceMirrorWorker(ctx),
  loanExitWorker(ctx),
  consentReconcileWorker(ctx),
  fundStatementWorker(ctx),
  webhookDeliveryWorker(ctx, deliveryPolicyOf(ctx.config)),
  bulkReplayWorker(ctx),
  endpointCheckWorker(ctx),
  alertWorker(ctx),
  outgoingMailWorker(ctx),
  incomingMailWorker(ctx, receiveComplaintMail),
  mailGaugeWorker(ctx),
  figuresWorker(ctx),
  stalledJourneysWorker(ctx),
  auditHeadsWorker(ctx),
  erasureWorker(ctx),
  ...archiveWorkers(ctx),
  sweepWorker(ctx),
]

const sweep = 'sweep'
/** Retention of failed sign-ins to the console. */
const failedSignInDays = 180
const keptAnswerDays = 90

/** Expires idle journeys, deletes old tokens, sessions and logs, replaces the plain digests of earlier versions, and seals their plain links. All processes share one job. */
function sweepWorker(ctx: Context): Worker {
  const { db, clock, log } = ctx
  enqueueRecurring(ctx, sweep, 'the sweep could not be scheduled; the next start will')
  return work({
    kind: sweep,
    db,
    clock,
    log,
    async handle() {
      await deleteExpiredTokens(db, daysAfter(clock(), -1))
      await eraseOldAnswers(ctx)
      await deleteOldRequests(ctx)
      await deleteAnswers(db, daysAfter(clock(), -keptAnswerDays))
      await deleteOldGuesses(db, daysAfter(clock(), -2))
      await deleteFullCounts(db, daysAfter(clock(), -1))
      await deleteStaleSignIns(db, daysAfter(ctx.realClock(), -1), daysAfter(clock(), -failedSignInDays))
      await deleteExpiredSignIns(db, ctx.realClock())
      await removeStoppedListeners(ctx)
      for (const table of [digestsOfRequests, inboxDigests]) await rekeyDigests(db, ctx.seal, table)
      for (const column of plainLinks) await sealPlainValues(db, ctx.seal, column)
      await clearPlainDigests(db)
      await expireIdle(ctx)
    },
  })
}
