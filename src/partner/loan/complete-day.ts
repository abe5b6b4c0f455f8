// Records the months and issues the invoices of a closed day. Idempotent, because a process may end before this.

import type { Db } from '#kit/db/sql.ts'
import { issueTaxDocuments } from '#partner/tax/issue.ts'
import { recordMonths } from './month/keep-month.ts'

export async function completeDay(db: Db, on: string): Promise<void> {
  await recordMonths(db, on)
  await issueTaxDocuments(db, on)
}
