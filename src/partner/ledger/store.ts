// Tables ledger_entry and ledger_posting. Entries balance and are append-only.
import { type Fragment, type Run, sql, type Tx } from '#kit/db/sql.ts'
import type { Paise } from '#kit/money/money.ts'
import { type Balances, type ChartAccount, noBalances } from './chart.ts'

/**
 * The posting time, and the earliest business day for the books; entries are never in the books before their value
 * date.
 */
export interface PostingTime {
  at: Date
  on: string
}

/**
 * Inserts entries with their postings in one statement. A repeated entry is an error, because it would double the
 * money.
 */
export async function insertEntries(tx: Tx, entries: LedgerEntry[], { at, on }: PostingTime): Promise<void> {
  const lines = entries.flatMap((entry) => entry.postings.map((posting, i) => ({ ...entry, ...posting, line: i + 1 })))
  await tx`
    with entry as (
      insert into ledger_entry (case_ref, entry_id, kind, business_on, reverses, is_part_payment, keeps, posted_at, posted_on)
      select case_ref, entry_id, kind, business_on, reverses, is_part_payment, keeps, ${at}, greatest(business_on, ${on}::date)
      from unnest(${entries.map((one) => one.caseRef)}::text[], ${entries.map((one) => one.entryId)}::text[],
        ${entries.map((one) => one.kind)}::text[], ${entries.map((one) => one.businessOn)}::date[],
        ${entries.map((one) => one.reverses)}::text[],
        ${entries.map((one) => one.choice?.isPartPayment ?? null)}::boolean[],
        ${entries.map((one) => one.choice?.keeps ?? null)}::text[])
        as input (case_ref, entry_id, kind, business_on, reverses, is_part_payment, keeps))
    insert into ledger_posting (case_ref, entry_id, line, debit, credit, installment, paise)
    select case_ref, entry_id, line, debit, credit, installment, paise
    from unnest(${lines.map((one) => one.caseRef)}::text[], ${lines.map((one) => one.entryId)}::text[],
      ${lines.map((one) => one.line)}::smallint[], ${lines.map((one) => one.debit)}::text[],
      ${lines.map((one) => one.credit)}::text[], ${lines.map((one) => one.installment)}::smallint[],
      ${lines.map((one) => one.paise)}::bigint[])
      as input (case_ref, entry_id, line, debit, credit, installment, paise)`
}

export async function findEntry(db: Run, caseRef: string, entryId: string): Promise<LedgerEntry | undefined> {
  const [entry] = await entriesWhere(db, sql`e.case_ref = ${caseRef} and e.entry_id = ${entryId}`)
  return entry
}

/** Returns the entries of a case with their postings, in posting order. */
export const readEntries = (db: Run, caseRef: string): Promise<LedgerEntry[]> =>
  entriesWhere(db, sql`e.case_ref = ${caseRef}`)

/** Sums principal postings after `on` per case: the current balance less this sum is the balance on that day. */
export const principalSince = (on: string, cases: Fragment = sql`true`): Fragment => sql`
  select case_ref, sum(case when p.debit = 'PRINCIPAL' then p.paise else -p.paise end)::bigint as paise,
    bool_or(e.kind = 'DISBURSEMENT') as is_disbursed_since
  from ledger_entry e join ledger_posting p using (case_ref, entry_id)
  where e.posted_on > ${on}::date and 'PRINCIPAL' in (p.debit, p.credit) and ${cases} group by case_ref`

/** Returns the entries that touch `UNAPPLIED`; most cases have none. */
export const entriesOfUnapplied = (db: Run, caseRef: string): Promise<LedgerEntry[]> =>
  entriesWhere(
    db,
    sql`e.case_ref = ${caseRef} and e.entry_id in (
      select entry_id from ledger_posting where case_ref = ${caseRef} and 'UNAPPLIED' in (debit, credit))`,
  )

/** Returns fee refunds of cooling-off exits, and their reversals; rare. */
export const entriesOfFeeRefunds = (db: Run, caseRef: string): Promise<LedgerEntry[]> =>
  entriesWhere(
    db,
    sql`e.case_ref = ${caseRef} and (e.kind = 'FEE_RETURN' or e.reverses in (
      select entry_id from ledger_entry where case_ref = ${caseRef} and kind = 'FEE_RETURN'))`,
  )

