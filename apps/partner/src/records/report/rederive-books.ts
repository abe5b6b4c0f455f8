// Derives the figures of books, reports, portfolio and bureau report from entries, and compares them with the desk.

import { plusDays } from '@lendloom/lending/calendar'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import {
  accountNumbers,
  accounts,
  type Balances,
  type ChartAccount,
  chart,
  endsWithYear,
  noBalances,
} from '#partner/books/ledger/chart.ts'
import { readJournal } from '#partner/books/ledger/journal.ts'
import type { JournalLine } from '#partner/books/ledger/store.ts'
import { balancesText, type TrialRow, trialBalance } from '#partner/books/ledger/trial-balance.ts'
import { seriesOf, taxOfDocuments } from '#partner/books/tax/store.ts'
import { closedBalances } from '#partner/records/report/month-closing-store.ts'
import { demandByMonth } from '#partner/records/report/portfolio/store.ts'
import { lastBusinessDay } from '#partner/servicing/loan/class/store.ts'
import { monthEndOf } from '#partner/servicing/loan/month/month-end.ts'
import type { DerivedFigure } from './bureau-differences.ts'
import { beginning, endOfTime } from './derived-loan.ts'
import { deriveLoanFigures } from './derived-loan-figures.ts'
import { readShownFigures } from './shown-figures.ts'
import {
  classesOfLoans,
  closedDays,
  countIncomplete,
  dayProvisions,
  firstRecordedMonth,
  loanPrincipals,
  monthPrincipals,
  type StoredSum,
  storedBalances,
} from './store.ts'
import type { Tallies } from './tally.ts'

interface MonthSums {
  opening: Balances
  debits: Balances
  credits: Balances
}

interface JournalSums {
  month: MonthSums
  closing: Balances
  /** The balances other than zero of each account and case that another table gives too, by `keyOf`. */
  cases: Map<string, Paise>
  provisionsByDay: Map<string, Paise>
  postings: number
}

const derivableAccounts: ReadonlySet<string> = new Set([
  'PRINCIPAL',
  'INTEREST',
  'PENALTY',
  'CHARGES',
  'ACCRUED_INTEREST',
  'WRITTEN_OFF',
  'INCOME_SUSPENSE',
  'BANK',
  'UNPOSTED',
  'REFUND_PAYABLE',
])

const keyOf = (account: string, caseRef: string): string => `${account} ${caseRef}`

const sumsOf = (rows: StoredSum[]): Map<string, Paise> =>
  new Map(rows.map(({ account, caseRef, paise }) => [keyOf(account, caseRef), paise]))

function addTo(sums: Map<string, Paise>, key: string, paise: Paise): void {
  const sum = (sums.get(key) ?? 0n) + paise
  if (sum === 0n) sums.delete(key)
  else sums.set(key, sum)
}

function addLine(sums: JournalSums, { postedOn, caseRef, debit, credit, paise }: JournalLine): void {
  const { month, closing } = sums
  // An account that is not in the chart begins at zero too, and becomes a figure.
  month.debits[debit] = (month.debits[debit] ?? 0n) + paise
  month.credits[credit] = (month.credits[credit] ?? 0n) + paise
  const sides: [ChartAccount, Paise][] = [
    [debit, paise],
    [credit, -paise],
  ]
  for (const [account, change] of sides) {
    closing[account] = (closing[account] ?? 0n) + change
    if (derivableAccounts.has(account)) addTo(sums.cases, keyOf(account, caseRef), change)
    if (account === 'PROVISION') addTo(sums.provisionsByDay, postedOn, -change)
  }
  sums.postings++
}

const rowsOf = ({ opening, debits, credits }: MonthSums): TrialRow[] =>
  chart.map((account) => ({
    account,
    number: accountNumbers[account],
    nature: accounts[account],
    opening: opening[account],
    debit: debits[account],
    credit: credits[account],
    closing: opening[account] + debits[account] - credits[account],
  }))

