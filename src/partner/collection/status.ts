// This module's part of Status: the transfer and every attempt, claim, receipt and reversal (D3 §4.4, §8).
import type { Disbursement, PaymentStatusReport } from '#contract/exchange/account.ts'
import type { Run } from '#kit/db/sql.ts'
import { wirePayment } from './payment.ts'
import { readPayments } from './store.ts'
import { readDisbursement, wireDisbursement } from './transfer/store.ts'

/** The newest transfer of a case; null before one was ordered. */
export async function disbursementOf(db: Run, caseRef: string): Promise<Disbursement | null> {
  const row = await readDisbursement(db, caseRef)
  return row ? wireDisbursement(row) : null
}

/** In the order in which they began. */
export const paymentsOf = async (db: Run, caseRef: string): Promise<PaymentStatusReport[]> =>
  (await readPayments(db, caseRef)).map(wirePayment).filter((payment) => payment !== null)
