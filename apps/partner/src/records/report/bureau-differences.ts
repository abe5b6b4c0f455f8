// Derives the line of a loan in the bureau report, and a schedule that never changed, and compares them with the shown ones.

import { ownValue } from '@lendloom/foundation/record'
import { daysBetween, plusDays } from '@lendloom/lending/calendar'
import { divideHalfUp, rupees } from '@lendloom/lending/money'
import type { JournalLine } from '#partner/books/ledger/store.ts'
import type { LoanTerms } from '#partner/origination/terms/terms.ts'
import { bureauFigures } from './bureau-report.ts'
import {
  classKnownOn,
  type DerivedLoan,
  debitsLessCredits,
  debitsOf,
  duesChanges,
  endOfTime,
  isOpen,
  isRefundClaim,
  isReversed,
  latestDay,
} from './derived-loan.ts'

/** A figure in rupees, as derived from the postings and as stored or shown. */
export interface DerivedFigure {
  what: string
  derived: string
  stored: string
}

function plannedPrincipals({ amountPaise, installmentPaise, annualRatePercent, tenureWeeks, rounding }: LoanTerms) {
  const bps = BigInt(annualRatePercent.replace('.', ''))
  const unit = rounding === 'RUPEE' ? 100n : 1n
  let left = amountPaise
  return Array.from({ length: tenureWeeks }, (_, i) => {
    const regular = installmentPaise - divideHalfUp(left * bps * 7n, 3_650_000n * unit) * unit
    const principal = i + 1 === tenureWeeks || regular > left ? left : regular
    left -= principal
    return principal
  })
}

function dueRows({ rows, lines }: DerivedLoan, reportedOn: string) {
  const unpaid = rows
    .filter(({ dueOn }) => dueOn <= reportedOn)
    .map(({ number, countsFrom, principalPaise }) => {
      const ofRow = lines.filter(({ installment }) => installment === number)
      const payments = ofRow.filter(
        (line) => ![line.debit, line.credit].includes('INTEREST_INCOME') && !isRefundClaim(line),
      )
      const other = debitsLessCredits(ofRow, 'PENALTY', 'CHARGES', 'INTEREST')
      return { number, countsFrom, paise: principalPaise + debitsLessCredits(payments, 'PRINCIPAL') + other }
    })
  const overdue = unpaid.filter(({ countsFrom }) => countsFrom <= reportedOn)
  return {
    unpaid,
    overdue,
    overdueFrom: overdue
      .filter(({ paise }) => paise > 0n)
      .map(({ countsFrom }) => countsFrom)
      .sort()[0],
  }
}

function deriveBureau(loan: DerivedLoan, reportedOn: string): Record<string, unknown> {
  const { lines, terms } = loan
  const { unpaid, overdue, overdueFrom } = dueRows(loan, reportedOn)
  const isDue = ({ installment }: JournalLine) => unpaid.some(({ number }) => number === installment)
  const valid = lines.filter((line) => !isReversed(line, lines, endOfTime))
  const lastDayOf = (kind: JournalLine['kind']) =>
    latestDay(valid.flatMap((line) => (line.kind === kind ? line.businessOn : [])))
  const balance =
    debitsLessCredits(lines, 'PRINCIPAL', 'PENALTY') + debitsLessCredits(lines.filter(isDue), 'INTEREST', 'CHARGES')
  const state = classKnownOn(loan.classes, endOfTime)
  const nonPerforming = state === 'LOSS' ? 'LSS' : state === 'SUB_STANDARD' ? 'SUB' : 'DBT'
  return {
    openedOn: lastDayOf('DISBURSEMENT'),
    lastPaidOn: lastDayOf('RECEIPT'),
    closedOn: isOpen(lines) ? null : latestDay(duesChanges(lines).map(({ businessOn }) => businessOn)),
    sanctioned: debitsOf(
      lines.filter(({ kind }) => kind === 'DISBURSEMENT'),
      'PRINCIPAL',
    ),
    balance,
    overdue: overdue.reduce((sum, { paise }) => sum + paise, 0n),
    daysPastDue: overdueFrom === undefined ? 0 : daysBetween(overdueFrom, reportedOn) + 1,
    assetClass: state === 'STANDARD' ? 'STD' : state.startsWith('SMA') ? 'SMA' : nonPerforming,
    writtenOffOn: lastDayOf('WRITE_OFF'),
    settledOn: settledSince(loan),
    instalments: terms.tenureWeeks,
    instalment: loan.scheduleVersion === 1 ? terms.installmentPaise : loan.line.installmentPaise,
    ratePercent: terms.annualRatePercent,
  }
}

/** A returned payment may replace the settlement; the loan is then settled since the replaced one. */
function settledSince({ line, lines }: DerivedLoan): string | null {
  const settlements = lines.filter(({ kind }) => kind === 'SETTLEMENT')
  const current = settlements.find((each) => !isReversed(each, lines, endOfTime))
  const isEarlier = settlements.some(({ businessOn }) => businessOn === line.settledOn)
  return current && isEarlier ? line.settledOn : (current?.businessOn ?? null)
}

const textOf = (value: unknown): string => (typeof value === 'bigint' ? rupees(value) : `${value}`)

export function bureauDifferences(loan: DerivedLoan, reportedOn: string): DerivedFigure[] {
  const { caseRef, line, rows, scheduleVersion, terms } = loan
  // The bureau hears nothing of a loan whose payout came back: the borrower never had it.
  if (line.status === 'CANCELLED') return []
  const stored: Record<string, unknown> = { ...bureauFigures(line, reportedOn) }
  const reported = Object.entries(deriveBureau(loan, reportedOn)).map(([name, value]) => ({
    what: `bureau report of ${caseRef}: ${name}`,
    derived: textOf(value),
    stored: textOf(ownValue(stored, name)),
  }))
  const planned = scheduleVersion > 1 ? [] : plannedPrincipals(terms)
  const plan = planned.map((principal, i) => `${plusDays(line.disbursedOn, 7 * (i + 1))} ${rupees(principal)}`)
  const storedPlan =
    planned.length === 0 ? [] : rows.map(({ dueOn, principalPaise }) => `${dueOn} ${rupees(principalPaise)}`)
  const schedule = { what: `schedule of ${caseRef}`, derived: plan.join(), stored: storedPlan.join() }
  return [...reported, schedule].filter((each) => each.derived !== each.stored)
}
