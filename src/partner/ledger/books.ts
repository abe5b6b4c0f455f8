// The books of all loans together: the trial balance of a period, and the journal that it is made of.
import type { Run } from '#kit/db/sql.ts'
import { csvPage } from '#kit/files/csv.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import { accountNumbers, accounts, type ChartAccount, chart } from './chart.ts'
import { type JournalLine, type JournalPlace, journalAfter, type Period, sumsOfPeriod } from './store.ts'

export interface TrialRow {
  account: ChartAccount
  number: string
  nature: (typeof accounts)[ChartAccount]
  /** Debits less credits before the period. */
  opening: Paise
  /** Within the period. */
  debit: Paise
  credit: Paise
  /** Debits less credits at its end. */
  closing: Paise
}

export interface TrialBalance extends Period {
  rows: TrialRow[]
  /** The totals: opening and closing are zero, debit equals credit; otherwise the ledger is damaged. */
  total: Pick<TrialRow, 'opening' | 'debit' | 'credit' | 'closing'>
}

/** Every account in the order of the chart, those without a posting too. Both days count. */
export async function trialBalance(db: Run, period: Period): Promise<TrialBalance> {
  const sums = new Map((await sumsOfPeriod(db, period)).map((each) => [each.account, each]))
  const rows = chart.map((account) => {
    const { opening, debit, credit } = sums.get(account) ?? { opening: 0n, debit: 0n, credit: 0n }
    return {
      ...{ account, number: accountNumbers[account], nature: accounts[account] },
      ...{ opening, debit, credit, closing: opening + debit - credit },
    }
  })
  const sum = (of: 'opening' | 'debit' | 'credit' | 'closing') => rows.reduce((total, row) => total + row[of], 0n)
  const total = { opening: sum('opening'), debit: sum('debit'), credit: sum('credit'), closing: sum('closing') }
  return { ...period, rows, total }
}

export const isBalanced = ({ total }: TrialBalance): boolean =>
  total.opening === 0n && total.closing === 0n && total.debit === total.credit

const pageOfJournal = 2000

/** The postings of a period in the order of their days, a page at a time; both days count. */
export async function* journalOf(db: Run, period: Period): AsyncGenerator<JournalLine[]> {
  let after: JournalPlace | null = null
  for (;;) {
    const lines: JournalLine[] = await journalAfter(db, period, after, pageOfJournal)
    if (lines.length > 0) yield lines
    const last = lines.at(-1)
    if (!last || lines.length < pageOfJournal) return
    after = last
  }
}

const journalHead = [
  'business_on',
  'case_ref',
  'entry_id',
  'line',
  'kind',
  'debit_account',
  'credit_account',
  'amount',
  'installment',
  'reverses',
  'posted_at',
  'posted_on',
]

const accountText = (account: ChartAccount): string => `${accountNumbers[account]} ${account}`

const cells = (line: JournalLine): unknown[] => [
  ...[line.businessOn, line.caseRef, line.entryId, line.line, line.kind],
  ...[accountText(line.debit), accountText(line.credit), rupees(line.paise)],
  ...[line.installment === 0 ? '' : line.installment, line.reverses ?? '', line.postedAt.toISOString(), line.postedOn],
]

/**
 * A line of CSV for each posting, under a head where it is the first page. Amounts are in rupees, with two decimals.
 */
export const journalCsv = (lines: JournalLine[], isFirst: boolean): string =>
  csvPage(journalHead, lines.map(cells), isFirst)

/** One line for each posting, which names its entry: `jq -s` makes an array of them. */
export const journalJson = (lines: JournalLine[]): string =>
  lines
    .map((line) =>
      JSON.stringify({
        ...{ business_on: line.businessOn, case_ref: line.caseRef, entry_id: line.entryId, line: line.line },
        ...{ kind: line.kind, debit_account: line.debit, credit_account: line.credit },
        ...{ debit_number: accountNumbers[line.debit], credit_number: accountNumbers[line.credit] },
        ...{ amount: rupees(line.paise), currency: 'INR' },
        ...{ installment: line.installment === 0 ? null : line.installment, reverses: line.reverses },
        posted_at: line.postedAt.toISOString(),
        posted_on: line.postedOn,
      }),
    )
    .map((text) => `${text}\n`)
    .join('')
