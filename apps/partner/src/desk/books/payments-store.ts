// The queries of the payments page: holds, claims and debits that wait, and the sums of a day for the start page.

import type { Paise } from '@lendloom/lending/money'
import { ascending, type KeyedRow, type PageWindow, pageClauses } from '@lendloom/postgres/keyset'
import { oneRow, type Run, sql } from '@lendloom/postgres/sql'
import { isUnposted } from '#partner/servicing/collection/receipt/store.ts'

/** The payments and unposted receipts with the value date `on`, and the net amounts that wait for their payout. */
export const readPaymentSumsOf = async (db: Run, on: string) =>
  oneRow(
    await db<Record<'postedPaise' | 'unpostedPaise' | 'toPayOutPaise', Paise>>`
    select (select coalesce(sum(amount_paise), 0)::bigint from payment where value_on = ${on}::date and status = 'POSTED') as posted_paise,
      (select coalesce(sum(amount_paise), 0)::bigint from (select amount_paise from bank_receipt where value_on = ${on}::date and ${isUnposted} union all
        select amount_paise from payment where value_on = ${on}::date and status = 'PENDING_VERIFICATION' and receipt_id is not null) as waiting) as unposted_paise,
      (select coalesce(sum((o.terms->>'netPaise')::bigint), 0)::bigint from case_file c join case_offer o on o.case_ref = c.case_ref
        where c.status = 'READY_TO_DISBURSE' and o.decision = 'ACCEPT') as to_pay_out_paise`,
  )

export interface HoldLine {
  caseRef: string
  loanId: string
  leadSealed: Buffer
  policy: 'new-mandate' | 'stop' | 'review'
  reasonCode: string
  sinceAt: Date
}

/** Oldest hold first. */
export const holdsInOrder = ascending([sql`h.since_at`, 'instant'], [sql`h.case_ref`, 'text'])

/** Returns a page of the holds on debits. */
export const listHolds = (db: Run, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(holdsInOrder, window)
  return db<HoldLine & KeyedRow>`
    select h.case_ref, c.loan_id, d.lead_sealed, h.policy, h.reason_code, h.since_at, ${key}
    from collection_hold h join case_file c on c.case_ref = h.case_ref join case_lead d on d.case_ref = h.case_ref
    where ${beyond} ${order}`
}

export interface PaymentLine {
  caseRef: string
  loanId: string
  leadSealed: Buffer
  paymentId: string
  status: string
  method: string
  amountPaise: Paise
  claimedReference: string | null
  claimedOn: string | null
  collectionOn: string | null
  createdAt: Date
}

const paymentLineColumns = sql`p.case_ref, c.loan_id, d.lead_sealed, p.payment_id, p.status, p.method, p.amount_paise, p.claimed_reference,
  p.claimed_on, p.collection_on, p.created_at`

const paymentTables = sql`payment p join case_file c on c.case_ref = p.case_ref join case_lead d on d.case_ref = p.case_ref`

/** Claimed payments that the bank has not confirmed, oldest first. */
export const claimsInOrder = ascending([sql`p.created_at`, 'instant'], [sql`p.payment_id`, 'uuid'])

/** Returns a page of the claims. */
export const listClaims = (db: Run, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(claimsInOrder, window)
  return db<PaymentLine & KeyedRow>`
    select ${paymentLineColumns}, ${key} from ${paymentTables}
    where p.status = 'PENDING_VERIFICATION' and p.receipt_id is null and ${beyond} ${order}`
}

/** Debits without a result; the debit whose last change is oldest is first. */
export const debitsInOrder = ascending([sql`p.updated_at`, 'instant'], [sql`p.payment_id`, 'uuid'])

/** Returns a page of the debits in progress. */
export const listDebits = (db: Run, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(debitsInOrder, window)
  return db<PaymentLine & KeyedRow>`
    select ${paymentLineColumns}, ${key} from ${paymentTables}
    where p.status in ('PREPARED', 'UNKNOWN', 'SUBMITTED') and ${beyond} ${order}`
}