/** Returns the entry that reverses this one, if any. */
export async function findReversal(
  db: Run,
  caseRef: string,
  entryId: string,
): Promise<{ entryId: string } | undefined> {
  const [row] = await db<{ entryId: string }>`
    select entry_id from ledger_entry where case_ref = ${caseRef} and reverses = ${entryId}`
  return row
}

async function entriesWhere(db: Run, condition: Fragment): Promise<LedgerEntry[]> {
  const rows = await db<
    Omit<LedgerEntry, 'postings'> & Posting & { isPartPayment: boolean | null; keeps: PaymentChoice['keeps'] | null }
  >`
    select e.case_ref, e.entry_id, e.kind, e.business_on, e.reverses, e.is_part_payment, e.keeps,
      greatest(e.business_on, (e.posted_at at time zone 'Asia/Kolkata')::date) as known_on,
      p.debit, p.credit, p.installment, p.paise
    from ledger_entry e join ledger_posting p using (case_ref, entry_id)
    where ${condition} order by e.posted_at, e.business_on, e.entry_id, p.line`
  const entries = new Map<string, LedgerEntry>()
  for (const { debit, credit, installment, paise, isPartPayment, keeps, ...head } of rows) {
    const choice = isPartPayment !== null && keeps ? { isPartPayment, keeps } : null
    const entry = entries.get(head.entryId) ?? { ...head, choice, postings: [] }
    entry.postings.push({ debit, credit, installment, paise })
    entries.set(head.entryId, entry)
  }
  return [...entries.values()]
}

/** Returns the companion entries since a write-off, and whether they booked recovery income. */
export const recoveriesOf = (db: Run, caseRefs: string[]) =>
  db<{ caseRef: string; entryId: string; isRecovery: boolean }>`
    select e.case_ref, e.entry_id, coalesce(bool_or('RECOVERY_INCOME' in (p.debit, p.credit)), false) as is_recovery
    from ledger_entry e join ledger_posting p using (case_ref, entry_id)
    where e.case_ref = any(${caseRefs}::text[]) and e.kind = 'RECOVERY' group by e.case_ref, e.entry_id`

/** Returns penal charges in suspense at the write-off, by row, less later reversals. */
export const suspendedPenalties = (db: Run, caseRefs: string[]) =>
  db<{ caseRef: string; installment: number; paise: bigint }>`
    select case_ref, installment,
      sum(case when debit in ('PENALTY_INCOME', 'PENALTY') then paise else -paise end)::bigint as paise
    from ledger_posting
    where case_ref = any(${caseRefs}::text[]) and (debit, credit) in (
      ('PENALTY_INCOME', 'INCOME_SUSPENSE'), ('INCOME_SUSPENSE', 'PENALTY_INCOME'),
      ('PENALTY', 'INCOME_SUSPENSE'), ('INCOME_SUSPENSE', 'PENALTY'), ('WRITTEN_OFF', 'PENALTY_INCOME'))
    group by case_ref, installment`

export interface AccountBalance {
  account: ChartAccount
  paise: bigint
}

/** Returns debits less credits of each account with a posting. */
export const sumByAccount = (db: Run, caseRef: string) => db<AccountBalance>`
  select account, sum(side.paise)::bigint as paise from ledger_posting p,
    lateral (values (p.debit, p.paise), (p.credit, -p.paise)) as side (account, paise)
  where case_ref = ${caseRef} group by account`

/** Posting days; both are included. */
export interface Period {
  from: string
  to: string
}

/** Returns the opening balance, and the debits and credits within a period, by account. */
export const sumsOfPeriod = (db: Run, { from, to }: Period) =>
  db<{ account: ChartAccount; opening: bigint; debit: bigint; credit: bigint }>`
  select side.account,
    coalesce(sum(side.debit - side.credit) filter (where e.posted_on < ${from}::date), 0)::bigint as opening,
    coalesce(sum(side.debit) filter (where e.posted_on >= ${from}::date), 0)::bigint as debit,
    coalesce(sum(side.credit) filter (where e.posted_on >= ${from}::date), 0)::bigint as credit
  from ledger_entry e join ledger_posting p using (case_ref, entry_id),
    lateral (values (p.debit, p.paise, 0::bigint), (p.credit, 0::bigint, p.paise)) as side (account, debit, credit)
  where e.posted_on <= ${to}::date group by side.account`

/** A posting with its entry. */
export interface JournalLine extends Omit<LedgerEntry, 'postings'>, Posting {
  line: number
  /** The business day of the books. */
  postedOn: string
  postedAt: Date
}

