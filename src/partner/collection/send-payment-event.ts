// Tells the platform of a transfer, a payment, or a loan that stands elsewhere: in the transaction of what it tells (D3 §6).

import type { Write } from '#kit/db/write.ts'
import type { Case } from '#partner/case/case.ts'
import { type SendContext, sendEvent } from '#partner/exchange/send.ts'
import type { LoanStatus } from '#partner/loan/lifecycle.ts'
import { type Disbursement, wireDisbursement } from './disbursement.ts'
import { type Payment, wirePayment } from './payment.ts'

export type ReportContext = SendContext

interface DisbursementNews {
  disbursement: Disbursement
}

export async function reportDisbursement(
  ctx: ReportContext & Write,
  loanCase: Case,
  { disbursement: row }: DisbursementNews,
): Promise<void> {
  await sendEvent(ctx, loanCase, { type: 'DISBURSEMENT_UPDATED', data: wireDisbursement(row) })
}

/** What is ours alone is told to nobody. */
export async function reportPayment(ctx: ReportContext & Write, loanCase: Case, payment: Payment): Promise<void> {
  const data = wirePayment(payment)
  if (data) await sendEvent(ctx, loanCase, { type: 'PAYMENT_UPDATED', data, paymentId: payment.paymentId })
}

interface LoanNews {
  loanStatus: LoanStatus
  reasonCode:
    | 'DISBURSED'
    | 'RECEIPT_POSTED'
    | 'RECEIPT_REVERSED'
    | 'COOLING_OFF_EXIT'
    | 'CANCELLED_BY_BORROWER'
    | 'STEPS_NOT_FINISHED'
    | 'PAYOUT_NOT_MADE'
    | 'WAIVED'
    | 'REFUND_FAILED'
}

/** Makes the platform read Status: the version is the one that this transaction gives the case (D3 §6 rule 5). */
export async function reportLoan(
  ctx: ReportContext & Write,
  loanCase: Case,
  { loanStatus, reasonCode }: LoanNews,
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
