// Reports changed disbursements, payments and loans to the platform, in the transaction of the change (D3 §6).

import type { Write } from '@lendloom/postgres/write'
import { type EnqueueContext, enqueueCaseEvent } from '#partner/exchange/enqueue-events.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import type { LoanStatus } from '#partner/servicing/loan/loan.ts'
import { type Payment, wirePayment } from './payment.ts'
import { type DisbursementRow, wireDisbursement } from './transfer/disbursement.ts'

export type ReportContext = EnqueueContext

interface DisbursementReport {
  disbursement: DisbursementRow
}

export async function reportDisbursement(
  ctx: ReportContext & Write,
  loanCase: Case,
  { disbursement: row }: DisbursementReport,
): Promise<void> {
  await enqueueCaseEvent(ctx, loanCase, { type: 'DISBURSEMENT_UPDATED', data: wireDisbursement(row) })
}

/** Reports a payment, unless its status is internal. */
export async function reportPayment(ctx: ReportContext & Write, loanCase: Case, payment: Payment): Promise<void> {
  const data = wirePayment(payment)
  if (data) await enqueueCaseEvent(ctx, loanCase, { type: 'PAYMENT_UPDATED', data, paymentId: payment.paymentId })
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
  await enqueueCaseEvent(ctx, loanCase, { type: 'LOAN_STATUS_UPDATED', data })
}