/** The position of the last line of a journal page. */
export type JournalPosition = Pick<JournalLine, 'postedOn' | 'caseRef' | 'entryId' | 'line'>

/** Returns the postings of a period after a position, ordered by posting day, case, entry and line. */
export const journalAfter = (db: Run, { from, to }: Period, after: JournalPosition | null, limit: number) =>
  db<JournalLine>`
  select e.case_ref, e.entry_id, e.kind, e.business_on, e.reverses, e.posted_on, e.posted_at,
    p.line, p.debit, p.credit, p.installment, p.paise
  from ledger_entry e join ledger_posting p using (case_ref, entry_id)
  where e.posted_on between ${from}::date and ${to}::date and ${
    after === null
      ? sql`true`
      : sql`(e.posted_on, e.case_ref, e.entry_id, p.line)
          > (${after.postedOn}::date, ${after.caseRef}, ${after.entryId}, ${after.line}::smallint)
          and e.posted_on >= ${after.postedOn}::date`
  }
  order by e.posted_on, e.case_ref, e.entry_id, p.line limit ${limit}`

/** Counts the postings of a period, up to `limit` + 1. */
export async function countPostings(db: Run, { from, to }: Period, limit: number): Promise<number> {
  const [row] = await db<{ count: number }>`
    select count(*)::int as count from (
      select 1 from ledger_entry e join ledger_posting p using (case_ref, entry_id)
      where e.posted_on between ${from}::date and ${to}::date limit ${limit + 1}) as lines`
  return row?.count ?? 0
}

type EntryKind =
  | 'DISBURSEMENT'
  | 'ACCRUAL'
  | 'DUE'
  | 'PENALTY'
  | 'RECEIPT'
  | 'REVERSAL'
  | 'AMENDMENT'
  | 'SET_OFF'
  | 'FEE_RETURN'
  | 'REFUND'
  | 'REFUND_PAID'
  | 'WAIVER'
  | 'WRITE_OFF'
  | 'RECOVERY'
  | 'SUSPENSE'
  | 'PROVISION'

/** A positive amount debited to one account and credited to another. `installment` is 0 without a row. */
export interface Posting {
  debit: ChartAccount
  credit: ChartAccount
  installment: number
  paise: Paise
}

/** A ledger entry with its postings. */
export interface LedgerEntry {
  caseRef: string
  /** Unique within the case and derived from the cause, so that the same cause cannot be posted twice. */
  entryId: string
  kind: EntryKind
  /** The value date. */
  businessOn: string
  /** The reversed entry. */
  reverses: string | null
  /** The borrower's choice for a receipt; null for other entries. */
  choice?: PaymentChoice | null
  /** The business day on which the lender learned of it; absent before posting. */
  knownOn?: string
  postings: Posting[]
}

/** The borrower's choice for a receipt. */
export interface PaymentChoice {
  /** Prepays principal at once, instead of paying an instalment early. */
  isPartPayment: boolean
  /** What stays unchanged: the instalment amount or the term. */
  keeps: 'INSTALLMENT' | 'TERM'
}

/** Adds the case to entries. */
export const withCase = (caseRef: string, entries: Omit<LedgerEntry, 'caseRef'>[]): LedgerEntry[] =>
  entries.map((entry) => ({ caseRef, ...entry }))

/** Returns a posting; none for zero. A negative amount swaps debit and credit. */
export function posting(debit: ChartAccount, credit: ChartAccount, paise: Paise, installment = 0): Posting[] {
  if (paise === 0n) return []
  return paise > 0n
    ? [{ debit, credit, installment, paise }]
    : [{ debit: credit, credit: debit, installment, paise: -paise }]
}

/** Returns the reversal of an entry: swapped postings, linked to the original (D3 §2.5). */
export const reversalOf = (entry: LedgerEntry, entryId: string, businessOn: string): LedgerEntry => ({
  caseRef: entry.caseRef,
  entryId,
  kind: 'REVERSAL',
  businessOn,
  reverses: entry.entryId,
  postings: entry.postings.map(({ debit, credit, ...rest }) => ({ debit: credit, credit: debit, ...rest })),
})

/** Sums postings by account. The total of all balances is always zero. */
export function balancesFrom(postings: Iterable<Posting>): Balances {
  const balances = noBalances()
  for (const { debit, credit, paise } of postings) {
    balances[debit] += paise
    balances[credit] -= paise
  }
  return balances
}
