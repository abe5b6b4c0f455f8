// Ends an application between its offer and its payout: by the lender, for the borrower, by a rejected KYC or by time (D3 §3).

import type { Write } from '#kit/db/write.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { loop, type Worker } from '#kit/messaging/queue.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { unfinishedSince, unpaidSince } from '#partner/case/lapse/store.ts'
import { type Case, isBeingChecked } from '#partner/case/lifecycle.ts'
import { moveCase } from '#partner/case/move.ts'
import { insertStop, lockCase, type Stop } from '#partner/case/store.ts'
import type { Context, TxContext } from '#partner/context.ts'
import { sendEvent } from '#partner/exchange/send.ts'
import { type ExitRequest, recordExitRequest } from '#partner/loan/ask-to-leave.ts'
import { type LoanStatus, statusAfter } from '#partner/loan/loan.ts'
import { enqueueCancellation } from './cancel-mandate.ts'
import { type ReportContext, reportDisbursement, reportLoan } from './send-payment-event.ts'
import { readDisbursement, writeDisbursement } from './transfer/store.ts'

export type StopDetails = Pick<Stop, 'cause' | 'reasonCode' | 'reasonMessage' | 'stoppedBy'>

/**
 * Ends the case under its lock, cancels its mandate at the bank, and notifies the platform. An unsent transfer order is
 * recalled. Refused as `wrong-state` before an offer, after an end, and once the money may be on its way.
 */
export async function stopCase(ctx: TxContext, loanCase: Case, stopping: StopDetails): Promise<Case> {
  const { tx, at } = ctx
  const held = loanCase.status === 'DISBURSEMENT_PENDING' ? await recall(ctx, loanCase) : loanCase
  const ended = await moveCase(tx, held, stopping.cause === 'TIME' ? 'lapsed' : 'stopped', at)
  await insertStop(tx, { caseRef: loanCase.caseRef, ...stopping, stoppedAt: at })
  await enqueueCancellation(tx, loanCase, at)
  await tell(ctx, ended, stopping)
  return ended
}

/** Cancels a transfer order that was not sent to the bank yet. */
async function recall(ctx: TxContext, loanCase: Case): Promise<Case> {
  const { tx, at } = ctx
  const transfer = await readDisbursement(tx, loanCase.caseRef)
  if (transfer?.status !== 'ORDERED')
    throw new Refusal('wrong-state', 'the transfer is with the bank already: it can no longer be stopped')
  const recalled = { ...transfer, status: 'FAILED' as const, reasonCode: 'STOPPED', updatedAt: at }
  await writeDisbursement(tx, transfer, recalled, at)
  const moved = await moveCase(tx, loanCase, 'disbursementFailed', at)
  await reportDisbursement(ctx, moved, { disbursement: recalled })
  return moved
}

/**
 * D3 has no event for a stop. An end by the lender is reported as a rejection with its reason; an end by the borrower
 * or a deadline as a loan that is CANCELLED before it was created. Only the ending is reported: a suspicion stays with
 * the lender.
 */
async function tell(ctx: TxContext, loanCase: Case, { cause, reasonCode: why }: StopDetails): Promise<void> {
  if (cause === 'BORROWER' || cause === 'TIME') {
    const byTime = why === 'PAYOUT_NOT_MADE' ? why : 'STEPS_NOT_FINISHED'
    const reasonCode = cause === 'BORROWER' ? 'CANCELLED_BY_BORROWER' : byTime
    return reportLoan(ctx, loanCase, { loanStatus: statusAfter('NOT_CREATED', 'cancelled'), reasonCode })
  }
  const code = cause === 'KYC' ? 'KYC_REJECTED' : 'APPLICATION_STOPPED'
  const data = {
    decision: 'REJECTED' as const,
    reason_code: code,
    reason_message: stopMessages[code],
    reviewed_at: ctx.at.toISOString(),
    offer: null,
  }
  await sendEvent(ctx, loanCase, { type: 'MANUAL_REVIEW_DECIDED', data })
}

/** The status of a loan that was never paid out. */
export const loanStatusOf = (stop: Pick<Stop, 'cause'> | undefined): LoanStatus =>
  stop?.cause === 'BORROWER' || stop?.cause === 'TIME' ? statusAfter('NOT_CREATED', 'cancelled') : 'NOT_CREATED'

/** A rejected KYC ends the application if the lender's policy requires it; otherwise another try is possible. */
export async function endForKyc(ctx: TxContext, loanCase: Case, stoppedBy: string): Promise<void> {
  if (ctx.config.PARTNER_KYC_REJECTED !== 'end' || !isBeingChecked(loanCase.status)) return
  await stopCase(ctx, loanCase, { cause: 'KYC', reasonCode: 'KYC_REJECTED', reasonMessage: null, stoppedBy })
}

/** Under the lock of the case. Refused as `askToLeave`. */
export async function leave(ctx: ReportContext & Write, loanCase: Case, leaving: ExitRequest): Promise<void> {
  const { tx, at } = ctx
  const { hasExited, loanStatus } = await recordExitRequest(tx, loanCase.caseRef, leaving, at)
  if (hasExited) await reportLeft(ctx, loanCase, loanStatus)
}

/** The platform and the bank hear that the borrower has left. */
export async function reportLeft(ctx: ReportContext & Write, loanCase: Case, loanStatus: LoanStatus): Promise<void> {
  await reportLoan(ctx, loanCase, { loanStatus, reasonCode: 'COOLING_OFF_EXIT' })
  await enqueueCancellation(ctx.tx, loanCase, ctx.at)
}

const batch = 100

/** Deadlines of an application, with their settings. */
const lapses = [
  { reasonCode: 'STEPS_NOT_FINISHED', find: unfinishedSince, days: 'PARTNER_STEPS_DAYS' },
  { reasonCode: 'PAYOUT_NOT_MADE', find: unpaidSince, days: 'PARTNER_PAYOUT_DAYS' },
] as const

/**
 * Ends accepted applications that did not progress in time: by steps of the borrower, or an unordered payout. Returns
 * how many it found. Each is checked again under its lock; completed, paid or ended ones stay unchanged.
 */
export async function lapseSteps(ctx: Context, at: Date): Promise<number> {
  let found = 0
  for (const { reasonCode, find, days } of lapses) {
    const before = daysAfter(at, -ctx.config[days])
    const due = await find(ctx.db, before, batch)
    for (const { caseRef } of due)
      await ctx.db.tx(async (tx) => {
        const loanCase = await lockCase(tx, caseRef)
        const still = await find(tx, before, batch, caseRef)
        if (still.length === 0) return
        const ended = { cause: 'TIME', reasonCode, reasonMessage: null, stoppedBy: 'time' } as const
        await stopCase({ ...ctx, tx, at }, loanCase, ended)
      })
    found += due.length
  }
  return found
}

const pollMs = 60_000

export function lapsingSteps(ctx: Context): Worker {
  const { db, log, clock } = ctx
  return loop<null>({
    queue: 'lapse-steps',
    db,
    log,
    pollMs,
    concurrency: 1,
    claim: async () => ((await lapseSteps(ctx, clock())) > 0 ? [null] : []),
    handle: async () => {},
  })
}

/** The platform's text on an application that the lender ended after its offer; details stay with the lender. */
const stopMessages = {
  APPLICATION_STOPPED: 'The lender has ended the application before paying it out',
  KYC_REJECTED: 'The identity check was not accepted',
} as const
