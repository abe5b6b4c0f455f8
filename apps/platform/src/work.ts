// All background work of the platform, with a worker per kind.

import { daysAfter } from '@lendloom/foundation/clock'
import { deleteFullCounts } from '@lendloom/http/request-count'
import { deleteOldGuesses } from '@lendloom/identity/guess-count'
import { deleteStaleSignIns } from '@lendloom/identity/session/store'
import { inboxDigests, rekeyDigests } from '@lendloom/postgres/rekey-digests'
import { sealPlainValues } from '@lendloom/postgres/seal-plain'
import { type Worker, work } from '@lendloom/queue/queue'
import { enqueueRecurring } from '@lendloom/queue/recurring-job'
import { deleteAnswers } from '#platform/api/ondc/level/store.ts'
import { grievanceWork } from '#platform/complaints/grievance/follow-up.ts'
import { digestsOfRequests } from '#platform/integrators/access/idempotency/store.ts'
import { deleteExpiredTokens } from '#platform/integrators/access/store.ts'
import { deleteOldRequests } from '#platform/integrators/request-log/request-log.ts'
import { removeStoppedListeners } from '#platform/integrators/webhook/listener.ts'
import { subscribeWorker } from '#platform/lenders/network/subscribe.ts'
import { networkWork } from '#platform/lenders/network/work.ts'
import { partnerWork } from '#platform/lenders/partner/reactions/work.ts'
import { clearPlainDigests } from '#platform/lenders/partner/store.ts'
import { holdJourney } from '#platform/lending/journey/store.ts'
import { mailGaugeWorker } from '#platform/mail/mail-gauge.ts'
import { auditHeadsWorker } from '#platform/people/audit/send-heads.ts'
import { deleteExpiredSignIns } from '#platform/people/command-line-sign-in/store.ts'
import { stalledJourneysWorker } from '#platform/records/figures/stalled-journeys.ts'
import { autopilotWorker } from './api/autopilot/autopilot.ts'
import { loanBeginWorker, loanDayWorker, loanLookWorker, loanPageWorker } from './api/loan/tell-loan-events.ts'
import { applyComplaintMail } from './complaints/complaint/apply-mail.ts'
import { loanExitWorker } from './complaints/complaint/close-exit-requests.ts'
import { complaintClock } from './complaints/complaint/deadline-jobs.ts'
import { grievanceMirrorWorker } from './complaints/complaint/mirror-grievance.ts'
import type { Context } from './context.ts'
import { endpointCheckWorker } from './integrators/alert/check-endpoints.ts'
import { alertWorker } from './integrators/alert/notify-tenant.ts'
import { bulkReplayWorker } from './integrators/webhook/bulk-replay/replay-worker.ts'
import { webhookDeliveryWorker } from './integrators/webhook/deliver-updates.ts'
import { deliveryPolicyOf } from './integrators/webhook/delivery-policy.ts'
import { consentReconcileWorker } from './lenders/network/consent/poll-consent-status.ts'
import { inboundWorker } from './lenders/network/reactions/apply-message.ts'
import { followUpWorker } from './lenders/network/reactions/follow-up-worker.ts'
import { pageAddressWorker } from './lenders/network/reactions/page-address-worker.ts'
import { fundStatementWorker } from './lending/fund-statement/poll-statement.ts'
import { expireIdle } from './lending/journey/advance.ts'
import { lapseWorker } from './lending/offer/journey-lapse.ts'
import { offerWindowWorker } from './lending/offer/offer-window.ts'
import { servicingPollWorker } from './lending/servicing/poll-servicing.ts'
import { incomingMailWorker } from './mail/apply-mail.ts'
import { outgoingMailWorker } from './mail/send-mail.ts'
import { archiveWorkers } from './records/archive/nightly-archive.ts'
import { figuresWorker } from './records/figures/figures-worker.ts'
import { eraseOldAnswers, erasureWorker } from './records/privacy/daily-erasure.ts'
import { plainLinks } from './sealed-columns.ts'
import { smsWorker } from './sms/send-sms.ts'

/** Starts all workers of a process. */
export const platformWork = (ctx: Context): Worker[] => [
  ...networkWork(ctx),
  ...(ctx.config.SANDBOX ? [subscribeWorker(ctx), autopilotWorker(ctx)] : []),
  ...partnerWork(ctx),
  inboundWorker(ctx),
  followUpWorker(ctx),
  loanLookWorker(ctx),
  loanBeginWorker(ctx),
  loanDayWorker(ctx),
  loanPageWorker(ctx),
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
  incomingMailWorker(ctx, applyComplaintMail),
  mailGaugeWorker(ctx),
  smsWorker(ctx),
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
/** Retention of the counts of our answers to callbacks. */
const keptAnswerDays = 90

/**
 * Expires idle journeys, deletes old tokens, sessions and logs, replaces the plain digests of earlier versions, and seals
 * their plain links. All processes share one job.
 */
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
