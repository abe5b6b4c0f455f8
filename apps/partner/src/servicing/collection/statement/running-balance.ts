// Compares the balances that stand beside the lines of a statement with its amounts.

import { type Paise, rupees } from '@lendloom/lending/money'
import { unreadableStatement } from './statement-line.ts'

export interface BalancePoint {
  line: number
  /** Null for a row that has only a balance. */
  valueOn: string | null
  paise: Paise
  /** The balance after the line; null if none stands beside it. */
  balance: Paise | null
  /** Where the row belongs if its name says so, wherever the file has it. */
  end: 'opening' | 'closing' | null
}

export interface CheckedBalances {
  opening: Paise | null
  closing: Paise | null
  /** The lines between two balances that fit, so that neither the amount nor the balance is a part of the other. */
  confirmed: Set<number>
}

interface BalanceFault {
  line: number
  /** The number of points before the fault: the more, the likelier is the order. */
  after: number
  expected: Paise
  found: Paise
}

/** Banks put the oldest line first or last. The dates decide; if all are of one day, either order may fit. */
export function checkRunningBalance(points: BalancePoint[]): CheckedBalances {
  const orders = ordersOf(points).map(withEnds)
  const faults: BalanceFault[] = []
  for (const order of orders) {
    const fault = faultIn(order)
    if (fault === null) return checkedBalances(order)
    faults.push(fault)
  }
  const [likeliest] = faults.toSorted((a, b) => b.after - a.after)
  if (!likeliest) return { opening: null, closing: null, confirmed: new Set() }
  const { line, expected, found } = likeliest
  throw unreadableStatement(
    `line ${line}: the balance is ${rupees(found)}, but the lines before give ${rupees(expected)}: a line is missing, altered or there twice`,
  )
}

/** Returns the orders in which the lines may be meant to follow each other, the likeliest first. */
function ordersOf(points: BalancePoint[]): BalancePoint[][] {
  const days = points.flatMap(({ valueOn }) => valueOn ?? [])
  const isAscending = days.every((day, i) => i === 0 || day >= (days[i - 1] ?? ''))
  const isDescending = days.every((day, i) => i === 0 || day <= (days[i - 1] ?? ''))
  const reversed = points.toReversed()
  if (isAscending && !isDescending) return [points]
  if (isDescending && !isAscending) return [reversed, daysReversed(points)]
  return [points, reversed]
}

/** The newest day first, but the lines of each day in their order. */
function daysReversed(points: BalancePoint[]): BalancePoint[] {
  const days: BalancePoint[][] = []
  let last: string | null = null
  for (const point of points) {
    const day = days.at(-1)
    if (day && (point.valueOn === null || point.valueOn === last)) day.push(point)
    else days.push([point])
    last = point.valueOn ?? last
  }
  return days.toReversed().flat()
}

/** Moves the rows with the opening and the closing balance to the ends. */
function withEnds(points: BalancePoint[]): BalancePoint[] {
  const of = (end: BalancePoint['end']): BalancePoint[] => points.filter((each) => each.end === end)
  return of('opening').concat(of(null), of('closing'))
}

/** Returns the first balance that does not follow from the one before it and the amounts between; null without one. */
function faultIn(points: BalancePoint[]): BalanceFault | null {
  let expected: Paise | null = null
  for (const [after, { line, paise, balance }] of points.entries()) {
    if (expected !== null) expected += paise
    if (balance === null) continue
    if (expected !== null && expected !== balance) return { line, after, expected, found: balance }
    expected = balance
  }
  return null
}

/** Computes the balances before the first line and after the last one, where none stands beside them. */
function checkedBalances(points: BalancePoint[]): CheckedBalances {
  const first = points.findIndex(({ balance }) => balance !== null)
  const last = points.findLastIndex(({ balance }) => balance !== null)
  const sum = (some: BalancePoint[]): Paise => some.reduce((total, { paise }) => total + paise, 0n)
  const opened = points[first]?.balance ?? null
  const closed = points[last]?.balance ?? null
  return {
    opening: opened === null ? null : opened - sum(points.slice(0, first + 1)),
    closing: closed === null ? null : closed + sum(points.slice(last + 1)),
    confirmed: new Set(first < last ? points.slice(first, last + 1).map(({ line }) => line) : []),
  }
}
