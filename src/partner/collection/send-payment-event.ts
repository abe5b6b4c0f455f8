// Tells the platform of a transfer, a payment, or a loan that stands elsewhere: in the transaction of what it tells (D3 §6).
import type { Tx } from '#kit/db/sql.ts'
import type { Case } from '#partner/case/case.ts'
import type { Context } from '#partner/context.ts'
import { sendEvent } from '#partner/exchange/send.ts'
import type { LoanStatus } from '#partner/loan/lifecycle.ts'
import { type Disbursement, wireDisbursement } from './disbursement.ts'
import { type Payment, wirePayment } from './payment.ts'

export type Teller = Pick<Context, 'seal' | 'config'>

interface DisbursementNews {
  disbursement: Disbursement
  at: Date
}

export async function tellDisbursement(
  tx: Tx,
  ctx: Teller,
  loanCase: Case,
  { disbursement: row, at }: DisbursementNews,
): Promise<void> {
  await sendEvent(tx, ctx, loanCase, { type: 'DISBURSEMENT_UPDATED', data: wireDisbursement(row), at })
}

interface PaymentNews {
  payment: Payment
  at: Date
}

/** What is ours alone is told to nobody. */
export async function tellPayment(tx: Tx, ctx: Teller, loanCase: Case, { payment, at }: PaymentNews): Promise<void> {
  const data = wirePayment(payment)
  if (data) await sendEvent(tx, ctx, loanCase, { type: 'PAYMENT_UPDATED', data, paymentId: payment.paymentId, at })
}

interface LoanNews {
  loanStatus: LoanStatus
  reasonCode: 'DISBURSED' | 'RECEIPT_POSTED' | 'RECEIPT_REVERSED'
  at: Date
}

/** Makes the platform read Status: the version is the one that this transaction gives the case (D3 §6 rule 5). */
export async function tellLoan(
  tx: Tx,
  ctx: Teller,
  loanCase: Case,
  { loanStatus, reasonCode, at }: LoanNews,
): Promise<void> {
  const data = {
    loan_status: loanStatus,
    snapshot_version: loanCase.snapshotVersion,
    updated_at: at.toISOString(),
    reason_code: reasonCode,
  }
  await sendEvent(tx, ctx, loanCase, { type: 'LOAN_STATUS_UPDATED', data, at })
}
