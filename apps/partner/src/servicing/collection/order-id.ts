// The references of orders at the bank. They depend on the case and its previous orders, so that an order that is repeated
// after a restore of the database has its previous reference, by which the bank recognizes it.

import { type Fragment, oneRow, sql, type Tx } from '@lendloom/postgres/sql'
import { uuidOfNames } from '@lendloom/seal/id'

export const nextDisbursementId = (tx: Tx, caseRef: string): Promise<string> =>
  nextOrderId(tx, caseRef, { kind: 'disbursement', orders: sql`disbursement where true` })

export const nextRefundId = (tx: Tx, caseRef: string): Promise<string> =>
  nextOrderId(tx, caseRef, { kind: 'refund', orders: sql`refund where true` })

export const nextCollectionId = (tx: Tx, caseRef: string): Promise<string> =>
  nextOrderId(tx, caseRef, {
    kind: 'debit',
    orders: sql`payment where collection_id is not null and reversal_of_payment_id is null`,
  })

async function nextOrderId(tx: Tx, caseRef: string, { kind, orders }: { kind: string; orders: Fragment }) {
  const rows = await tx<{ count: number }>`select count(*)::int as count from ${orders} and case_ref = ${caseRef}`
  return uuidOfNames(kind, caseRef, String(oneRow(rows).count + 1))
}
