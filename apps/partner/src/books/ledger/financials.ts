// The balance sheet and the profit-and-loss account of all loans, derived from the postings.

import { plusDays, yearStartOf } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import { accounts, type ChartAccount, chart } from './chart.ts'
import type { Period } from './store.ts'
import { sumsOfAccounts, type TrialBalance, type TrialRow } from './trial-balance.ts'

/** The same day of the year before; the end of February for the end of February. */
const yearBefore = (on: string): string => {
  const year = Number(on.slice(0, 4)) - 1
  return plusDays(on, 1).endsWith('-03-01') ? plusDays(`${year}-03-01`, -1) : `${year}${on.slice(4)}`
}

export const periodYearBefore = ({ from, to }: Period): Period => ({ from: yearBefore(from), to: yearBefore(to) })

/** An account with an amount for each column. */
export interface FinancialLine {
  account: ChartAccount
  amounts: Paise[]
}

/** Adds amounts column by column. */
export const addColumns = (some: Paise[], others: Paise[]): Paise[] => some.map((paise, i) => paise + (others[i] ?? 0n))

export const totalOf = (lines: FinancialLine[], zero: Paise[]): Paise[] =>
  lines.reduce((sum, { amounts }) => addColumns(sum, amounts), zero)

/** The accounts of a nature with an amount: debits less credits of assets and expenses, otherwise credits less debits. */
function linesOf(
  nature: TrialRow['nature'],
  column: (row: TrialRow) => Paise,
  balances: TrialBalance[],
): FinancialLine[] {
  const sign = nature === 'asset' || nature === 'expense' ? 1n : -1n
  const amountOf = ({ rows }: TrialBalance, account: ChartAccount): Paise =>
    rows.reduce((sum, row) => (row.account === account ? sum + sign * column(row) : sum), 0n)
  return chart
    .filter((account) => accounts[account] === nature)
    .map((account) => ({ account, amounts: balances.map((balance) => amountOf(balance, account)) }))
    .filter(({ amounts }) => amounts.some((paise) => paise !== 0n))
}

export interface Financials {
  /** At the end of the period, and at the end of the day before it. */
  days: [string, string]
  assets: FinancialLine[]
  liabilities: FinancialLine[]
  /** The profit of earlier financial years, and of the year up to each of the days. */
  reserves: Paise[]
  profit: Paise[]
  /** The period, the year to its end, and the year before to the same day. */
  periods: [Period, Period, Period]
  income: FinancialLine[]
  expenses: FinancialLine[]
}

const change = ({ debit, credit }: TrialRow): Paise => debit - credit
const closing = (row: TrialRow): Paise => row.closing

const profitOf = ({ rows }: TrialBalance, column: (row: TrialRow) => Paise): Paise =>
  rows.filter(({ nature }) => nature === 'income' || nature === 'expense').reduce((sum, row) => sum - column(row), 0n)

/** Call it in one snapshot, so that all columns have the same postings. */
export async function financialsOf(db: Run, period: Period): Promise<Financials> {
  const days: [string, string] = [period.to, plusDays(period.from, -1)]
  const yearTo = (to: string): Period => ({ from: yearStartOf(to), to })
  const atEnd = await sumsOfAccounts(db, yearTo(period.to))
  const atOpening = await sumsOfAccounts(db, yearTo(days[1]))
  const lastYear = periodYearBefore(yearTo(period.to))
  const periods: Financials['periods'] = [period, yearTo(period.to), lastYear]
  const inPeriod = await sumsOfAccounts(db, period)
  const inYearBefore = await sumsOfAccounts(db, lastYear)
  const movements = [inPeriod, atEnd, inYearBefore]
  return {
    days,
    periods,
    assets: linesOf('asset', closing, [atEnd, atOpening]),
    liabilities: linesOf('liability', closing, [atEnd, atOpening]),
    reserves: [atEnd, atOpening].map((balance) => profitOf(balance, ({ opening }) => opening)),
    profit: [atEnd, atOpening].map((balance) => profitOf(balance, change)),
    income: linesOf('income', change, movements),
    expenses: linesOf('expense', change, movements),
  }
}
