// Tells the platform of a transfer, a payment, or a loan that stands elsewhere: in the transaction of what it tells (D3 §6).
import type { Tx } from '#kit/sql.ts'
import type { Case } from '#partner/case/case.ts'
import { sendEvent } from '#partner/exchange/send.ts'
import type { LoanStatus } from '#partner/loan/lifecycle.ts'
import type { World } from '#partner/world.ts'
import { type Disbursement, wireDisbursement } from './disbursement.ts'
import { type Payment, wirePayment } from './payment.ts'

export type Teller = Pick<World, 'seal' | 'config'>

export async function tellDisbursement(tx: Tx, world: Teller, kase: Case, row: Disbursement, at: Date): Promise<void> {
  await sendEvent(tx, world, kase, { type: 'DISBURSEMENT_UPDATED', data: wireDisbursement(row) }, at)
}

/** What is ours alone is told to nobody. */
export async function tellPayment(tx: Tx, world: Teller, kase: Case, payment: Payment, at: Date): Promise<void> {
  const data = wirePayment(payment)
  if (data) await sendEvent(tx, world, kase, { type: 'PAYMENT_UPDATED', data, paymentId: payment.paymentId }, at)
}

/** Makes the platform read Status: the version is the one that this transaction gives the case (D3 §6 rule 5). */
export async function tellLoan(
  tx: Tx,
  world: Teller,
  kase: Case,
  loanStatus: LoanStatus,
  reasonCode: 'DISBURSED' | 'RECEIPT_POSTED' | 'RECEIPT_REVERSED',
  at: Date,
): Promise<void> {
  const data = {
    loan_status: loanStatus,
    snapshot_version: kase.snapshotVersion,
    updated_at: at.toISOString(),
    reason_code: reasonCode,
  }
  await sendEvent(tx, world, kase, { type: 'LOAN_STATUS_UPDATED', data }, at)
}
