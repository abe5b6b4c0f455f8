// Interest that was charged for days on which the money was there already, as the lender learnt of it late; pure rules.

import { daysBetween } from '#kit/money/calendar.ts'
import { divideHalfUp, type Paise } from '#kit/money/money.ts'
import { earningPrincipal, interestOnDays, interestOnDaysUp } from './accrue.ts'
import { earnedBy, type Planned, rowsToCome } from './replan.ts'
import { bpsOf, unitOf } from './rounding.ts'
import { owedOf, principalOf, type Row } from './row.ts'

/** Money that came on a day and is posted on a later one. */
export interface LateMoney {
  on: string
  today: string
  /** What of it nothing asked for on its day that bears no interest. */
  paise: Paise
  /** It would have repaid principal at once, and not paid the row that was under way. */
  isPartPayment: boolean
}

/** The part of a row's interest that was given back; 0 or below where it was charged again. */
export interface GivenBack {
  number: number
  paise: Paise
}

/** What rows give back, and the rows once they did. */
export interface Corrected {
  rows: Row[]
  back: GivenBack[]
  paise: Paise
}

/**
 * Interest on late money is not owed for its days: each row gives back what it charged for its own, never more than it earned.
 * So the income of a row cannot fall below zero, whether it was received or is in suspense. Like money that is told at once it
 * pays the row that was under way when that is due, and the rest of it, with what rows before gave back, repays principal. What
 * is too little to round to a unit is kept with the row for the next late money: how money is cut into receipts changes nothing.
 */
export function interestGivenBack(loan: Planned, rows: Row[], money: LateMoney): Corrected {
  const unit = unitOf(loan.terms.rounding)
  const lent = lentBy(rows, money.today)
  let earning = money.paise
  const corrected = new Map<Row, Correction>()
  for (const { row, days } of weeksSince(loan, rows, money)) {
    const lateDays = row.lateDays + least(earning, lent(row)) * days
    const charged = interestOnDays(lateDays, loan.terms, unit)
    const one = correctedBy(loan, least(charged, earnedOf(row, money.today, unit) - row.interestGivenBack), lateDays)
    if (corrected.size === 0 && !money.isPartPayment)
      earning -= least(earning + one.given, principalOf([row]) + row.due.interest - row.paid.interest)
    earning += one.given
    corrected.set(row, one)
  }
  return givenBackOf(rows, corrected)
}

/** Money that came earlier than `today` and closes the loan. */
export interface ClosingMoney extends Pick<LateMoney, 'on' | 'today'> {
  /** Principal that other money of the same day repaid today. */
  repaidWith: Paise
}

/**
 * What rows charged since the day on which all that closes the loan came: on principal to come, and on that of rows that fell
 * due since. Each row's part is rounded up, so that what closed the loan on that day closes it now; all of them are no more
 * than what is owed.
 */
export function interestSinceClosed(loan: Planned, rows: Row[], money: ClosingMoney): Corrected {
  const unit = unitOf(loan.terms.rounding)
  const coming = rowsToCome(rows, money.today)
  const lent = lentBy(rows, money.today, money.repaidWith)
  const fellDue = rows.slice(0, rows.length - coming.length)
  const corrected = new Map<Row, Correction>()
  let owed = fellDue.reduce((sum, row) => sum + owedOf(row), principalOf(coming))
  for (const { row, days } of weeksSince(loan, rows, money)) {
    const lateDays = row.lateDays + lent(row) * days
    const earned = row.dueOn <= money.today ? row.due.interest : earnedBy(loan, row)
    const charged = interestOnDaysUp(greatest(lateDays, 0n), loan.terms, unit)
    const one = correctedBy(loan, least(least(charged, earned - row.interestGivenBack), owed), lateDays)
    corrected.set(row, one)
    owed -= one.given
  }
  return givenBackOf(rows, corrected)
}

/**
 * What was lent in the week of a row: principal to come, and that of rows that fell due since. Interest that was paid before
 * its row was due counts like principal; what was given back of the week since was charged in it.
 */
function lentBy(rows: Row[], today: string, repaidWith = 0n): (row: Row) => Paise {
  const coming = rowsToCome(rows, today)
  const principal = coming.reduce((sum, { due }) => sum + due.principal, 0n)
  const toCome = earningPrincipal(principal, coming) + repaidWith
  const fellDue = rows.slice(0, rows.length - coming.length)
  const sumSince = (row: Row, some: Row[], of: (each: Row) => Paise): Paise =>
    some.reduce((sum, each) => (each.number >= row.number ? sum + of(each) : sum), 0n)
  return (row) => {
    const left = sumSince(row, fellDue, (each) => principalOf([each]) - each.paid.interest)
    return greatest(toCome + left + sumSince(row, rows, ({ interestGivenBack: back }) => back), 0n)
  }
}

/** The rows whose weeks have days on which the money was there and the lender did not know of it, and how many. */
function weeksSince(loan: Planned, rows: Row[], { on, today }: Pick<LateMoney, 'on' | 'today'>) {
  let begins = loan.disbursedOn
  return rows.flatMap((row) => {
    const [from, until] = [begins > on ? begins : on, row.dueOn < today ? row.dueOn : today]
    begins = row.dueOn
    return until > from ? [{ row, days: BigInt(daysBetween(from, until)) }] : []
  })
}

/** Of the row under way whole units, so that no rounding at its due date earns less. */
const earnedOf = (row: Row, today: string, unit: bigint): Paise =>
  row.dueOn <= today ? row.due.interest : (row.accrued / unit) * unit

/** What a row gives back, and the paise × days that are left for the next time: at most what a unit costs. */
interface Correction {
  given: Paise
  lateDays: bigint
}

function correctedBy({ terms }: Planned, charged: Paise, lateDays: bigint): Correction {
  const given = greatest(charged, 0n)
  const bps = bpsOf(terms.annualRatePercent)
  if (bps === 0n) return { given, lateDays: 0n }
  const daysOf = (paise: Paise): bigint => divideHalfUp(paise * 3_650_000n, bps)
  const most = daysOf(unitOf(terms.rounding))
  return { given, lateDays: greatest(least(lateDays - daysOf(given), most), -most) }
}

function givenBackOf(rows: Row[], corrected: Map<Row, Correction>): Corrected {
  const back = [...corrected].flatMap(([{ number }, { given }]) => (given > 0n ? [{ number, paise: given }] : []))
  const counted = rows.map((row) => {
    const { lateDays } = corrected.get(row) ?? row
    return lateDays === row.lateDays ? row : { ...row, lateDays }
  })
  return { rows: withGivenBack(counted, back), back, paise: back.reduce((sum, { paise }) => sum + paise, 0n) }
}

/** The rows after so much of their interest was given back, or charged again where it is below zero. */
export function withGivenBack(rows: Row[], back: GivenBack[]): Row[] {
  const sums = new Map<number, Paise>()
  for (const { number, paise } of back) sums.set(number, (sums.get(number) ?? 0n) + paise)
  return rows.map((row) => {
    const paise = sums.get(row.number)
    return paise ? { ...row, interestGivenBack: row.interestGivenBack + paise } : row
  })
}

const least = (a: Paise, b: Paise): Paise => (a < b ? a : b)
const greatest = (a: Paise, b: Paise): Paise => (a > b ? a : b)
