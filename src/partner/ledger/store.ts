// Tables of ledger, ledger_entry and ledger_posting: entries balance, are added and never changed.
import { type Fragment, type Run, sql, type Tx } from '#kit/db/sql.ts'
import type { Paise } from '#kit/money/money.ts'
import { type Balances, type ChartAccount, noBalances } from './chart.ts'

/** When entries are posted, and the business day in whose books they are; in no books of a day before their value date. */
export interface PostingTime {
  at: Date
  on: string
}

/** Adds entries with their postings in one statement. A repeated entry is an error: it would double the money. */
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

/** Entries of a case with their postings, in the order in which they were posted. */
export const readEntries = (db: Run, caseRef: string): Promise<LedgerEntry[]> =>
  entriesWhere(db, sql`e.case_ref = ${caseRef}`)

/** Principal postings after `on` per case: the current balance less these is the balance then. */
export const principalSince = (on: string, cases: Fragment = sql`true`): Fragment => sql`
  select case_ref, sum(case when p.debit = 'PRINCIPAL' then p.paise else -p.paise end)::bigint as paise,
    bool_or(e.kind = 'DISBURSEMENT') as is_opened
  from ledger_entry e join ledger_posting p using (case_ref, entry_id)
  where e.posted_on > ${on}::date and 'PRINCIPAL' in (p.debit, p.credit) and ${cases} group by case_ref`

/** Entries that moved money beyond the schedule; for most cases none. */
export const entriesOfUnapplied = (db: Run, caseRef: string): Promise<LedgerEntry[]> =>
  entriesWhere(
    db,
    sql`e.case_ref = ${caseRef} and e.entry_id in (
      select entry_id from ledger_posting where case_ref = ${caseRef} and 'UNAPPLIED' in (debit, credit))`,
  )

/** Refunded fees of cooling-off exits, and the entries that reversed such a refund; rare. */
export const entriesOfFeeRefunds = (db: Run, caseRef: string): Promise<LedgerEntry[]> =>
  entriesWhere(
    db,
    sql`e.case_ref = ${caseRef} and (e.kind = 'FEE_RETURN' or e.reverses in (
      select entry_id from ledger_entry where case_ref = ${caseRef} and kind = 'FEE_RETURN'))`,
  )

/** The entry that took another back, if one did. */
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

/** The companion entries since a write-off, and whether they booked recovered money. */
export const recoveriesOf = (db: Run, caseRefs: string[]) =>
  db<{ caseRef: string; entryId: string; isMoney: boolean }>`
    select e.case_ref, e.entry_id, coalesce(bool_or('RECOVERY_INCOME' in (p.debit, p.credit)), false) as is_money
    from ledger_entry e join ledger_posting p using (case_ref, entry_id)
    where e.case_ref = any(${caseRefs}::text[]) and e.kind = 'RECOVERY' group by e.case_ref, e.entry_id`

/** Penal charges in suspense at the write-off, by row, less later reversals. */
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

/** Debits less credits by account, for those that were ever touched. */
export const sumByAccount = (db: Run, caseRef: string) => db<AccountBalance>`
  select account, sum(side.paise)::bigint as paise from ledger_posting p,
    lateral (values (p.debit, p.paise), (p.credit, -p.paise)) as side (account, paise)
  where case_ref = ${caseRef} group by account`

/** Posting days; both count. */
export interface Period {
  from: string
  to: string
}

/** Sums per account up to the end of a period: one opening balance, and both sides within it. */
export const sumsOfPeriod = (db: Run, { from, to }: Period) =>
  db<{ account: ChartAccount; opening: bigint; debit: bigint; credit: bigint }>`
  select side.account,
    coalesce(sum(side.debit - side.credit) filter (where e.posted_on < ${from}::date), 0)::bigint as opening,
    coalesce(sum(side.debit) filter (where e.posted_on >= ${from}::date), 0)::bigint as debit,
    coalesce(sum(side.credit) filter (where e.posted_on >= ${from}::date), 0)::bigint as credit
  from ledger_entry e join ledger_posting p using (case_ref, entry_id),
    lateral (values (p.debit, p.paise, 0::bigint), (p.credit, 0::bigint, p.paise)) as side (account, debit, credit)
  where e.posted_on <= ${to}::date group by side.account`

/** One posting with what it belongs to. */
export interface JournalLine extends Omit<LedgerEntry, 'postings'>, Posting {
  line: number
  /** The business day in whose books it is. */
  postedOn: string
  postedAt: Date
}

/** The end of a journal page. */
export type JournalPlace = Pick<JournalLine, 'postedOn' | 'caseRef' | 'entryId' | 'line'>

/** Postings of a period after a place in the journal, in its order: posting day, case, entry, line. */
export const journalAfter = (db: Run, { from, to }: Period, after: JournalPlace | null, limit: number) =>
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

/** How many postings a period has, at most one more than `most`. */
export async function countPostings(db: Run, { from, to }: Period, most: number): Promise<number> {
  const [row] = await db<{ count: number }>`
    select count(*)::int as count from (
      select 1 from ledger_entry e join ledger_posting p using (case_ref, entry_id)
      where e.posted_on between ${from}::date and ${to}::date limit ${most + 1}) as lines`
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

/** An amount above zero that is debited here and credited there. `installment` is 0 when it is about no row. */
export interface Posting {
  debit: ChartAccount
  credit: ChartAccount
  installment: number
  paise: Paise
}

/** An entry of the ledger: postings from one account to another, and the entry that takes one back. */
export interface LedgerEntry {
  caseRef: string
  /** Unique in its case, and made from what it is about: the same thing cannot be entered twice. */
  entryId: string
  kind: EntryKind
  /** The business day from which it counts: its value date. */
  businessOn: string
  /** The reversed entry. */
  reverses: string | null
  /** Of a receipt; null for other entries. */
  choice?: PaymentChoice | null
  /** The business day on which the lender learned of it; absent until it is posted. */
  knownOn?: string
  postings: Posting[]
}

/** How the borrower wanted a receipt to be used. */
export interface PaymentChoice {
  /** Principal repaid at once, and no instalment paid early. */
  isPartPayment: boolean
  /** Which of the instalment and the term stays. */
  keeps: 'INSTALLMENT' | 'TERM'
}

/** Entries of one case. */
export const ofCase = (caseRef: string, entries: Omit<LedgerEntry, 'caseRef'>[]): LedgerEntry[] =>
  entries.map((entry) => ({ caseRef, ...entry }))

/** A posting, or none for zero. A negative amount swaps the sides. */
export function posting(debit: ChartAccount, credit: ChartAccount, paise: Paise, installment = 0): Posting[] {
  if (paise === 0n) return []
  return paise > 0n
    ? [{ debit, credit, installment, paise }]
    : [{ debit: credit, credit: debit, installment, paise: -paise }]
}

/** The entry that takes another back: every posting the other way round, linked to the original (D3 §2.5). */
export const reversalOf = (entry: LedgerEntry, entryId: string, businessOn: string): LedgerEntry => ({
  caseRef: entry.caseRef,
  entryId,
  kind: 'REVERSAL',
  businessOn,
  reverses: entry.entryId,
  postings: entry.postings.map(({ debit, credit, ...rest }) => ({ debit: credit, credit: debit, ...rest })),
})

/** The sum of postings by account. All balances together are always zero. */
export function balancesFrom(postings: Iterable<Posting>): Balances {
  const balances = noBalances()
  for (const { debit, credit, paise } of postings) {
    balances[debit] += paise
    balances[credit] -= paise
  }
  return balances
}