const figure = (what: string, derived: Paise, stored: Paise): DerivedFigure => ({
  what,
  derived: rupees(derived),
  stored: rupees(stored),
})

const differing = (figures: DerivedFigure[]): DerivedFigure[] =>
  figures.filter(({ derived, stored }) => derived !== stored)

const noAmounts = ',"0.00","0.00","0.00","0.00"'

/** Compares the rows of `balancesText`; names those that differ. An account without amounts may be missing. */
function balanceFigure(what: string, derived: string, stored: string): DerivedFigure {
  const rowsIn = (text: string) =>
    text
      .slice(2, -2)
      .split('],[')
      .filter((row) => !row.endsWith(noAmounts))
  const missingIn = (other: string, text: string) => rowsIn(text).filter((row) => !rowsIn(other).includes(row))
  return { what, derived: missingIn(stored, derived).join('; '), stored: missingIn(derived, stored).join('; ') }
}

function sumFigures(what: string, derived: Map<string, Paise>, stored: Map<string, Paise>): DerivedFigure[] {
  const keys = [...new Set([...derived.keys(), ...stored.keys()])]
  const found = differing(keys.map((key) => figure(`${what}: ${key}`, derived.get(key) ?? 0n, stored.get(key) ?? 0n)))
  return found.length > 0 ? found : [{ what, derived: `${derived.size}`, stored: `${stored.size}` }]
}

const principalsOf = ({ cases }: JournalSums): Map<string, Paise> =>
  new Map([...cases].filter(([key, paise]) => key.startsWith(keyOf('PRINCIPAL', '')) && paise > 0n))

async function monthFigures(db: Run, end: string, sums: JournalSums): Promise<DerivedFigure[]> {
  const period = { from: `${end.slice(0, 8)}01`, to: end }
  const { month } = sums
  const documentTax = await taxOfDocuments(db, period)
  const shown = await trialBalance(db, period)
  const derived = balancesText(rowsOf(month))
  const stored = await monthPrincipals(db, end)
  const closed = await closedBalances(db, end)
  return [
    balanceFigure(`${end} trial balance`, derived, balancesText(shown.rows)),
    figure(`${end} tax of invoices and notes`, month.credits.TAX_PAYABLE - month.debits.TAX_PAYABLE, documentTax),
    ...(closed === null ? [] : [balanceFigure(`${end} trial balance of the closed month`, derived, closed)]),
    ...(stored === null ? [] : sumFigures(`${end} principal of each loan`, principalsOf(sums), sumsOf(stored))),
  ]
}

const newSums = (): JournalSums => ({
  month: monthFrom(noBalances()),
  closing: noBalances(),
  cases: new Map(),
  provisionsByDay: new Map(),
  postings: 0,
})

const monthFrom = (closing: Balances): MonthSums => ({
  opening: { ...closing },
  debits: noBalances(),
  credits: noBalances(),
})

/** Moves income and expenses to the reserves, as on 1 April. */
function closedYear(closing: Balances): Balances {
  const balances = { ...closing }
  for (const account of chart.filter(endsWithYear)) {
    balances.RESERVES += balances[account]
    balances[account] = 0n
  }
  return balances
}

async function sumJournal(db: Run, lastClosed: string): Promise<{ sums: JournalSums; figures: DerivedFigure[] }> {
  const sums: JournalSums = newSums()
  const figures: DerivedFigure[] = []
  let end = await firstRecordedMonth(db)
  const endMonth = async (on: string): Promise<string> => {
    if (on <= lastClosed) figures.push(...(await monthFigures(db, on, sums)))
    if (on.slice(5, 7) === '03') sums.closing = closedYear(sums.closing)
    sums.month = monthFrom(sums.closing)
    return monthEndOf(plusDays(on, 1))
  }
  for await (const page of readJournal(db, { from: beginning, to: endOfTime }))
    for (const line of page) {
      const lineEnd = monthEndOf(line.postedOn)
      if (end === null || (sums.postings === 0 && lineEnd < end)) end = lineEnd
      while (end < lineEnd) end = await endMonth(end)
      addLine(sums, line)
    }
  while (end !== null && end <= lastClosed) end = await endMonth(end)
  return { sums, figures }
}

