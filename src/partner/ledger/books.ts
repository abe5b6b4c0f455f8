// The books of all loans together: the trial balance of a period, and the journal that it is made of.

import type { Run } from '#kit/db/sql.ts'
import type { Paise } from '#kit/money/money.ts'
import { type Account, accounts } from './accounts.ts'
import { accountNumbers, chart } from './chart.ts'
import { type JournalLine, type JournalPlace, journalAfter, type Period, sumsOfPeriod } from './store.ts'

export interface TrialRow {
  account: Account
  number: string
  nature: (typeof accounts)[Account]
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
  /** Of the whole: opening and closing are zero, debit and credit are equal, or the ledger is damaged. */
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
