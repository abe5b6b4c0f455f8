// Records the months and issues the invoices of a closed day. Idempotent, because a process may end before this.

import { issueTaxDocuments, type TaxIssueContext } from '#partner/books/tax/issue.ts'
import { recordMonths } from './month/record-months.ts'

export async function completeDay(ctx: TaxIssueContext, on: string): Promise<void> {
  await recordMonths(ctx.db, on)
  await issueTaxDocuments(ctx, on)
}
