// Tables of transfers to borrowers: disbursement, refund and account_change. Also lists the loans with an amount to
// refund.

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { Paise } from '@lendloom/lending/money'
import { ascending, type KeyedRow, type PageWindow, pageClauses } from '@lendloom/postgres/keyset'
import { oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { DisbursementRow, DisbursementStatus } from './disbursement.ts'
import type { Refund } from './refund.ts'

const disbursementColumns = sql`case_ref, disbursement_id, status, amount_paise, payee_sealed, bank_reference, reason_code,
  sent_at, confirmed_at, created_at, updated_at`

/** Stores an ordered disbursement. */
export async function insertDisbursement(tx: Tx, row: DisbursementRow): Promise<void> {
  await tx`insert into disbursement ${tx({ ...row })}`
}

export interface TransferKey {
  kind: 'disbursement' | 'refund'
  caseRef: string
  transferId: string
}

/** Finds the disbursement or refund that the bank knows by a reference. */
export async function findTransfer(db: Run, reference: string): Promise<TransferKey | undefined> {
  const [row] = await db<TransferKey>`
    select 'disbursement' as kind, case_ref, disbursement_id as transfer_id from disbursement
    where disbursement_id::text = ${reference}
    union all
    select 'refund', case_ref, refund_id from refund where refund_id::text = ${reference}`
  return row
}

/** A transfer that the bank has confirmed, and not given back since. */
export interface ConfirmedTransfer extends TransferKey {
  amountPaise: Paise
  bankReference: string
  payeeSealed: Buffer
  orderedAt: Date
  confirmedAt: Date
}

/** Returns the confirmed transfers of a case, newest first. */
export const confirmedTransfers = (db: Run, caseRef: string) => db<ConfirmedTransfer>`
  select 'disbursement' as kind, case_ref, disbursement_id as transfer_id, amount_paise, bank_reference, payee_sealed,
    created_at as ordered_at, updated_at as confirmed_at
  from disbursement where case_ref = ${caseRef} and status = 'DISBURSED'
  union all
  select 'refund', case_ref, refund_id, amount_paise, bank_reference, payee_sealed, created_at, updated_at
  from refund where case_ref = ${caseRef} and status = 'PAID'
  order by ordered_at desc`

/**
 * Throws `wrong-state` if the receipt is the return of a payout or refund, or the bank says so, whatever its amount: our
 * own money is nobody's payment, and is not sent on.
 */
export async function requireNoReturn(
  db: Run,
  { returnOf, returnedTransfer }: Record<'returnOf' | 'returnedTransfer', string | null>,
): Promise<void> {
  if (returnedTransfer !== null)
    throw new Refusal('wrong-state', 'this receipt is the return of a transfer, not a payment')
  if (returnOf !== null && (await findTransfer(db, returnOf)))
    throw new Refusal('wrong-state', 'the bank says that this receipt is the return of our own transfer')
}

/** Returns the newest disbursement of a case; earlier ones failed. Undefined before the first order. */
export async function readNewestDisbursement(db: Run, caseRef: string): Promise<DisbursementRow | undefined> {
  const [row] = await db<DisbursementRow>`
    select ${disbursementColumns} from disbursement where case_ref = ${caseRef} order by created_at desc, disbursement_id desc limit 1`
  return row
}

/** Returns a disbursement that exists. */
export async function requireDisbursement(db: Run, caseRef: string, disbursementId: string): Promise<DisbursementRow> {
  const [row] = await db<DisbursementRow>`
    select ${disbursementColumns} from disbursement where case_ref = ${caseRef} and disbursement_id = ${disbursementId}`
  return required(row, `disbursement ${disbursementId}`)
}

type DisbursementChange = Pick<DisbursementRow, 'bankReference' | 'reasonCode' | 'sentAt' | 'confirmedAt'> & {
  status: DisbursementStatus
}

/** Writes the new status of a disbursement, and what the bank reported of it. */
export async function writeDisbursement(tx: Tx, before: DisbursementRow, change: DisbursementChange, at: Date) {
  const { status, bankReference, reasonCode, sentAt, confirmedAt } = change
  await tx`
    update disbursement set status = ${status}, bank_reference = ${bankReference}, reason_code = ${reasonCode},
      sent_at = ${sentAt}, confirmed_at = ${confirmedAt}, updated_at = ${at}
    where case_ref = ${before.caseRef} and disbursement_id = ${before.disbursementId}`
}

// Refunds

const refundColumns = sql`case_ref, refund_id, status, amount_paise, payee_sealed, bank_reference, reason_code, sent_at,
  confirmed_at, created_at, updated_at`

/** Stores a refund. Returns false while another refund of the case is pending. */
export async function insertRefund(tx: Tx, row: Refund): Promise<boolean> {
  return (await tx`insert into refund ${tx({ ...row })} on conflict do nothing returning 1`).length > 0
}

/** Returns a refund that exists. */
export async function requireRefund(db: Run, caseRef: string, refundId: string): Promise<Refund> {
  const [row] = await db<Refund>`
    select ${refundColumns} from refund where case_ref = ${caseRef} and refund_id = ${refundId}`
  return required(row, `refund ${refundId}`)
}

/** Writes the new status of a refund, and what the bank reported of it. */
export async function writeRefund(tx: Tx, refund: Refund): Promise<void> {
  const { caseRef, refundId, status, bankReference, reasonCode, sentAt, confirmedAt, updatedAt } = refund
  await tx`
    update refund set status = ${status}, bank_reference = ${bankReference}, reason_code = ${reasonCode},
      sent_at = ${sentAt}, confirmed_at = ${confirmedAt}, updated_at = ${updatedAt}
    where case_ref = ${caseRef} and refund_id = ${refundId}`
}

/** Returns the refunds of a case, oldest first. */
export const refundsOf = (db: Run, caseRef: string): Promise<Refund[]> => db<Refund>`
  select ${refundColumns} from refund where case_ref = ${caseRef} order by created_at, refund_id`

/** A loan with an amount to refund. */
export interface RefundDue {
  caseRef: string
  loanId: string
  leadSealed: Buffer
  paise: Paise
  /** The time since which the borrower has had an unapplied balance. */
  since: Date
  /** The reason code of the last refund that failed or came back; null without one. */
  failureCode: string | null
}

/**
 * Loans with an unapplied balance. `since` is the first posting after the balance was last zero or negative (`ended`),
 * so that money which arrives later does not restart the wait.
 */
const refundsDue = sql`
  with touched as (
    select p.case_ref, e.posted_at, sum(case when p.credit = 'UNAPPLIED' then p.paise else -p.paise end) as paise
    from ledger_posting p join ledger_entry e using (case_ref, entry_id)
    where p.debit = 'UNAPPLIED' or p.credit = 'UNAPPLIED' group by p.case_ref, e.posted_at),
  running as (
    select case_ref, posted_at, sum(paise) over (partition by case_ref order by posted_at) as balance from touched),
  due as (
    select r.case_ref, r.since, sum(t.paise)::bigint as paise
    from (
      select case_ref, min(posted_at) filter (where posted_at > coalesce(ended, '-infinity')) as since
      from (select case_ref, posted_at, max(posted_at) filter (where balance <= 0) over (partition by case_ref) as ended
        from running) as each group by case_ref) as r
    join touched t using (case_ref) group by r.case_ref, r.since having sum(t.paise) > 0)`

/** The order of refunds due: longest waiting first. */
export const refundsDueOrder = ascending([sql`d.since`, 'instant'], [sql`d.case_ref`, 'text'])

/** Returns a page of the loans with an amount to refund, the longest waiting first. */
export const listRefundsDue = (db: Run, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(refundsDueOrder, window)
  return db<RefundDue & KeyedRow>`
    ${refundsDue} select d.case_ref, l.loan_id, c.lead_sealed, d.paise, d.since, (
      select f.reason_code from refund f where f.case_ref = l.case_ref and f.status in ('FAILED', 'RETURNED')
      order by f.updated_at desc limit 1) as failure_code, ${key}
    from due d join loan l using (case_ref) join case_lead c using (case_ref) where ${beyond} ${order}`
}

/** Returns the number of refunds due, and the time since which the oldest is due. */
export async function countRefundsDue(db: Run): Promise<{ count: number; since: Date | null }> {
  return oneRow(
    await db<{ count: number; since: Date | null }>`
      ${refundsDue} select count(*)::int as count, min(since) as since from due`,
  )
}

export interface RefundLine extends Refund {
  loanId: string
  leadSealed: Buffer
}

/** The order of pending refunds: the longest unchanged first. */
export const pendingRefundsOrder = ascending([sql`refund.updated_at`, 'instant'], [sql`refund.refund_id`, 'uuid'])

/** Returns a page of the refunds without a final status. */
export const pendingRefunds = (db: Run, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(pendingRefundsOrder, window)
  return db<RefundLine & KeyedRow>`
    select ${refundColumns}, (select loan_id from loan l where l.case_ref = refund.case_ref) as loan_id,
      (select lead_sealed from case_lead c where c.case_ref = refund.case_ref) as lead_sealed, ${key}
    from refund where status in ('ORDERED', 'UNKNOWN', 'SENT') and ${beyond} ${order}`
}

interface AccountChange {
  caseRef: string
  accountSealed: Buffer
  approvedBy: string
  changedAt: Date
}

/** Records the account to which a borrower is paid from now on. */
export async function addAccountChange(tx: Tx, change: AccountChange): Promise<void> {
  const { caseRef, accountSealed, approvedBy, changedAt } = change
  await tx`
    insert into account_change (case_ref, number, account_sealed, approved_by, changed_at)
    select ${caseRef}::text, count(*) + 1, ${accountSealed}::bytea, ${approvedBy}::text, ${changedAt}::timestamptz
    from account_change where case_ref = ${caseRef}`
}

/** Returns the sealed account of the latest change; undefined if the account was never changed. */
export async function latestAccountChange(db: Run, caseRef: string): Promise<Buffer | undefined> {
  const [row] = await db<{ accountSealed: Buffer }>`
    select account_sealed from account_change where case_ref = ${caseRef} order by number desc limit 1`
  return row?.accountSealed
}

/** Counts the pending disbursements and refunds of a case. */
export async function countPendingTransfers(db: Run, caseRef: string): Promise<number> {
  const counted = await db<{ count: number }>`
    select (select count(*) from disbursement where case_ref = ${caseRef} and status in ('ORDERED', 'UNKNOWN', 'SENT'))::int
      + (select count(*) from refund where case_ref = ${caseRef} and status in ('ORDERED', 'UNKNOWN', 'SENT'))::int as count`
  return oneRow(counted).count
}
