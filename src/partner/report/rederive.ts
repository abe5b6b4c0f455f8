// Derives the figures of the books again from single postings, and compares them with what the desk shows and stores.

import type { Run } from '#kit/db/sql.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import { balancesText, readJournal, type TrialRow, trialBalance } from '#partner/ledger/books.ts'
import { accountNumbers, accounts, type Balances, type ChartAccount, chart, noBalances } from '#partner/ledger/chart.ts'
import { lastBusinessDay } from '#partner/loan/class/store.ts'
import { monthEndOf } from '#partner/loan/month/store.ts'
import { closedBalances, loanPrincipals, monthPrincipal, unpostedReceipts } from './store.ts'

/** A figure in rupees, as derived from the postings and as stored or shown. */
export interface DerivedFigure {
  what: string
  derived: string
  stored: string
}

/** The balances at the beginning of a month, and its debits and credits. */
interface MonthSums {
  opening: Balances
  debits: Balances
  credits: Balances
}

interface JournalSums {
  months: Map<string, MonthSums>
  /** The principal of each case. */
  principals: Map<string, Paise>
  closing: Balances
  postings: number
}

async function sumJournal(db: Run): Promise<JournalSums> {
  const sums: JournalSums = { months: new Map(), principals: new Map(), closing: noBalances(), postings: 0 }
  for await (const page of readJournal(db, { from: '0001-01-01', to: '9999-12-31' }))
    for (const { postedOn, caseRef, debit, credit, paise } of page) {
      const end = monthEndOf(postedOn)
      const month = sums.months.get(end) ?? {
        opening: { ...sums.closing },
        debits: noBalances(),
        credits: noBalances(),
      }
      month.debits[debit] += paise
      month.credits[credit] += paise
      sums.closing[debit] += paise
      sums.closing[credit] -= paise
      sums.months.set(end, month)
      const principal = (debit === 'PRINCIPAL' ? paise : 0n) - (credit === 'PRINCIPAL' ? paise : 0n)
      if (principal !== 0n) sums.principals.set(caseRef, (sums.principals.get(caseRef) ?? 0n) + principal)
      sums.postings++
    }
  return sums
}

const closingOf = ({ opening, debits, credits }: MonthSums, account: ChartAccount): Paise =>
  opening[account] + debits[account] - credits[account]

const rowsOf = (month: MonthSums): TrialRow[] =>
  chart.map((account) => ({
    ...{ account, number: accountNumbers[account], nature: accounts[account] },
    ...{ opening: month.opening[account], debit: month.debits[account], credit: month.credits[account] },
    closing: closingOf(month, account),
  }))

const figure = (what: string, derived: Paise, stored: Paise): DerivedFigure => ({
  ...{ what, derived: rupees(derived), stored: rupees(stored) },
})

async function monthFigures(db: Run, end: string, month: MonthSums): Promise<DerivedFigure[]> {
  const shown = await trialBalance(db, { from: `${end.slice(0, 8)}01`, to: end })
  const [derived, principal, closed] = [
    balancesText(rowsOf(month)),
    await monthPrincipal(db, end),
    await closedBalances(db, end),
  ]
  return [
    { what: `${end} trial balance`, derived, stored: balancesText(shown.rows) },
    ...(closed === null ? [] : [{ what: `${end} trial balance of the closed month`, derived, stored: closed }]),
    ...(principal === null
      ? []
      : [figure(`${end} principal of the portfolio`, closingOf(month, 'PRINCIPAL'), principal)]),
  ]
}

/** Derives all figures again, within one snapshot. Returns the equal ones too, and the number of postings. */
export async function rederiveBooks(db: Run): Promise<{ figures: DerivedFigure[]; postings: number }> {
  const { months, principals, closing, postings } = await sumJournal(db)
  const last = await lastBusinessDay(db)
  const figures: DerivedFigure[] = []
  for (const [end, month] of months)
    if (last && end <= last.endedOn) figures.push(...(await monthFigures(db, end, month)))
  const loans = await loanPrincipals(db)
  for (const { caseRef, paise } of loans) {
    const derived = principals.get(caseRef) ?? 0n
    if (derived !== paise) figures.push(figure(`principal of ${caseRef}`, derived, paise))
  }
  const stored = loans.reduce((sum, { paise }) => sum + paise, 0n)
  return {
    postings,
    figures: [
      ...figures,
      figure('principal of all loans', closing.PRINCIPAL, stored),
      figure('receipts not yet posted', -closing.UNPOSTED, await unpostedReceipts(db)),
      figure('provisions', -closing.PROVISION, last?.provisionPaise ?? 0n),
    ],
  }
}
