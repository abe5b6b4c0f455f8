// The list of tax documents, with their borrowers.

import type { Paise } from '@lendloom/lending/money'
import { ascending, type KeyedRow, type PageWindow, pageClauses } from '@lendloom/postgres/keyset'
import { type Run, sql } from '@lendloom/postgres/sql'
import type { Period } from '#partner/books/ledger/store.ts'
import { chargedOn } from '#partner/books/tax/store.ts'
import type { TaxDocument } from '#partner/books/tax/tax-document.ts'

/** A document with its fee and tax, and the sealed lead of its borrower. */
interface TaxDocumentLine extends TaxDocument {
  loanId: string
  fee: Paise
  tax: Paise
  leadSealed: Buffer
}

export const documentOrder = ascending(
  [sql`d.issued_on`, 'date'],
  [sql`d.kind`, 'text'],
  [sql`d.financial_year`, 'integer'],
  [sql`d.number`, 'integer'],
)

/** Returns the documents that were issued in a period. */
export function listDocuments(db: Run, { from, to }: Period, window: PageWindow) {
  const { key, beyond, order } = pageClauses(documentOrder, window)
  const amountOf = (account: string) => sql`abs(${chargedOn([account])})`
  return db<TaxDocumentLine & KeyedRow>`
    with page as (
      select d.kind, d.financial_year, d.number, d.case_ref, d.entry_id, d.issued_on, d.supplier, ${key} from tax_document d
      where d.issued_on between ${from}::date and ${to}::date and ${beyond} ${order})
    select d.kind, d.financial_year, d.number, d.case_ref, d.entry_id, d.issued_on, d.supplier, d.key, l.loan_id, c.lead_sealed,
      ${amountOf('FEE_INCOME')} as fee, ${amountOf('TAX_PAYABLE')} as tax
    from page d join loan l using (case_ref) join case_lead c using (case_ref)
      join ledger_posting p using (case_ref, entry_id)
    group by d.kind, d.financial_year, d.number, d.case_ref, d.entry_id, d.issued_on, d.supplier, d.key, l.loan_id, c.lead_sealed
    ${order}`
}
