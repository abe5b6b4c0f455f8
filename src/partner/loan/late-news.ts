// Interest that was charged for days on which the money was there already, as the lender learnt of it late; pure rules.

import { daysBetween } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import { earningPrincipal, interestOnDays, interestOnDaysUp } from './accrue.ts'
import { earnedBy, type Planned, rowsToCome } from './replan.ts'
import { unitOf } from './rounding.ts'
import type { Amounts, Row } from './row.ts'

/** Money that repays principal or pays the row under way today, and was there since an earlier day. */
export interface LateMoney {
  paise: Paise
  /** The day on which it came, and the day on which it is posted. */
  on: string
  today: string
  /** What of the principal to come is left for the interest that is given back. */
  most: Paise
}

/** The part of a row's interest that was given back; 0 or below where it was charged again. */
export interface GivenBack {
  number: number
  paise: Paise
}

interface Corrected {
  rows: Row[]
  back: GivenBack[]
  paise: Paise
}

/**
 * Interest on late money is not owed for those days. Each row gives back what it charged for its own days, never more than
 * it earned, and the lender repays principal with it. So the income of a row cannot fall below zero, whether it was received
 * or is in suspense.
 */
export function interestGivenBack(loan: Planned, rows: Row[], { paise, on, today, most }: LateMoney): Corrected {
  const unit = unitOf(loan.terms.rounding)
  const interestUntil = (day: string): Paise => interestOnDays(paise * BigInt(daysBetween(on, day)), loan.terms, unit)
  const back: GivenBack[] = []
  let [begins, left, counted] = [loan.disbursedOn, most, 0n]
  for (const row of rows) {
    const [from, until] = [later(begins, on), row.dueOn < today ? row.dueOn : today]
    begins = row.dueOn
    if (until <= from) continue
    const charged = interestUntil(until) - counted
    counted += charged
    const given = least(charged, earnedOf(row, today, unit) - row.interestGivenBack, left)
    if (given <= 0n) continue
    back.push({ number: row.number, paise: given })
    left -= given
  }
  return { rows: withGivenBack(rows, back), back, paise: most - left }
}

interface PaidOf extends Amounts {
  number: number
}

/** Money that came earlier than `today` and closes the loan, and what it pays of rows that fell due. */
export interface ClosingMoney extends Omit<LateMoney, 'paise'> {
  due: PaidOf[]
  /** Principal that other money of the same day repaid today. */
  repaidWith: Paise
}

/**
 * What rows charged since the day on which all that closes the loan came: on principal to come, and on that of rows that fell
 * due since. Each row's part is rounded up, so that what closed the loan on that day closes it now.
 */
export function interestSinceClosed(loan: Planned, rows: Row[], money: ClosingMoney): Corrected {
  const { on, today, due, repaidWith } = money
  const unit = unitOf(loan.terms.rounding)
  const coming = rowsToCome(rows, today)
  const toCome = earningPrincipal(principalOf(coming), coming) + repaidWith
  const back: GivenBack[] = []
  let [begins, left] = [loan.disbursedOn, money.most]
  for (const row of rows) {
    const [from, until] = [later(begins, on), row.dueOn < today ? row.dueOn : today]
    begins = row.dueOn
    if (until <= from) continue
    const earning = rows.reduce((sum, each) => (each.number >= row.number ? sum + fellDueWith(each, due) : sum), toCome)
    const charged = interestOnDaysUp(earning * BigInt(daysBetween(from, until)), loan.terms, unit)
    const earned = row.dueOn <= today ? row.due.interest : earnedBy(loan, row)
    const given = least(charged, earned - row.interestGivenBack, left)
    if (given <= 0n) continue
    back.push({ number: row.number, paise: given })
    left -= given
  }
  return { rows: withGivenBack(rows, back), back, paise: money.most - left }
}

/** Principal that the money pays of a row that fell due, less the interest of it that was paid before: that earned nothing. */
function fellDueWith({ number, paid }: Row, due: PaidOf[]): Paise {
  const share = due.find((each) => each.number === number)
  return share ? share.principal + share.interest - paid.interest : 0n
}

const principalOf = (rows: Row[]): Paise => rows.reduce((sum, { due }) => sum + due.principal, 0n)

/** Of the row under way whole units, so that no rounding at its due date earns less. */
const earnedOf = (row: Row, today: string, unit: bigint): Paise =>
  row.dueOn <= today ? row.due.interest : (row.accrued / unit) * unit

/** The rows after so much of their interest was given back, or charged again where it is below zero. */
export function withGivenBack(rows: Row[], back: GivenBack[]): Row[] {
  const sums = new Map<number, Paise>()
  for (const { number, paise } of back) sums.set(number, (sums.get(number) ?? 0n) + paise)
  return rows.map((row) => {
    const paise = sums.get(row.number)
    return paise ? { ...row, interestGivenBack: row.interestGivenBack + paise } : row
  })
}

const later = (a: string, b: string): string => (a > b ? a : b)
const least = (...amounts: Paise[]): Paise => amounts.reduce((min, each) => (each < min ? each : min))
