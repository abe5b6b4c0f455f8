// Table tax_document: which entries have an invoice, credit note or debit note, and its number.

import type { Paise } from '@lendloom/lending/money'
import { date, integer, rowsAs, smallint, text } from '@lendloom/postgres/rows'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { LedgerEntry } from '#partner/books/ledger/entry.ts'
import type { Period } from '#partner/books/ledger/store.ts'
import type { TaxDocument, TaxDocumentKey, TaxDocumentKind } from './tax-document.ts'

/** An entry that charges a fee, or refunds it if `charged` is negative. */
export interface FeeEntry {
  caseRef: string
  entryId: string
  kind: LedgerEntry['kind']
  postedOn: string
  charged: Paise
}

/** The position of an entry in the order in which documents are numbered. */
export type FeeEntryPosition = Pick<FeeEntry, 'postedOn' | 'caseRef' | 'entryId'>

/** SQL: what the postings `p` of an entry charge on these accounts. */
export const chargedOn = (accounts: string[]) => sql`
  sum(case when p.credit = any(${accounts}::text[]) then p.paise else 0 end
    - case when p.debit = any(${accounts}::text[]) then p.paise else 0 end)::bigint`

/** Returns entries up to a day that charge or refund a fee, in the order of their documents. */
export const feeEntriesAfter = (db: Run, on: string, after: FeeEntryPosition, limit: number): Promise<FeeEntry[]> =>
  db<FeeEntry>`
    select e.case_ref, e.entry_id, e.kind, e.posted_on, ${chargedOn(['FEE_INCOME', 'TAX_PAYABLE'])} as charged
    from ledger_entry e join ledger_posting p using (case_ref, entry_id)
    where e.kind in ('DISBURSEMENT', 'FEE_RETURN', 'REVERSAL') and e.posted_on <= ${on}::date
      and (e.posted_on, e.case_ref, e.entry_id) > (${after.postedOn}::date, ${after.caseRef}, ${after.entryId})
      and (p.debit in ('FEE_INCOME', 'TAX_PAYABLE') or p.credit in ('FEE_INCOME', 'TAX_PAYABLE'))
    group by e.case_ref, e.entry_id order by e.posted_on, e.case_ref, e.entry_id limit ${limit}`

/** Returns the day of the newest document; null without one. */
export async function lastIssuedOn(db: Run): Promise<string | null> {
  const [row] = await db<{ issuedOn: string | null }>`select max(issued_on) as issued_on from tax_document`
  return row?.issuedOn ?? null
}

/** Other transactions wait until this one ends, and then see its numbers. */
export const lockNumbers = (tx: Tx): Promise<unknown> => tx`lock table tax_document in share row exclusive mode`

/** Returns which of the entries have a document. */
export const documentsOfEntries = (db: Run, entries: Pick<FeeEntry, 'caseRef' | 'entryId'>[]) =>
  db<Pick<TaxDocumentKey, 'caseRef' | 'entryId'>>`
    select case_ref, entry_id from tax_document where (case_ref, entry_id) in (
      select case_ref, entry_id
      from ${rowsAs(sql`input`, entries, {
        caseRef: text(({ caseRef }) => caseRef),
        entryId: text(({ entryId }) => entryId),
      })})`

/** Returns the number of documents and the highest number of each kind and year. */
export const seriesOf = (db: Run) =>
  db<{ kind: TaxDocumentKind; financialYear: number; documents: number; highest: number }>`
    select kind, financial_year, count(*)::int as documents, max(number) as highest from tax_document
    group by kind, financial_year order by kind, financial_year`

/** Returns the highest number of each kind in a financial year. */
export const highestNumbers = (db: Run, financialYear: number) => db<{ kind: TaxDocumentKind; number: number }>`
  select kind, number from (values ('INVOICE'), ('CREDIT_NOTE'), ('DEBIT_NOTE')) as kinds (kind) cross join lateral (
    select d.number from tax_document d where d.kind = kinds.kind and d.financial_year = ${financialYear}
    order by d.number desc limit 1) as newest`

/** Stores documents with the supplier as it is on that day. */
export const insertDocuments = (tx: Tx, documents: TaxDocumentKey[], supplier: string): Promise<unknown> => tx`
  insert into tax_document (kind, financial_year, number, case_ref, entry_id, issued_on, supplier)
  select kind, financial_year, number, case_ref, entry_id, issued_on, ${supplier}::jsonb
  from ${rowsAs(sql`input`, documents, {
    kind: text(({ kind }) => kind),
    financialYear: smallint(({ financialYear }) => financialYear),
    number: integer(({ number }) => number),
    caseRef: text(({ caseRef }) => caseRef),
    entryId: text(({ entryId }) => entryId),
    issuedOn: date(({ issuedOn }) => issuedOn),
  })}`

/** Returns the documents of a case, oldest first. */
export const documentsOfCase = (db: Run, caseRef: string) => db<TaxDocument>`
  select kind, financial_year, number, case_ref, entry_id, issued_on, supplier from tax_document
  where case_ref = ${caseRef} order by issued_on, kind <> 'INVOICE', number`

/** Returns the tax of the documents of a period: invoices and debit notes less credit notes. */
export async function taxOfDocuments(db: Run, { from, to }: Period): Promise<Paise> {
  const [row] = await db<{ paise: Paise }>`
    select coalesce(${chargedOn(['TAX_PAYABLE'])}, 0)::bigint as paise
    from tax_document d join ledger_posting p using (case_ref, entry_id)
    where d.issued_on between ${from}::date and ${to}::date`
  return row?.paise ?? 0n
}
