// The books of all loans: the trial balance and the journal of a period.

import { type CsvColumn, csvPage } from '@lendloom/documents/csv'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import { accountNumbers, accounts, type ChartAccount, chart, endsWithYear } from './chart.ts'
import type { AccountCodes } from './settings.ts'
import {
  type JournalLine,
  type JournalPosition,
  journalAfter,
  type Period,
  type PeriodSums,
  sumsOfPeriod,
} from './store.ts'

export interface TrialRow {
  account: ChartAccount
  number: string
  nature: (typeof accounts)[ChartAccount]
  /** The balance before the period: debits less credits. */
  opening: Paise
  /** The debits within the period, and the credits. */
  debit: Paise
  credit: Paise
  /** The balance at the end of the period: debits less credits. */
  closing: Paise
}

export interface TrialBalance extends Period {
  rows: TrialRow[]
  /** The sums of all rows. In an intact ledger, opening and closing are zero, and debit equals credit. */
  total: Pick<TrialRow, 'opening' | 'debit' | 'credit' | 'closing'>
}

/** Returns a row for every account, in chart order. Financial years end: income and expenses begin at zero on 1 April. */
export const trialBalance = async (db: Run, period: Period): Promise<TrialBalance> =>
  balanceOf(period, withYearEnds(await sumsOfPeriod(db, period)))

/** The same as `trialBalance` without year ends: the sums of all postings. */
export const sumsOfAccounts = async (db: Run, period: Period): Promise<TrialBalance> =>
  balanceOf(period, await sumsOfPeriod(db, period))

type AccountSums = Pick<PeriodSums, 'account' | 'opening' | 'debit' | 'credit'>

/** Moves the balances of income and expenses to the reserves at each year end. */
function withYearEnds(sums: PeriodSums[]): AccountSums[] {
  const reserves = { account: 'RESERVES' as const, opening: 0n, debit: 0n, credit: 0n }
  const rows = sums.map(({ account, opening, earlier, debit, credit, ended }) => {
    if (!endsWithYear(account)) return { account, opening, debit, credit }
    reserves.opening += earlier
    // A credit clears a debit balance, such as that of an expense; the reserves get the opposite side.
    const hasDebitBalance = ended > 0n
    const cleared = hasDebitBalance ? ended : -ended
    if (hasDebitBalance) reserves.debit += cleared
    else reserves.credit += cleared
    return {
      account,
      opening: opening - earlier,
      debit: hasDebitBalance ? debit : debit + cleared,
      credit: hasDebitBalance ? credit + cleared : credit,
    }
  })
  return [...rows, reserves]
}

function balanceOf(period: Period, accountSums: AccountSums[]): TrialBalance {
  const sums = new Map(accountSums.map((each) => [each.account, each]))
  const rows = chart.map((account) => {
    const { opening, debit, credit } = sums.get(account) ?? { opening: 0n, debit: 0n, credit: 0n }
    return {
      account,
      number: accountNumbers[account],
      nature: accounts[account],
      opening,
      debit,
      credit,
      closing: opening + debit - credit,
    }
  })
  const sum = (column: 'opening' | 'debit' | 'credit' | 'closing') =>
    rows.reduce((total, row) => total + row[column], 0n)
  const total = { opening: sum('opening'), debit: sum('debit'), credit: sum('credit'), closing: sum('closing') }
  return { ...period, rows, total }
}

export const isBalanced = ({ total }: TrialBalance): boolean =>
  total.opening === 0n && total.closing === 0n && total.debit === total.credit

/** The rows as JSON: the number, opening, debits, credits and closing of each account, in rupees. */
export const balancesText = (rows: TrialRow[]): string =>
  JSON.stringify(
    rows.map(({ number, opening, debit, credit, closing }) => [
      number,
      rupees(opening),
      rupees(debit),
      rupees(credit),
      rupees(closing),
    ]),
  )

const journalPageSize = 2000

/** Yields the postings of a period in pages, ordered by posting day. */
export async function* readJournal(db: Run, period: Period): AsyncGenerator<JournalLine[]> {
  let after: JournalPosition | null = null
  for (;;) {
    const lines: JournalLine[] = await journalAfter(db, period, after, journalPageSize)
    if (lines.length > 0) yield lines
    const last = lines.at(-1)
    if (!last || lines.length < journalPageSize) return
    after = last
  }
}

const accountText = (account: ChartAccount): string => `${accountNumbers[account]} ${account}`

/** The columns in the order of the file. Importers may read them by position, so a new column goes to the end. */
const journalColumns = (codes: AccountCodes): CsvColumn<JournalLine>[] => [
  { head: 'business_on', of: (line) => line.businessOn },
  { head: 'case_ref', of: (line) => line.caseRef },
  { head: 'entry_id', of: (line) => line.entryId },
  { head: 'line', of: (line) => line.line },
  { head: 'kind', of: (line) => line.kind },
  { head: 'debit_account', of: (line) => accountText(line.debit) },
  { head: 'credit_account', of: (line) => accountText(line.credit) },
  { head: 'amount', of: (line) => rupees(line.paise) },
  { head: 'installment', of: ({ installment }) => (installment === 0 ? '' : installment) },
  { head: 'reverses', of: (line) => line.reverses },
  { head: 'posted_at', of: (line) => line.postedAt },
  { head: 'posted_on', of: (line) => line.postedOn },
  { head: 'debit_general_ledger', of: (line) => codes[line.debit] },
  { head: 'credit_general_ledger', of: (line) => codes[line.credit] },
]

export type JournalFormat = (lines: JournalLine[], isFirst: boolean) => string

/** Returns one CSV line per posting, and the column names before the first page. Amounts are in rupees. */
export function journalCsv(codes: AccountCodes): JournalFormat {
  const columns = journalColumns(codes)
  return (lines, isFirst) => csvPage(columns, lines, isFirst)
}

/** Returns one line of JSON per posting, with the fields of its entry. */
export const journalJson =
  (codes: AccountCodes): JournalFormat =>
  (lines) =>
    lines
      .map((line) =>
        JSON.stringify({
          business_on: line.businessOn,
          case_ref: line.caseRef,
          entry_id: line.entryId,
          line: line.line,
          kind: line.kind,
          debit_account: line.debit,
          credit_account: line.credit,
          debit_number: accountNumbers[line.debit],
          credit_number: accountNumbers[line.credit],
          debit_general_ledger: codes[line.debit] ?? null,
          credit_general_ledger: codes[line.credit] ?? null,
          amount: rupees(line.paise),
          currency: 'INR',
          installment: line.installment === 0 ? null : line.installment,
          reverses: line.reverses,
          posted_at: line.postedAt.toISOString(),
          posted_on: line.postedOn,
        }),
      )
      .map((text) => `${text}\n`)
      .join('')
