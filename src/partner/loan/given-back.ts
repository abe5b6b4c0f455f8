// Interest that rows give back on money that the lender learnt of late; pure rules.

import { least, type Paise } from '#kit/money/money.ts'
import type { InstallmentRow } from './row.ts'

/** The refunded part of a row's interest; 0 or below when it was charged again. */
export interface InterestReturn {
  number: number
  paise: Paise
}

/** Refunds by late money, besides its payment. */
export interface LateNews {
  /** Interest that the loan charged for days on which the money was there. */
  paise: Paise
  rows: ReturnableInterest[]
  /** As above for a loan that closes today. */
  closingRows: ReturnableInterest[]
  /** The loan's balance beyond the schedule with the money; null when something would be owed. */
  kept: Paise | null
}

/** A row's interest for days on which the money was there, and its largest refund. */
export interface ReturnableInterest extends InterestReturn {
  most: Paise
}

/** Refunds of rows: first what each charged, then the newest ones up to their limits. */
export function shared(paise: Paise, rows: ReturnableInterest[]): InterestReturn[] {
  let left = paise
  const sums = new Map<number, Paise>()
  const give = (number: number, most: Paise): void => {
    const part = least(most, left)
    if (part <= 0n) return
    left -= part
    sums.set(number, (sums.get(number) ?? 0n) + part)
  }
  for (const row of rows) give(row.number, least(row.paise, row.most))
  for (const row of rows.toReversed()) give(row.number, row.most - (sums.get(row.number) ?? 0n))
  return rows.flatMap(({ number }) => {
    const part = sums.get(number)
    return part ? [{ number, paise: part }] : []
  })
}

/** The rows after a refund of interest, or a charge when it is negative. */
export function withGivenBack(rows: InstallmentRow[], back: InterestReturn[]): InstallmentRow[] {
  const sums = new Map<number, Paise>()
  for (const { number, paise } of back) sums.set(number, (sums.get(number) ?? 0n) + paise)
  return rows.map((row) => {
    const paise = sums.get(row.number)
    return paise ? { ...row, interestGivenBack: row.interestGivenBack + paise } : row
  })
}
