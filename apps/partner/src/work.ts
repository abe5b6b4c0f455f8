// Starts the workers of the partner, and has those that belong to no single area.

import { daysAfter } from '@lendloom/foundation/clock'
import { deleteFullCounts } from '@lendloom/http/request-count'
import { deleteOldGuesses } from '@lendloom/identity/guess-count'
import { deleteStaleSignIns } from '@lendloom/identity/session/store'
import { inboxDigests, rekeyDigests } from '@lendloom/postgres/rekey-digests'
import { loop, type Worker } from '@lendloom/queue/queue'
import { eventWorker } from '#partner/api/apply-event.ts'
import { autopilotWorker } from '#partner/autopilot/autopilot-worker.ts'
import { expireRequests } from '#partner/desk/approval/store.ts'
import { auditHeadWorker } from '#partner/desk/audit/send-log-head.ts'
import { eventDeliveryWorker } from '#partner/exchange/deliver-events.ts'
import { enqueueCaseEvents } from '#partner/exchange/enqueue-events.ts'
import { senderOfCase } from '#partner/origination/case/store.ts'
import { digestsOfUploads } from '#partner/origination/document/store.ts'
import { nextLapse } from '#partner/origination/review/store.ts'
import { archiveWorker } from '#partner/records/archive/sweep.ts'
import { retentionWorker } from '#partner/records/retention/sweep.ts'
import { digestsOfStatements } from '#partner/servicing/collection/statement/store.ts'
import { collectionWorkers } from '#partner/servicing/collection/work.ts'
import { dayEndWorker, type ReportStatusChanges } from '#partner/servicing/loan/day-end.ts'
import { queueRecheckAtStart, recheckWorker } from './autopilot/recheck.ts'
import type { Context } from './context.ts'
import { staffMailWorkers } from './desk/staff/staff-mail.ts'
import { lapseOffers } from './origination/review/decide-offer.ts'

/** Queues the recurring jobs, which is idempotent, then starts the workers. */
export async function startWorkers(ctx: Context): Promise<Worker[]> {
  await queueRecheckAtStart(ctx)
  const collectors = await collectionWorkers(ctx)
  return [
    eventWorker(ctx),
    eventDeliveryWorker(ctx, senderOfCase),
    dayEndWorker(ctx, reportDayEnd(ctx)),
    offerExpiryWorker(ctx),
    deskExpiryWorker(ctx),
    ...staffMailWorkers(ctx),
    auditHeadWorker(ctx),
    autopilotWorker(ctx),
    recheckWorker(ctx),
    retentionWorker(ctx),
    archiveWorker(ctx),
    rekeyWorker(ctx),
    ...collectors,
  ]
}

/** Reports status changes of a day-end to the platform, which then reads Status (D3 §6 rule 5). */
export const reportDayEnd =
  (ctx: Pick<Context, 'seal' | 'config'>): ReportStatusChanges =>
  (tx, changed, at) =>
    enqueueCaseEvents(
      { ...ctx, tx, at },
      changed.map(({ loanCase, loanStatus }) => ({
        ids: loanCase,
        type: 'LOAN_STATUS_UPDATED',
        data: {
          loan_status: loanStatus,
          snapshot_version: loanCase.snapshotVersion,
          updated_at: at.toISOString(),
          reason_code: loanStatus === 'OVERDUE' ? 'INSTALLMENT_OVERDUE' : 'DAY_ENDED',
        },
      })),
    )

/** How often undecided requests are expired and old sign-ins deleted. */
const expiryPollMs = 60_000
/** Days for which failed sign-ins to the desk are retained. */
const failureRetentionDays = 180

/** Expires undecided approval requests, and deletes old password guesses and sign-ins. */
const deskExpiryWorker = ({ db, log, clock, realClock }: Context): Worker =>
  loop<null>({
    queue: 'approval-expiry',
    db,
    log,
    pollMs: expiryPollMs,
    concurrency: 1,
    async claim() {
      await expireRequests(db, clock())
      await deleteOldGuesses(db, daysAfter(clock(), -2))
      await deleteFullCounts(db, daysAfter(clock(), -1))
      await deleteStaleSignIns(db, daysAfter(realClock(), -1), daysAfter(clock(), -failureRetentionDays))
      return []
    },
    handle: async () => {},
  })

/** How often plain digests are looked for. There are none left after the first runs. */
const rekeyPollMs = 3_600_000

/** Replaces the plain digests of earlier versions. */
const rekeyWorker = ({ db, seal, log }: Context): Worker =>
  loop<null>({
    queue: 'rekey',
    db,
    log,
    pollMs: rekeyPollMs,
    concurrency: 1,
    async claim() {
      for (const table of [inboxDigests, digestsOfUploads, digestsOfStatements]) await rekeyDigests(db, seal, table)
      return []
    },
    handle: async () => {},
  })

/** Expires offers. Several processes may run this worker, because it rechecks each offer after locking its case. */
function offerExpiryWorker(ctx: Context): Worker {
  const { db, log, clock, config } = ctx
  return loop<null>({
    queue: 'lapse',
    db,
    log,
    due: { clock, next: nextLapse(config.PARTNER_OFFER_GRACE_MINUTES) },
    concurrency: 1,
    claim: async () => ((await lapseOffers(ctx, clock())) > 0 ? [null] : []),
    handle: async () => {},
  })
}
