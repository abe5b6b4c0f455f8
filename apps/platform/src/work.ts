// All background work of the platform, with a worker per kind.

import { daysAfter } from '@lendloom/foundation/clock'
import { deleteFullCounts } from '@lendloom/http/request-count'
import { deleteOldGuesses } from '@lendloom/identity/guess-count'
import { deleteStaleSignIns } from '@lendloom/identity/session/store'
import { inboxDigests, rekeyDigests } from '@lendloom/postgres/rekey-digests'
import { sealPlainValues } from '@lendloom/postgres/seal-plain'
import { type Worker, work } from '@lendloom/queue/queue'
import { enqueueRecurring } from '@lendloom/queue/recurring-job'
import { autopilotWorker } from '#platform/api/autopilot/drive.ts'
import { deleteAnswers } from '#platform/api/ondc/level/store.ts'
import { complaintClock } from '#platform/complaints/complaint/clock.ts'
import { loanExitWorker } from '#platform/complaints/complaint/loan-exit.ts'
import { grievanceMirrorWorker } from '#platform/complaints/complaint/mirror.ts'
import { receiveComplaintMail } from '#platform/complaints/complaint/receive-mail.ts'
import { grievanceWork } from '#platform/complaints/grievance/follow-up.ts'
import { digestsOfRequests } from '#platform/integrators/access/idempotency/store.ts'
import { deleteExpiredTokens } from '#platform/integrators/access/store.ts'
import { endpointCheckWorker } from '#platform/integrators/alert/check.ts'
import { alertWorker } from '#platform/integrators/alert/tell.ts'
import { deleteOldRequests } from '#platform/integrators/request-log/forget.ts'
import { bulkReplayWorker } from '#platform/integrators/webhook/bulk-replay/work.ts'
import { webhookDeliveryWorker } from '#platform/integrators/webhook/deliver.ts'
import { deliveryPolicyOf } from '#platform/integrators/webhook/delivery.ts'
import { removeStoppedListeners } from '#platform/integrators/webhook/listener.ts'
import { consentReconcileWorker } from '#platform/lenders/network/consent/reconcile.ts'
import { inboundWorker } from '#platform/lenders/network/reactions/apply.ts'
import { followUpWorker } from '#platform/lenders/network/reactions/follow-up.ts'
import { pageAddressWorker } from '#platform/lenders/network/reactions/page-address.ts'
import { subscribeWorker } from '#platform/lenders/network/subscribe.ts'
import { networkWork } from '#platform/lenders/network/work.ts'
import { partnerWork } from '#platform/lenders/partner/reactions/work.ts'
import { clearPlainDigests } from '#platform/lenders/partner/store.ts'
import { fundStatementWorker } from '#platform/lending/fund-statement/look.ts'
import { holdJourney } from '#platform/lending/journey/store.ts'
import { lapseWorker } from '#platform/lending/offer/lapse.ts'
import { offerWindowWorker } from '#platform/lending/offer/window.ts'
import { servicingPollWorker } from '#platform/lending/servicing/watch.ts'
import { incomingMailWorker, mailGaugeWorker } from '#platform/mail/handle.ts'
import { outgoingMailWorker } from '#platform/mail/send.ts'
import { auditHeadsWorker } from '#platform/people/audit/send-heads.ts'
import { deleteExpiredSignIns } from '#platform/people/command-line-sign-in/store.ts'
import { archiveWorkers } from '#platform/records/archive/sweep.ts'
import { stalledJourneysWorker } from '#platform/records/figures/stalled-journeys.ts'
import { figuresWorker } from '#platform/records/figures/work.ts'
import { eraseOldAnswers, erasureWorker } from '#platform/records/privacy/sweep.ts'
import type { Context } from './context.ts'
import { expireIdle } from './lending/journey/advance.ts'
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
  bulkReplayWorker(ctx, holdJourney),
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
