// Finds cases and unmatched receipts. One statement compares a search with all fields of cases, each through its index.

import { ascending, descending, type KeyedRow, type PageWindow, pageClauses } from '@lendloom/postgres/keyset'
import { type Run, sql } from '@lendloom/postgres/sql'
import { type CaseLine, loanState } from '#partner/desk/cases/store.ts'
import type { BankReceipt } from '#partner/servicing/collection/receipt/store.ts'
import { isUnposted } from '#partner/servicing/collection/receipt/store.ts'

export interface SearchTerms {
  /** The digests of the words of a name; a case must have all of them. */
  names: Buffer[]
  /** The digests of the text as each kind of personal data. */
  personal: Buffer[]
  number: string | null
  uuid: string | null
}

/** The kind of field by which a case was found. */
export type FoundBy =
  | 'name'
  | 'mobile'
  | 'pan'
  | 'email'
  | 'account'
  | 'registration'
  | 'reference'
  | 'case'
  | 'payment'
export interface FoundCase extends CaseLine {
  foundBy: FoundBy[]
}

/** The order of found cases: the last changed first. */
export const foundInOrder = descending([sql`c.updated_at`, 'instant'], [sql`c.case_ref`, 'text'])

/** Returns one page of the cases that match any of the terms, with the kinds of field by which each was found. */
export const findCases = (db: Run, { names, personal, number, uuid }: SearchTerms, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(foundInOrder, window)
  return db<FoundCase & KeyedRow>`
  with found as (
    select 'name' as kind, case_ref from case_search_key where digest = any(${names}::bytea[])
      group by case_ref having count(*) = ${names.length}::int
    union select kind, case_ref from case_search_key where digest = any(${personal}::bytea[])
    union select 'case', case_ref from case_file where case_ref = ${number}::text
    union select 'case', case_ref from case_file where lead_id = ${number}::text
    union select 'case', case_ref from case_file where loan_id = ${number}::text
    union select 'case', case_ref from loan where loan_account_id = ${number}::text
    union select 'payment', case_ref from payment where bank_reference = ${number}::text
    union select 'payment', case_ref from payment where claimed_reference = ${number}::text
    union select 'payment', case_ref from payment where claim_reference = ${number}::text
    union select 'payment', case_ref from disbursement where bank_reference = ${number}::text
    union select 'payment', case_ref from refund where bank_reference = ${number}::text
    union select 'payment', case_ref from bank_receipt where transaction_reference = ${number}::text and case_ref is not null
    union select 'payment', case_ref from bank_receipt where receipt_id = ${number}::text and case_ref is not null
    union select 'payment', case_ref from payment where payment_id = ${uuid}::uuid
    union select 'payment', case_ref from payment where collection_id = ${uuid}::uuid
    union select 'payment', case_ref from disbursement where disbursement_id = ${uuid}::uuid
    union select 'payment', case_ref from refund where refund_id = ${uuid}::uuid)
  select c.case_ref, c.loan_id, c.lead_id, c.status, ${loanState} as loan_status, l.exit_until, l.asset_class, l.next_due_on, c.updated_at, d.lead_sealed, f.found_by, ${key}
  from (select case_ref, array_agg(distinct kind order by kind) as found_by from found group by case_ref) as f
    join case_file c using (case_ref) join case_lead d on d.case_ref = c.case_ref left join loan l on l.case_ref = c.case_ref
  where ${beyond} ${order}`
}

type ReceiptLine = Pick<
  BankReceipt,
  'provider' | 'receiptId' | 'method' | 'transactionReference' | 'amountPaise' | 'valueOn'
>

/** The order of unmatched receipts: the oldest first. */
export const unmatchedInOrder = ascending(
  [sql`received_at`, 'instant'],
  [sql`provider`, 'text'],
  [sql`receipt_id`, 'text'],
)

/** Returns one page of the unposted receipts with this transaction reference or receipt id. */
export const findUnmatched = (db: Run, number: string, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(unmatchedInOrder, window)
  return db<ReceiptLine & KeyedRow>`
    select provider, receipt_id, method, transaction_reference, amount_paise, value_on, ${key} from bank_receipt
    where ${isUnposted} and (transaction_reference = ${number} or receipt_id = ${number}) and ${beyond} ${order}`
}
