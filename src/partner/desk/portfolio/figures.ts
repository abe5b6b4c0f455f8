// The dashboard's figures of the book: rates, shares and buckets; pure.

import type { Paise } from '#kit/money/money.ts'
import { type AssetClass, assetClasses, isNonPerforming } from '#partner/loan/class/asset-class.ts'
import type { ClassOfMonth, Roll, Vintage } from './store.ts'

/** Classes as a portfolio is read: standard, the three of special mention, and all non-performing ones together. */
export const buckets = ['STANDARD', 'SMA_0', 'SMA_1', 'SMA_2', 'NPA'] as const
export type Bucket = (typeof buckets)[number]

const isClass = (state: string): state is AssetClass => assetClasses.some((each) => each === state)
export const bucketOf = (assetClass: AssetClass): Bucket =>
  isNonPerforming(assetClass) ? 'NPA' : (buckets.find((each) => each === assetClass) ?? 'NPA')

/** A share of a whole as a number between 0 and 1; null of nothing. */
export const shareOf = (part: Paise, whole: Paise): number | null =>
  whole > 0n ? Number((part * 1_000_000n) / whole) / 1_000_000 : null

/** The book of one day by bucket. */
export interface BookDay {
  endedOn: string
  loans: Record<Bucket, number>
  paise: Record<Bucket, Paise>
  totalPaise: Paise
}

/** Days in their order, each with all of its buckets. */
export function booksOf(classes: ClassOfMonth[]): BookDay[] {
  const days = new Map<string, BookDay>()
  for (const { endedOn, assetClass, loans, principalPaise } of classes) {
    const day = days.get(endedOn) ?? { endedOn, loans: { ...none }, paise: { ...nothing }, totalPaise: 0n }
    const bucket = bucketOf(assetClass)
    day.loans[bucket] += loans
    day.paise[bucket] += principalPaise
    day.totalPaise += principalPaise
    days.set(endedOn, day)
  }
  return [...days.values()]
}
const none: Record<Bucket, number> = { STANDARD: 0, SMA_0: 0, SMA_1: 0, SMA_2: 0, NPA: 0 }
const nothing: Record<Bucket, Paise> = { STANDARD: 0n, SMA_0: 0n, SMA_1: 0n, SMA_2: 0n, NPA: 0n }

/** More than 30 days past due, or worse. */
export const lateOf = ({ paise }: BookDay): Paise => paise.SMA_1 + paise.SMA_2 + paise.NPA

/** Destinations of a bucket's principal within a month. */
export const ends = [...buckets, 'WRITTEN_OFF', 'CLOSED'] as const
export type End = (typeof ends)[number]
export interface RollRow {
  from: Bucket
  loans: number
  paise: Paise
  /** As shares of its principal at the start of the month. */
  shares: Record<End, number | null>
}

const bucketIn = (state: string): Bucket | null => (isClass(state) ? bucketOf(state) : null)
const endIn = (state: string): End | null => bucketIn(state) ?? ends.find((each) => each === state) ?? null

/** One row for each bucket that had loans; loans that are new have no row. */
export function rollRows(rolls: Roll[]): RollRow[] {
  return buckets.flatMap((from) => {
    const own = rolls.filter(({ fromState }) => bucketIn(fromState) === from)
    if (own.length === 0) return []
    const paise = own.reduce((sum, each) => sum + each.principalPaise, 0n)
    const into = (end: End): Paise =>
      own.reduce((sum, each) => (endIn(each.toState) === end ? sum + each.principalPaise : sum), 0n)
    const share = (end: End) => shareOf(into(end), paise)
    const shares = {
      ...{ STANDARD: share('STANDARD'), SMA_0: share('SMA_0'), SMA_1: share('SMA_1'), SMA_2: share('SMA_2') },
      ...{ NPA: share('NPA'), WRITTEN_OFF: share('WRITTEN_OFF'), CLOSED: share('CLOSED') },
    }
    return [{ from, loans: own.reduce((sum, each) => sum + each.loans, 0), paise, shares }]
  })
}

/** The loans of one month, month after month. */
export interface Curve {
  lentMonth: string
  loans: number
  lentPaise: Paise
  /** By months on book, 0 being the month of the disbursement: the share of what was lent; null where no month was kept. */
  shares: (number | null)[]
}

export const monthsBetween = (from: string, to: string): number =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7))

/** In the order of the months in which was lent. */
export function curvesOf(rows: Vintage[]): Curve[] {
  const curves = new Map<string, Curve>()
  for (const { lentMonth, monthEnd, loans, lentPaise, latePaise } of rows) {
    const curve = curves.get(lentMonth) ?? { lentMonth, loans, lentPaise, shares: [] }
    const on = monthsBetween(lentMonth, monthEnd)
    while (curve.shares.length < on) curve.shares.push(null)
    curve.shares[on] = shareOf(latePaise, lentPaise)
    curves.set(lentMonth, curve)
  }
  return [...curves.values()]
}
