// Collection's part of Status: the disbursement, and all debit attempts, claims, receipts and reversals (D3 §4.4, §8).
import type { Disbursement, PaymentStatusReport } from '#contract/exchange/account.ts'
import type { Run } from '#kit/db/sql.ts'
import { wirePayment } from './payment.ts'
import { readPayments } from './store.ts'
import { readDisbursement, wireDisbursement } from './transfer/store.ts'

/** Returns the newest disbursement of a case; null before the first order. */
export async function disbursementOf(db: Run, caseRef: string): Promise<Disbursement | null> {
  const row = await readDisbursement(db, caseRef)
  return row ? wireDisbursement(row) : null
}

/** Returns all reported payments of a case, in order of creation. */
export const paymentsOf = async (db: Run, caseRef: string): Promise<PaymentStatusReport[]> =>
  (await readPayments(db, caseRef)).map(wirePayment).filter((payment) => payment !== null)
