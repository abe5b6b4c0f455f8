// All background work of the partner, each kind by its own worker.

import { deleteOldGuesses } from '#kit/db/guess-count.ts'
import { loop, type Worker } from '#kit/messaging/queue.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { deleteStaleSignIns } from '#kit/staff/session/store.ts'
import { driving } from '#partner/autopilot/drive.ts'
import { collectionWorkers } from '#partner/collection/work.ts'
import type { Context } from '#partner/context.ts'
import { expireRequests } from '#partner/desk/approval/store.ts'
import { sendingHead } from '#partner/desk/audit/send-head.ts'
import { deliveringEvents } from '#partner/exchange/deliver.ts'
import { sendCaseEvents } from '#partner/exchange/send.ts'
import { dayEndWorker, type ReportStatusChanges } from '#partner/loan/day-end.ts'
import { applyingEvents } from '#partner/receiver/apply.ts'
import { nextLapse } from '#partner/review/store.ts'
import { beginReminding, reminding } from './autopilot/next-act.ts'
import { staffMailWorkers } from './desk/staff/staff-mail.ts'
import { lapseOffers } from './review/decide-offer.ts'

/** Its first writes are idempotent; no worker starts before they are done. */
export async function partnerWork(ctx: Context): Promise<Worker[]> {
  await beginReminding(ctx)
  const collectors = await collectionWorkers(ctx)
  return [
    applyingEvents(ctx),
    deliveringEvents(ctx),
    dayEndWorker(ctx, announcing(ctx)),
    lapsing(ctx),
    expiring(ctx),
    ...staffMailWorkers(ctx),
    sendingHead(ctx),
    driving(ctx),
    reminding(ctx),
    ...collectors,
  ]
}

/** Loans that the end of a day moved: the platform reads Status then (D3 §6 rule 5). */
export const announcing =
  (ctx: Pick<Context, 'seal' | 'config'>): ReportStatusChanges =>
  (tx, changed, at) =>
    sendCaseEvents(
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

const expiryPollMs = 60_000
/** How long tries to sign in to the desk that failed are kept. */
const failuresKeptDays = 180

/** Expires undecided requests for approval, and deletes old wrong passwords. */
const expiring = ({ db, log, clock, realClock }: Context): Worker =>
  loop<null>({
    ...{ queue: 'approval-expiry', db, log, pollMs: expiryPollMs, concurrency: 1 },
    async claim() {
      await expireRequests(db, clock())
      await deleteOldGuesses(db, daysAfter(clock(), -2))
      await deleteStaleSignIns(db, daysAfter(realClock(), -1), daysAfter(clock(), -failuresKeptDays))
      return []
    },
    handle: async () => {},
  })

/** Ends expired offers. Several processes may do so: each offer is checked again under its case's lock. */
function lapsing(ctx: Context): Worker {
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
