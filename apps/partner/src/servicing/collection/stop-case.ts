// Ends applications between offer and disbursement, by decision of the lender or the borrower, after a rejected KYC, or
// after a deadline (D3 §3).

import { Refusal } from '@lendloom/foundation/refusal'
import type { TxContext } from '#partner/context.ts'
import { enqueueCaseEvent } from '#partner/exchange/enqueue-events.ts'
import { type Case, isBeingChecked } from '#partner/origination/case/lifecycle.ts'
import { moveCase } from '#partner/origination/case/move-case.ts'
import { insertStop, type Stop } from '#partner/origination/case/store.ts'
import { type LoanStatus, statusAfter } from '#partner/servicing/loan/loan.ts'
import { enqueueCancellation } from './cancel-mandate.ts'
import { reportDisbursement, reportLoan } from './report-to-platform.ts'
import { readNewestDisbursement, writeDisbursement } from './transfer/store.ts'

export type StopDetails = Pick<Stop, 'cause' | 'reasonCode' | 'reasonMessage' | 'stoppedBy'>

/**
 * Ends a locked case: recalls an unsent transfer order, queues the cancellation of the mandate, and reports the end to
 * the platform. Throws `wrong-state` before an offer, after the case ended, and once the money may have been sent.
 */
export async function stopCase(ctx: TxContext, loanCase: Case, stop: StopDetails): Promise<Case> {
  const { tx, at } = ctx
  const recalledCase = loanCase.status === 'DISBURSEMENT_PENDING' ? await recall(ctx, loanCase) : loanCase
  const ended = await moveCase(tx, recalledCase, stop.cause === 'TIME' ? 'lapsed' : 'stopped', at)
  await insertStop(tx, { caseRef: loanCase.caseRef, ...stop, stoppedAt: at })
  await enqueueCancellation(tx, loanCase, at)
  await reportEnd(ctx, ended, stop)
  return ended
}

/** Recalls the transfer order. Throws `wrong-state` if the order may have reached the bank. */
async function recall(ctx: TxContext, loanCase: Case): Promise<Case> {
  const { tx, at } = ctx
  const transfer = await readNewestDisbursement(tx, loanCase.caseRef)
  if (transfer?.status !== 'ORDERED')
    throw new Refusal('wrong-state', 'the transfer was already sent to the bank and can no longer be stopped')
  const recalled = { ...transfer, status: 'FAILED' as const, reasonCode: 'STOPPED', updatedAt: at }
  await writeDisbursement(tx, transfer, recalled, at)
  const moved = await moveCase(tx, loanCase, 'disbursementFailed', at)
  await reportDisbursement(ctx, moved, { disbursement: recalled })
  return moved
}

/**
 * Reports the end to the platform. D3 has no event for the end of an application. An end by the lender or after a
 * rejected KYC is reported as a rejection, without the lender's details. An end by the borrower or a deadline is
 * reported as a CANCELLED loan.
 */
async function reportEnd(ctx: TxContext, loanCase: Case, { cause, reasonCode: why }: StopDetails): Promise<void> {
  if (cause === 'BORROWER' || cause === 'TIME') {
    const deadlineReason = why === 'PAYOUT_NOT_MADE' ? why : 'STEPS_NOT_FINISHED'
    const reasonCode = cause === 'BORROWER' ? 'CANCELLED_BY_BORROWER' : deadlineReason
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
  await enqueueCaseEvent(ctx, loanCase, { type: 'MANUAL_REVIEW_DECIDED', data })
}

/** Returns the loan status of a case without a loan account. */
export const loanStatusOf = (stop: Pick<Stop, 'cause'> | undefined): LoanStatus =>
  stop?.cause === 'BORROWER' || stop?.cause === 'TIME' ? statusAfter('NOT_CREATED', 'cancelled') : 'NOT_CREATED'

/** Ends the application after a rejected KYC if the lender's policy requires it. Otherwise the borrower may retry. */
export async function endAfterKycRejection(ctx: TxContext, loanCase: Case, stoppedBy: string): Promise<void> {
  if (ctx.config.PARTNER_KYC_REJECTED !== 'end' || !isBeingChecked(loanCase.status)) return
  await stopCase(ctx, loanCase, { cause: 'KYC', reasonCode: 'KYC_REJECTED', reasonMessage: null, stoppedBy })
}

/** Reason messages for the platform. */
const stopMessages = {
  APPLICATION_STOPPED: 'The lender ended the application before disbursement',
  KYC_REJECTED: 'The identity check was not accepted',
} as const
