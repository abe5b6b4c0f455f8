// The trial balance of a period: the balances and sums of every account over all loans.

import { type Paise, rupees } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import { accountNumbers, accounts, type ChartAccount, chart, endsWithYear } from './chart.ts'
import { type Period, type PeriodSums, sumsOfPeriod } from './store.ts'

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
