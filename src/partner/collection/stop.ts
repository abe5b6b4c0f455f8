// Ends an application between its offer and its payout: by the lender, for the borrower, by a rejected KYC or by time (D3 §3).

import { Refusal } from '#kit/http/refusal.ts'
import type { Case } from '#partner/case/case.ts'
import { isBeingChecked } from '#partner/case/lifecycle.ts'
import { moveCase } from '#partner/case/move.ts'
import { insertStop, type Stop } from '#partner/case/store.ts'
import type { TxContext } from '#partner/context.ts'
import { sendEvent } from '#partner/exchange/send.ts'
import { type LoanStatus, statusAfter } from '#partner/loan/lifecycle.ts'
import { enqueueCancellation } from './cancel-mandate.ts'
import { reportDisbursement, reportLoan } from './send-payment-event.ts'
import { stopMessages } from './stop-text-en.ts'
import { readDisbursement, writeDisbursement } from './transfer/store.ts'

export type Stopping = Pick<Stop, 'cause' | 'reasonCode' | 'reasonMessage' | 'stoppedBy'>

/**
 * Ends the case under its lock, has its mandate cancelled at the bank, and tells the platform. A transfer that was ordered
 * and has not been sent is recalled. Refused as `wrong-state` before an offer, after an end, and once the money may be on its way.
 */
export async function stopCase(ctx: TxContext, loanCase: Case, stopping: Stopping): Promise<Case> {
  const { tx, at } = ctx
  const held = loanCase.status === 'DISBURSEMENT_PENDING' ? await recall(ctx, loanCase) : loanCase
  const ended = await moveCase(tx, held, stopping.cause === 'TIME' ? 'lapsed' : 'stopped', at)
  await insertStop(tx, { caseRef: loanCase.caseRef, ...stopping, stoppedAt: at })
  await enqueueCancellation(tx, loanCase, at)
  await tell(ctx, ended, stopping)
  return ended
}

/** Takes an order back that nobody has sent to the bank. */
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
 * D3 has no event for a stop. What the lender ends is a rejection with its reason; what the borrower or time ends is a loan
 * that is CANCELLED before it was created. Only how it ended is told: a suspicion stays with the lender.
 */
async function tell(ctx: TxContext, loanCase: Case, { cause, reasonCode: why }: Stopping): Promise<void> {
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

/** How a loan stands that was never paid out. */
export const loanStatusOf = (stop: Pick<Stop, 'cause'> | undefined): LoanStatus =>
  stop?.cause === 'BORROWER' || stop?.cause === 'TIME' ? statusAfter('NOT_CREATED', 'cancelled') : 'NOT_CREATED'

/** A KYC was rejected: the application ends where the lender's policy says so, or waits for another try. */
export async function endForKyc(ctx: TxContext, loanCase: Case, stoppedBy: string): Promise<void> {
  if (ctx.config.PARTNER_KYC_REJECTED !== 'end' || !isBeingChecked(loanCase.status)) return
  await stopCase(ctx, loanCase, { cause: 'KYC', reasonCode: 'KYC_REJECTED', reasonMessage: null, stoppedBy })
}
