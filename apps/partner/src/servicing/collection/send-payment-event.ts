// Reports changed disbursements, payments and loans to the platform, in the transaction of the change (D3 §6).

import { businessDate } from '@lendloom/lending/calendar'
import type { Write } from '@lendloom/postgres/write'
import { uuidv7 } from '@lendloom/seal/id'
import type { TxContext } from '#partner/context.ts'
import { type SendContext, sendEvent } from '#partner/exchange/send.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { type DuesTolerance, duesTolerance } from '#partner/servicing/loan/class/classify.ts'
import type { LoanStatus } from '#partner/servicing/loan/loan.ts'
import { roundOff } from '#partner/servicing/loan/round-off.ts'
import { type Waivable, waiveDues } from '#partner/servicing/loan/waiver.ts'
import { writeOff } from '#partner/servicing/loan/write-off-loan.ts'
import { enqueueCancellation } from './cancel-mandate.ts'
import { type Payment, wirePayment } from './payment.ts'
import { type DisbursementRow, wireDisbursement } from './transfer/store.ts'

export type ReportContext = SendContext

interface DisbursementReport {
  disbursement: DisbursementRow
}

export async function reportDisbursement(
  ctx: ReportContext & Write,
  loanCase: Case,
  { disbursement: row }: DisbursementReport,
): Promise<void> {
  await sendEvent(ctx, loanCase, { type: 'DISBURSEMENT_UPDATED', data: wireDisbursement(row) })
}

/** Reports a payment, unless its status is internal. */
export async function reportPayment(ctx: ReportContext & Write, loanCase: Case, payment: Payment): Promise<void> {
  const data = wirePayment(payment)
  if (data) await sendEvent(ctx, loanCase, { type: 'PAYMENT_UPDATED', data, paymentId: payment.paymentId })
}

interface LoanReport {
  loanStatus: LoanStatus
  reasonCode:
    | 'DISBURSED'
    | 'RECEIPT_POSTED'
    | 'RECEIPT_REVERSED'
    | 'SETTLED'
    | 'COOLING_OFF_EXIT'
    | 'CANCELLED_BY_BORROWER'
    | 'STEPS_NOT_FINISHED'
    | 'PAYOUT_NOT_MADE'
    | 'WAIVED'
    | 'ROUNDED_OFF'
    | 'REFUND_FAILED'
    | 'PAYOUT_RETURNED'
}

/** Reports the loan's status and the case's new version. The platform then calls the Status API (D3 §6 rule 5). */
export async function reportLoan(
  ctx: ReportContext & Write,
  loanCase: Case,
  { loanStatus, reasonCode }: LoanReport,
): Promise<void> {
  const { at } = ctx
  const data = {
    loan_status: loanStatus,
    snapshot_version: loanCase.snapshotVersion,
    updated_at: at.toISOString(),
    reason_code: reasonCode,
  }
  await sendEvent(ctx, loanCase, { type: 'LOAN_STATUS_UPDATED', data })
}

type WaiverContext = Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>

/** Waives dues of a locked case. This can complete a cooling-off exit. Throws the errors of `waiveDues`. */
export async function waiveAmounts(ctx: WaiverContext, loanCase: Case, amounts: Waivable): Promise<void> {
  const { tx, at } = ctx
  const waiver = { ...amounts, caseRef: loanCase.caseRef, waiverId: uuidv7(at.getTime()), on: businessDate(at) }
  const { loanStatus, hasExited: hasCompletedExit } = await waiveDues(tx, waiver, at)
  await reportLoan(ctx, loanCase, { loanStatus, reasonCode: hasCompletedExit ? 'COOLING_OFF_EXIT' : 'WAIVED' })
  if (hasCompletedExit) await enqueueCancellation(tx, loanCase, at)
}

type RoundOffContext = Pick<TxContext, 'tx' | 'at' | 'seal'> & ReportContext & { config: DuesTolerance }

/** Rounds off the rest of the loan of a locked case. Throws the errors of `roundOff`. */
export async function roundOffLoan(ctx: RoundOffContext, loanCase: Case): Promise<void> {
  const { tx, at, config } = ctx
  const { caseRef } = loanCase
  const loanStatus = await roundOff(tx, { caseRef, on: businessDate(at), tolerance: duesTolerance(config) }, at)
  await reportLoan(ctx, loanCase, { loanStatus, reasonCode: 'ROUNDED_OFF' })
}

/**
 * Writes off the loan of a locked case. Reports nothing to the platform, because the borrower still owes the same.
 * Throws the errors of `writeOff`.
 */
export async function writeOffLoan({ tx, at }: Pick<WaiverContext, 'tx' | 'at'>, { caseRef }: Case): Promise<void> {
  await writeOff(tx, caseRef, businessDate(at), at)
}
