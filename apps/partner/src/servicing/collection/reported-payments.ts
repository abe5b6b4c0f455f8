// The disbursement and the payments of a case that Status reports (D3 §4.4, §8).

import type { Run } from '@lendloom/postgres/sql'
import type { Disbursement, PaymentStatusReport } from '@lendloom/wire/exchange/account'
import { wirePayment } from './payment.ts'
import { readPayments } from './payment-store.ts'
import { wireDisbursement } from './transfer/disbursement.ts'
import { readNewestDisbursement } from './transfer/store.ts'

/** Returns the newest disbursement of a case; null if none was ordered. */
export async function disbursementOf(db: Run, caseRef: string): Promise<Disbursement | null> {
  const row = await readNewestDisbursement(db, caseRef)
  return row ? wireDisbursement(row) : null
}

/** Returns all reported payments of a case, in order of creation. */
export const paymentsOf = async (db: Run, caseRef: string): Promise<PaymentStatusReport[]> =>
  (await readPayments(db, caseRef)).map(wirePayment).filter((payment) => payment !== null)
