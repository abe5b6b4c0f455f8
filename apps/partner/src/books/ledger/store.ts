// Tables ledger_entry and ledger_posting. The debits and credits of an entry are equal, and no entry is changed or
// deleted.

import { yearStartOf } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import { bigint, boolean, type Columns, date, namesOf, rowsAs, smallint, text } from '@lendloom/postgres/rows'
import { type Fragment, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { ChartAccount } from './chart.ts'
import type { EntryKind, LedgerEntry, PaymentChoice, Posting } from './entry.ts'

/** `at` is the time of posting. `on` is the business day in the books, unless the value date of the entry is later. */
export interface PostingTime {
  at: Date
  on: string
}

type PostingLine = LedgerEntry & Posting & { line: number }

const postingColumns: Columns<PostingLine> = {
  caseRef: text((line) => line.caseRef),
  entryId: text((line) => line.entryId),
  line: smallint((line) => line.line),
  debit: text((line) => line.debit),
  credit: text((line) => line.credit),
  installment: smallint((line) => line.installment),
  paise: bigint((line) => line.paise),
}

/** Inserts entries with their postings in one statement. Throws if an entry exists. */
export async function insertEntries(tx: Tx, entries: LedgerEntry[], { at, on }: PostingTime): Promise<void> {
  const lines = entries.flatMap((entry) => entry.postings.map((posting, i) => ({ ...entry, ...posting, line: i + 1 })))
  await tx`
    with entry as (
      insert into ledger_entry (case_ref, entry_id, kind, business_on, reverses, is_part_payment, keeps, posted_at, posted_on)
      select case_ref, entry_id, kind, business_on, reverses, is_part_payment, keeps, ${at}, greatest(business_on, ${on}::date)
      from ${rowsAs(sql`input`, entries, {
        caseRef: text((entry) => entry.caseRef),
        entryId: text((entry) => entry.entryId),
        kind: text((entry) => entry.kind),
        businessOn: date((entry) => entry.businessOn),
        reverses: text((entry) => entry.reverses),
        isPartPayment: boolean((entry) => entry.choice?.isPartPayment ?? null),
        keeps: text((entry) => entry.choice?.keeps ?? null),
      })})
    insert into ledger_posting (${namesOf(postingColumns)})
    select ${namesOf(postingColumns)} from ${rowsAs(sql`input`, lines, postingColumns)}`
}

/** Returns an entry with its postings; undefined if the case has no such entry. */
export async function findEntry(db: Run, caseRef: string, entryId: string): Promise<LedgerEntry | undefined> {
  const [entry] = await entriesWhere(db, sql`e.case_ref = ${caseRef} and e.entry_id = ${entryId}`)
  return entry
}

/** Returns the entries of a case with their postings, ordered by posting time. */
export const readEntries = (db: Run, caseRef: string): Promise<LedgerEntry[]> =>
  entriesWhere(db, sql`e.case_ref = ${caseRef}`)

/**
 * Sums the principal posted after `on` per case. The current principal less this sum is the principal on that day.
 * `is_disbursed_since`: the loan was disbursed after that day.
 */
export const principalSince = (on: string, cases: Fragment = sql`true`): Fragment => sql`
  select case_ref, sum(case when p.debit = 'PRINCIPAL' then p.paise else -p.paise end)::bigint as paise,
    bool_or(e.kind = 'DISBURSEMENT') as is_disbursed_since
  from ledger_entry e join ledger_posting p using (case_ref, entry_id)
  where e.posted_on > ${on}::date and 'PRINCIPAL' in (p.debit, p.credit) and ${cases} group by case_ref`

/** Returns the entries that changed the unapplied balance, ordered by posting time. */
export const entriesOfUnapplied = (db: Run, caseRef: string): Promise<LedgerEntry[]> =>
  entriesWhere(
    db,
    sql`e.case_ref = ${caseRef} and e.entry_id in (
      select entry_id from ledger_posting where case_ref = ${caseRef} and 'UNAPPLIED' in (debit, credit))`,
  )

/** Returns fee refunds of cooling-off exits, and their reversals. */
export const entriesOfFeeRefunds = (db: Run, caseRef: string): Promise<LedgerEntry[]> =>
  entriesOfKinds(db, caseRef, ['FEE_RETURN'])

/** Returns the entries of some kinds, and their reversals. */
export const entriesOfKinds = (db: Run, caseRef: string, kinds: EntryKind[]): Promise<LedgerEntry[]> =>
  entriesWhere(
    db,
    sql`e.case_ref = ${caseRef} and (e.kind = any(${kinds}::text[]) or e.reverses in (
      select entry_id from ledger_entry where case_ref = ${caseRef} and kind = any(${kinds}::text[])))`,
  )

/** Returns the entry that reverses an entry; undefined if it was not reversed. */
export async function findReversal(
  db: Run,
  caseRef: string,
  entryId: string,
): Promise<{ entryId: string } | undefined> {
  const [row] = await db<{ entryId: string }>`
    select entry_id from ledger_entry where case_ref = ${caseRef} and reverses = ${entryId}`
  return row
}

/**
 * Returns entries in the order in which they were posted. A fee refund is posted before the receipt that completes the
 * exit, also if the receipt has an earlier value date.
 */
async function entriesWhere(db: Run, condition: Fragment): Promise<LedgerEntry[]> {
  const rows = await db<
    Omit<LedgerEntry, 'postings'> & Posting & { isPartPayment: boolean | null; keeps: PaymentChoice['keeps'] | null }
  >`
    select e.case_ref, e.entry_id, e.kind, e.business_on, e.reverses, e.is_part_payment, e.keeps,
      greatest(e.business_on, (e.posted_at at time zone 'Asia/Kolkata')::date) as known_on,
      p.debit, p.credit, p.installment, p.paise
    from ledger_entry e join ledger_posting p using (case_ref, entry_id)
    where ${condition} order by e.posted_at, e.kind <> 'FEE_RETURN', e.business_on, e.entry_id, p.line`
  const entries = new Map<string, LedgerEntry>()
  for (const { debit, credit, installment, paise, isPartPayment, keeps, ...head } of rows) {
    const choice = isPartPayment !== null && keeps ? { isPartPayment, keeps } : null
    const entry = entries.get(head.entryId) ?? { ...head, choice, postings: [] }
    entry.postings.push({ debit, credit, installment, paise })
    entries.set(head.entryId, entry)
  }
  return [...entries.values()]
}

/** Returns the companion entries of written-off loans, and whether they booked recovery income. */
export const recoveriesOf = (db: Run, caseRefs: string[]) =>
  db<{ caseRef: string; entryId: string; isRecovery: boolean }>`
    select e.case_ref, e.entry_id, coalesce(bool_or('RECOVERY_INCOME' in (p.debit, p.credit)), false) as is_recovery
    from ledger_entry e join ledger_posting p using (case_ref, entry_id)
    where e.case_ref = any(${caseRefs}::text[]) and e.kind = 'RECOVERY' group by e.case_ref, e.entry_id`

/** Returns the penal charges that were in suspense at the write-off, by row, less later reversals. */
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

/** Returns the balance of each account with a posting: debits less credits. */
export const sumByAccount = (db: Run, caseRef: string) => db<AccountBalance>`
  select account, sum(side.paise)::bigint as paise from ledger_posting p,
    lateral (values (p.debit, p.paise), (p.credit, -p.paise)) as side (account, paise)
  where case_ref = ${caseRef} group by account`

/** The first and the last posting day of a period. */
export interface Period {
  from: string
  to: string
}

export interface PeriodSums {
  account: ChartAccount
  opening: Paise
  /** The part of the opening balance from financial years before that of the period's first day. */
  earlier: Paise
  debit: Paise
  credit: Paise
  /** The balance of the financial years from that of the first day to the one before that of the last day. */
  ended: Paise
}

/** Returns the opening balance, and the debits and credits within a period, by account. */
export const sumsOfPeriod = (db: Run, { from, to }: Period) =>
  db<PeriodSums>`
  select side.account,
    coalesce(sum(side.debit - side.credit) filter (where e.posted_on < ${yearStartOf(from)}::date), 0)::bigint as earlier,
    coalesce(sum(side.debit - side.credit) filter (
      where e.posted_on >= ${yearStartOf(from)}::date and e.posted_on < ${yearStartOf(to)}::date), 0)::bigint as ended,
    coalesce(sum(side.debit - side.credit) filter (where e.posted_on < ${from}::date), 0)::bigint as opening,
    coalesce(sum(side.debit) filter (where e.posted_on >= ${from}::date), 0)::bigint as debit,
    coalesce(sum(side.credit) filter (where e.posted_on >= ${from}::date), 0)::bigint as credit
  from ledger_entry e join ledger_posting p using (case_ref, entry_id),
    lateral (values (p.debit, p.paise, 0::bigint), (p.credit, 0::bigint, p.paise)) as side (account, debit, credit)
  where e.posted_on <= ${to}::date group by side.account`

export interface JournalLine extends Omit<LedgerEntry, 'postings'>, Posting {
  line: number
  /** The business day in the books. */
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

/** Counts the postings of a period. Stops at `limit` + 1, which shows that there are more than `limit`. */
export async function countPostings(db: Run, { from, to }: Period, limit: number): Promise<number> {
  const [row] = await db<{ count: number }>`
    select count(*)::int as count from (
      select 1 from ledger_entry e join ledger_posting p using (case_ref, entry_id)
      where e.posted_on between ${from}::date and ${to}::date limit ${limit + 1}) as lines`
  return row?.count ?? 0
}
