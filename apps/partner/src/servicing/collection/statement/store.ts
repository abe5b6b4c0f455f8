// Tables of bank statements: bank_statement, bank_statement_line, bank_statement_pair. Also reads the booked movements
// that reconciliation compares with a statement.

import type { Paise } from '@lendloom/lending/money'
import { descending, type KeyedRow, type PageWindow, pageClauses } from '@lendloom/postgres/keyset'
import type { DigestTable } from '@lendloom/postgres/rekey-digests'
import { bigint, bytea, date, integer, rowsAs, text } from '@lendloom/postgres/rows'
import { type Fragment, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { ContentDigest } from '@lendloom/seal/content-digest'
import { uuidv7 } from '@lendloom/seal/id'
import type { Period } from '#partner/books/ledger/store.ts'
import type { AccountBalances } from './statement-line.ts'

/** The digests of files, whose remarks may name people. */
export const digestsOfStatements: DigestTable = {
  table: 'bank_statement',
  key: ['statement_id'],
  plain: 'digest',
  keyed: 'content_mac',
  purpose: 'bank statement',
  unique: 'bank_statement_content_mac_key',
}

export interface StatementImport {
  statementId: string
  fileName: string
  fromOn: string
  toOn: string
  lines: number
  uploadedBy: string
  uploadedAt: Date
  /** Null while the statement is open. */
  closedAt: Date | null
  closingReason: string | null
}

export interface StatementClosure {
  closedBy: string
  closedAt: Date
  closingReason: string | null
  differences: { reference: string; bank: Paise | null; books: Paise | null }[]
}

export interface PairRemoval {
  statementId: string
  bankReference: string
  undoneBy: string
  undoneAt: Date
}

interface MatchPart {
  reference: string
  paise: Paise
}

/** One bank reference and one or more book entries, or the reverse, that an accountant matched. */
export interface Match {
  bank: MatchPart[]
  books: MatchPart[]
  reason: string
  pairedBy: string
  pairedAt: Date
}

interface StoredPart {
  matchId: string
  bankReference: string | null
  bookReference: string | null
  paise: Paise
  reason: string
  pairedBy: string
  pairedAt: Date
  pairer: string
}

interface StoredLine {
  line: number
  valueOn: string
  paise: Paise
  reference: string
  wordsSealed: Buffer
}

/** A movement in the bank account. `paise` is positive for incoming money. */
export interface BankMovement {
  valueOn: string
  paise: Paise
  reference: string
  caseRef: string | null
  loanId: string | null
}

const columns = sql`statement_id, file_name, from_on, to_on, lines, uploaded_by, uploaded_at, closed_at, closing_reason`

/** Inserts a statement. Returns false if the same file was stored before. */
export async function insertStatement(
  tx: Tx,
  statement: Omit<StatementImport, 'closedAt' | 'closingReason'> & Partial<AccountBalances>,
  { lines, file }: { lines: StoredLine[]; file: ContentDigest },
): Promise<boolean> {
  const { statementId } = statement
  const known = await tx`select from bank_statement where digest = ${file.plain}`
  if (known.length > 0) return false
  const row = { ...statement, contentMac: file.keyed }
  const inserted = await tx`insert into bank_statement ${tx(row)} on conflict do nothing returning 1`
  if (inserted.length === 0) return false
  await tx`
    insert into bank_statement_line (statement_id, line, value_on, paise, reference, words_sealed)
    select ${statementId}, line, value_on, paise, reference, words_sealed
    from ${rowsAs(sql`input`, lines, {
      line: integer((one) => one.line),
      valueOn: date((one) => one.valueOn),
      paise: bigint((one) => one.paise),
      reference: text((one) => one.reference),
      wordsSealed: bytea((one) => one.wordsSealed),
    })}`
  return true
}

export async function readStatement(db: Run, statementId: string): Promise<StatementImport | undefined> {
  const [row] = await db<StatementImport>`select ${columns} from bank_statement where statement_id = ${statementId}`
  return row
}

export async function lockStatement(tx: Tx, statementId: string): Promise<StatementImport | undefined> {
  const [row] =
    await tx<StatementImport>`select ${columns} from bank_statement where statement_id = ${statementId} for update`
  return row
}

export async function closeStatement(
  tx: Tx,
  statementId: string,
  { closedBy, closedAt, closingReason, differences }: StatementClosure,
): Promise<void> {
  const stored = JSON.stringify(
    differences.map(({ reference, bank, books }) => ({ reference, bank: `${bank ?? 0n}`, books: `${books ?? 0n}` })),
  )
  await tx`
    update bank_statement set closed_by = ${closedBy}, closed_at = ${closedAt}, closing_reason = ${closingReason},
      closing_differences = ${stored}::jsonb
    where statement_id = ${statementId}`
}

/** The same as `normalizeReference`: banks write the same reference with other blanks, hyphens and letter case. */
const bare = (reference: Fragment): Fragment => sql`upper(regexp_replace(${reference}, '[[:space:]-]', '', 'g'))`

export async function readMatches(db: Run, statementId: string): Promise<(Match & { pairer: string })[]> {
  const rows = await db<StoredPart>`
    select coalesce(p.part_of, p.pair_id) as match_id, ${bare(sql`p.bank_reference`)} as bank_reference,
      ${bare(sql`p.book_reference`)} as book_reference, p.paise, p.reason, p.paired_by,
      p.paired_at, coalesce(s.name, '') as pairer
    from bank_statement_pair p left join staff s on s.staff_id = p.paired_by
    where p.statement_id = ${statementId} and p.undone_at is null order by p.paired_at, p.pair_id`
  return [...Map.groupBy(rows, ({ matchId }) => matchId).values()].map(matchOf)
}

function matchOf(rows: StoredPart[]): Match & { pairer: string } {
  const [first] = rows
  if (!first) throw new RangeError('a match has at least one row')
  const { reason, pairedBy, pairedAt, pairer } = first
  const total = rows.reduce((sum, { paise }) => sum + paise, 0n)
  const partsOf = (side: 'bankReference' | 'bookReference'): MatchPart[] => {
    const parts = rows.flatMap((row) => row[side] ?? [])
    return parts.map((reference, i) => ({ reference, paise: parts.length > 1 ? (rows[i]?.paise ?? 0n) : total }))
  }
  return { bank: partsOf('bankReference'), books: partsOf('bookReference'), reason, pairedBy, pairedAt, pairer }
}

/**
 * Stores a match as one row per reference of the longer side. The rows after the first name the first in `part_of`; the
 * shorter side has its only reference in the first row.
 */
export async function insertMatch(tx: Tx, statementId: string, { bank, books, ...match }: Match): Promise<void> {
  const first = uuidv7(match.pairedAt.getTime())
  const several = bank.length > books.length ? bank : books
  for (const [i, { paise }] of several.entries()) {
    const references = { bankReference: bank[i]?.reference ?? null, bookReference: books[i]?.reference ?? null }
    const ids = i === 0 ? { pairId: first, partOf: null } : { pairId: uuidv7(match.pairedAt.getTime()), partOf: first }
    await tx`insert into bank_statement_pair ${tx({ statementId, ...ids, ...references, paise, ...match })}`
  }
}

/** Marks the match of a bank reference as undone. Returns false for an unknown match. */
export async function undoStoredMatch(
  tx: Tx,
  { statementId, bankReference, undoneBy, undoneAt }: PairRemoval,
): Promise<boolean> {
  const undone = await tx`
    update bank_statement_pair set undone_by = ${undoneBy}, undone_at = ${undoneAt}
    where statement_id = ${statementId} and undone_at is null and coalesce(part_of, pair_id) = (
      select coalesce(part_of, pair_id) from bank_statement_pair
      where statement_id = ${statementId} and ${bare(sql`bank_reference`)} = ${bankReference} and undone_at is null) returning 1`
  return undone.length > 0
}

export interface BalanceGap {
  openingPaise: Paise
  previousPaise: Paise
  fileName: string
  toOn: string
}

/** Returns the closing balance of the account's statement before, if the opening balance differs from it. */
export async function balanceGap(db: Run, statementId: string): Promise<BalanceGap | undefined> {
  const [gap] = await db<BalanceGap>`
    select b.opening_paise, p.closing_paise as previous_paise, p.file_name, p.to_on
    from bank_statement b cross join lateral (
      select closing_paise, file_name, to_on from bank_statement p
      where p.account = b.account and p.to_on <= b.from_on and (p.to_on, p.uploaded_at) < (b.to_on, b.uploaded_at)
      order by p.to_on desc, p.uploaded_at desc limit 1) p
    where b.statement_id = ${statementId} and b.opening_paise <> p.closing_paise`
  return gap
}

export const statementsInOrder = descending([sql`b.uploaded_at`, 'instant'], [sql`b.statement_id`, 'uuid'])

export const listStatements = (db: Run, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(statementsInOrder, window)
  return db<StatementImport & KeyedRow & { uploader: string }>`
    select b.statement_id, b.file_name, b.from_on, b.to_on, b.lines, b.uploaded_by, b.uploaded_at,
      b.closed_at, b.closing_reason,
      coalesce(s.name, '') as uploader, ${key}
    from bank_statement b left join staff s on s.staff_id = b.uploaded_by where ${beyond} ${order}`
}

export const readLines = (db: Run, statementId: string) => db<StoredLine & BankMovement>`
  select line, value_on, paise, ${bare(sql`reference`)} as reference, words_sealed, null::text as case_ref, null::text as loan_id
  from bank_statement_line where statement_id = ${statementId} order by line`

/**
 * Returns the debits, returns, receipts, disbursements and refunds that were booked in a statement's period. A receipt
 * is booked on its arrival, so its posting to a loan and an officer's reversal of that posting are no movements.
 */
export const bookedMovements = (db: Run, period: Pick<StatementImport, 'fromOn' | 'toOn'>) => db<BankMovement>`
  select moved.value_on, moved.paise, ${bare(sql`moved.reference`)} as reference, moved.case_ref, l.loan_id
  from (${movements(period)}) as moved left join loan l on l.case_ref = moved.case_ref
  where moved.reference is not null`

export interface ReviewedDay {
  valueOn: string
  isBooked: boolean
  /** The references that changed after the closing of each statement of this day. */
  late: string[]
}

/**
 * Returns the days with a movement or a late reference: one whose totals in the statement and in the books differ after
 * the closing, unless the accountant accepted this difference at the closing. Manual matches count as one reference,
 * except matches whose bank reference is among the accepted differences. Reads the movements once, for all `closed`
 * statements.
 */
export function reviewDays(db: Run, { from, to }: Period, closed: Pick<StatementImport, 'fromOn' | 'toOn'>[]) {
  const days = [from, to, ...closed.flatMap(({ fromOn, toOn }) => [fromOn, toOn])].sort()
  return db<ReviewedDay>`
  with moved as materialized (
    select value_on, ${bare(sql`reference`)} as reference, paise from (${movements({ fromOn: days[0] ?? from, toOn: days.at(-1) ?? to })}) as booked
    where reference is not null
  ), day as materialized (select distinct value_on from moved
  ), closed as (
    select statement_id, from_on, to_on, closing_differences from bank_statement
    where closed_at is not null and from_on <= ${to}::date and to_on >= ${from}::date
  ), accepted as (
    select c.statement_id, ${bare(sql`d.reference`)} as reference, d.bank, d.books from closed c
      cross join jsonb_to_recordset(c.closing_differences) as d (reference text, bank bigint, books bigint)
  ), part as materialized (
    select p.statement_id, ${bare(sql`p.bank_reference`)} as bank_reference, ${bare(sql`p.book_reference`)} as book_reference,
      min(${bare(sql`p.book_reference`)}) over each as reference, bool_or(a.reference is not null) over each as is_void
    from closed c join bank_statement_pair p on p.statement_id = c.statement_id and p.undone_at is null
      left join accepted a on a.statement_id = p.statement_id and a.reference = ${bare(sql`p.bank_reference`)}
    window each as (partition by p.statement_id, coalesce(p.part_of, p.pair_id))
  ), side as materialized (
    select c.statement_id, coalesce(p.reference, ${bare(sql`l.reference`)}) as reference, l.value_on, l.paise as bank, 0 as books
    from closed c join bank_statement_line l on l.statement_id = c.statement_id
      left join part p on p.statement_id = l.statement_id and p.bank_reference = ${bare(sql`l.reference`)} and not p.is_void
    union all
    select c.statement_id, coalesce(p.reference, m.reference), m.value_on, 0, m.paise
    from closed c join day d on d.value_on between c.from_on and c.to_on join moved m on m.value_on = d.value_on
      left join part p on p.statement_id = c.statement_id and p.book_reference = m.reference and not p.is_void
  ), total as (
    select statement_id, reference, value_on, sum(bank) over each as bank, sum(books) over each as books from side
    where reference in (select reference from side group by statement_id, reference having sum(bank - books) <> 0)
    window each as (partition by statement_id, reference)
  ), late as (
    select t.value_on, t.reference from total t join closed c on c.statement_id = t.statement_id
      left join accepted a on a.statement_id = t.statement_id and a.reference = t.reference
    group by t.value_on, t.reference
    having not bool_or(c.closing_differences is null or t.bank = t.books
      or coalesce(t.bank = a.bank and t.books = a.books, false))
  )
  select value_on, bool_or(late is null) as is_booked, coalesce(array_agg(late order by late) filter (where late is not null), '{}') as late
  from (select value_on, null as late from day union all select value_on, reference from late) as found
  where value_on between ${from}::date and ${to}::date group by value_on order by value_on`
}

/** The day on which a transfer left the account. The bank may have given it back later. */
const transferDay = sql`(coalesce(confirmed_at, updated_at) at time zone 'Asia/Kolkata')::date`

/** The movements of the bank account in the books: incoming money is positive. A debit that was returned has two. */
const movements = ({ fromOn, toOn }: Pick<StatementImport, 'fromOn' | 'toOn'>): Fragment => sql`
    select value_on, amount_paise as paise, transaction_reference as reference, case_ref from bank_receipt
    where value_on between ${fromOn}::date and ${toOn}::date
    union all
    select value_on, amount_paise, bank_reference, case_ref from payment
    where status in ('POSTED', 'TAKEN_BACK') and collection_id is not null and value_on between ${fromOn}::date and ${toOn}::date
    union all
    select p.value_on, -p.amount_paise, coalesce(p.bank_reference, o.bank_reference), p.case_ref
    from payment p join payment o on o.case_ref = p.case_ref and o.payment_id = p.reversal_of_payment_id
    where p.status = 'REVERSED' and o.collection_id is not null and p.value_on between ${fromOn}::date and ${toOn}::date
    union all
    select ${transferDay}, -amount_paise, bank_reference, case_ref from disbursement
    where status in ('DISBURSED', 'RETURNED') and ${transferDay} between ${fromOn}::date and ${toOn}::date
    union all
    select ${transferDay}, -amount_paise, bank_reference, case_ref from refund
    where status in ('PAID', 'RETURNED') and ${transferDay} between ${fromOn}::date and ${toOn}::date
    union all
    select (updated_at at time zone 'Asia/Kolkata')::date, -amount_paise, bank_reference, null from receipt_return
    where status = 'PAID' and (updated_at at time zone 'Asia/Kolkata')::date between ${fromOn}::date and ${toOn}::date
    union all
    select taken_back_on, -amount_paise, bank_reference, null from receipt_return
    where taken_back_on between ${fromOn}::date and ${toOn}::date`
