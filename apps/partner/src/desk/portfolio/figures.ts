// Computes the dashboard's figures of the book: buckets, roll rates and vintage curves.

import type { Paise } from '@lendloom/lending/money'
import type { ClassOfMonth, Roll, Vintage } from '#partner/records/report/portfolio/store.ts'
import { type AssetClass, assetClasses, isNonPerforming } from '#partner/servicing/loan/class/asset-class.ts'

/** The usual buckets of a portfolio: standard, three stages of special mention account (SMA), and all NPAs together. */
export const buckets = ['STANDARD', 'SMA_0', 'SMA_1', 'SMA_2', 'NPA'] as const
export type Bucket = (typeof buckets)[number]

const isClass = (state: string): state is AssetClass => assetClasses.some((each) => each === state)
/** Returns the bucket of an asset class; all classes of an NPA share one. */
export const bucketOf = (assetClass: AssetClass): Bucket =>
  isNonPerforming(assetClass) ? 'NPA' : (buckets.find((each) => each === assetClass) ?? 'NPA')

/** Returns a share as a number from 0 to 1; null if the whole is 0. */
export const shareOf = (part: Paise, whole: Paise): number | null =>
  whole > 0n ? Number((part * 1_000_000n) / whole) / 1_000_000 : null

/** The book at one day-end, by bucket. */
export interface BookDay {
  endedOn: string
  loans: Record<Bucket, number>
  paise: Record<Bucket, Paise>
  totalPaise: Paise
}

/** Sums the classes of loans by day and bucket, in the order of the input. */
export function booksOf(classes: ClassOfMonth[]): BookDay[] {
  const days = new Map<string, BookDay>()
  for (const { endedOn, assetClass, loans, principalPaise } of classes) {
    const day = days.get(endedOn) ?? { endedOn, loans: { ...zeroLoans }, paise: { ...zeroPaise }, totalPaise: 0n }
    const bucket = bucketOf(assetClass)
    day.loans[bucket] += loans
    day.paise[bucket] += principalPaise
    day.totalPaise += principalPaise
    days.set(endedOn, day)
  }
  return [...days.values()]
}
const zeroLoans: Record<Bucket, number> = { STANDARD: 0, SMA_0: 0, SMA_1: 0, SMA_2: 0, NPA: 0 }
const zeroPaise: Record<Bucket, Paise> = { STANDARD: 0n, SMA_0: 0n, SMA_1: 0n, SMA_2: 0n, NPA: 0n }

/** The principal that is more than 30 days past due, including NPAs. */
export const latePaiseOf = ({ paise }: BookDay): Paise => paise.SMA_1 + paise.SMA_2 + paise.NPA

/** The states in which a bucket's principal can be at the end of a month. */
export const rollEnds = [...buckets, 'WRITTEN_OFF', 'CLOSED'] as const
export type RollEnd = (typeof rollEnds)[number]
export interface RollRow {
  /** The bucket at the start of the month. */
  from: Bucket
  loans: number
  paise: Paise
  /** How much of that principal is in each state at the end of the month. */
  shares: Record<RollEnd, number | null>
}

const bucketOfState = (state: string): Bucket | null => (isClass(state) ? bucketOf(state) : null)
const rollEndOf = (state: string): RollEnd | null =>
  bucketOfState(state) ?? rollEnds.find((each) => each === state) ?? null

/** Returns a row for each bucket that had loans at the start of the month; new loans are left out. */
export function rollRows(rolls: Roll[]): RollRow[] {
  return buckets.flatMap((from) => {
    const bucketRolls = rolls.filter(({ fromState }) => bucketOfState(fromState) === from)
    if (bucketRolls.length === 0) return []
    const paise = bucketRolls.reduce((sum, each) => sum + each.principalPaise, 0n)
    const paiseInto = (end: RollEnd): Paise =>
      bucketRolls.reduce((sum, each) => (rollEndOf(each.toState) === end ? sum + each.principalPaise : sum), 0n)
    const share = (end: RollEnd) => shareOf(paiseInto(end), paise)
    const shares = {
      STANDARD: share('STANDARD'),
      SMA_0: share('SMA_0'),
      SMA_1: share('SMA_1'),
      SMA_2: share('SMA_2'),
      NPA: share('NPA'),
      WRITTEN_OFF: share('WRITTEN_OFF'),
      CLOSED: share('CLOSED'),
    }
    return [{ from, loans: bucketRolls.reduce((sum, each) => sum + each.loans, 0), paise, shares }]
  })
}

/** The loans disbursed in one month, and the course of their late share. */
export interface VintageCurve {
  lentMonth: string
  loans: number
  lentPaise: Paise
  /** The late share of the lent amount at the index of months on book, from 0; null for a month without data. */
  shares: (number | null)[]
}

/** Returns how many calendar months lie from one day or month to another, as text that begins with `YYYY-MM`. */
export const monthsBetween = (from: string, to: string): number =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7))

/** Groups the vintages by month of disbursement. */
export function curvesOf(rows: Vintage[]): VintageCurve[] {
  const curves = new Map<string, VintageCurve>()
  for (const { lentMonth, monthEnd, loans, lentPaise, latePaise } of rows) {
    const curve = curves.get(lentMonth) ?? { lentMonth, loans, lentPaise, shares: [] }
    const monthsOnBook = monthsBetween(lentMonth, monthEnd)
    while (curve.shares.length < monthsOnBook) curve.shares.push(null)
    curve.shares[monthsOnBook] = shareOf(latePaise, lentPaise)
    curves.set(lentMonth, curve)
  }
  return [...curves.values()]
}