async function provisionFigures(db: Run, { provisionsByDay, closing }: JournalSums): Promise<DerivedFigure[]> {
  const days = await dayProvisions(db)
  let posted = 0n
  const found = days.flatMap(({ endedOn, paise, paiseByClass }) => {
    posted += provisionsByDay.get(endedOn) ?? 0n
    return [
      figure(`provisions on ${endedOn}`, posted, paise),
      figure(`provisions on ${endedOn} by class`, posted, paiseByClass),
    ]
  })
  return [...differing(found), figure('provisions', -closing.PROVISION, days.at(-1)?.paise ?? 0n)]
}

const monthEndsBetween = (from: string, to: string): string[] => {
  const months: string[] = []
  for (let end = monthEndOf(from); end <= monthEndOf(to); end = monthEndOf(plusDays(end, 1))) months.push(end)
  return months
}

function tallyFigures(derived: Tallies, stored: Tallies): DerivedFigure[] {
  const textIn = (tallies: Tallies, what: string): string => {
    const { count, paise } = tallies.get(what) ?? { count: 0, paise: 0n }
    return `${count} with ${rupees(paise)}`
  }
  return [...new Set([...derived.keys(), ...stored.keys()])]
    .sort()
    .map((what) => ({ what, derived: textIn(derived, what), stored: textIn(stored, what) }))
}

async function loanFigures(db: Run): Promise<DerivedFigure[]> {
  const days = await closedDays(db)
  const demand = await demandByMonth(db, beginning, endOfTime)
  const shown = { closedDays: days, monthEnds: demand.map(({ monthEnd }) => monthEnd) }
  const { tallies, differences, loans } = await deriveLoanFigures(db, shown)
  const named = [...tallies.keys()].filter((what) => /^\d/.test(what)).sort()
  const months = monthEndsBetween(named[0]?.slice(0, 10) ?? endOfTime, named.at(-1)?.slice(0, 10) ?? beginning)
  const stored = await readShownFigures(db, { ...shown, months, demand })
  const bureau = { what: 'bureau report and schedules', derived: `${loans} loans`, stored: `${loans} loans` }
  return [...tallyFigures(tallies, stored), ...(differences.length > 0 ? differences : [bureau])]
}

/** Derives all figures again, within one snapshot. Returns the equal ones too, and the number of postings. */
export async function rederiveBooks(db: Run): Promise<{ figures: DerivedFigure[]; postings: number }> {
  const lastClosed = (await lastBusinessDay(db))?.endedOn ?? ''
  const { sums, figures } = await sumJournal(db, lastClosed)
  const unknown = Object.entries(sums.closing).filter(([account]) => !chart.some((each) => each === account))
  const incomplete = await countIncomplete(db)
  const classes = (await classesOfLoans(db)).map(({ caseRef, derived, stored }) => ({
    what: `class of ${caseRef}`,
    derived,
    stored,
  }))
  return {
    postings: sums.postings,
    figures: [
      ...figures,
      ...sumFigures('principal of each loan', principalsOf(sums), sumsOf(await loanPrincipals(db))),
      ...sumFigures('balances of each case', sums.cases, sumsOf(await storedBalances(db))),
      ...unknown.map(([account, paise]) => ({ what: `account ${account}`, derived: rupees(paise), stored: 'none' })),
      { what: 'entries without postings, and postings without an entry', derived: '0', stored: `${incomplete}` },
      ...(await seriesOf(db)).map(({ kind, financialYear, documents, highest }) => ({
        what: `${kind} ${financialYear} without a gap`,
        derived: `${highest}`,
        stored: `${documents}`,
      })),
      ...(await provisionFigures(db, sums)),
      ...classes,
      ...(await loanFigures(db)),
    ],
  }
}
