// Interest refunds of schedule rows for money that the bank reported late; pure rules.

import { minPaise, type Paise } from '@lendloom/lending/money'
import type { InstallmentRow } from './installment-row.ts'

/** The refunded interest of a row; negative if the interest is charged again. */
export interface InterestRefund {
  number: number
  paise: Paise
}

/** The interest refunds that late-reported money requires. */
export interface LateMoneyCorrections {
  /** Interest that the loan charged on the money after the value date. */
  paise: Paise
  rows: RefundableInterest[]
  /** The same as `rows` for a loan that closes today. */
  closingRows: RefundableInterest[]
  /** The unapplied balance if the money had been posted on time; null if the loan would still owe something. */
  unappliedIfOnTime: Paise | null
}

/** The interest that a row charged on the money after the value date, and the maximum refund of the row. */
export interface RefundableInterest extends InterestRefund {
  max: Paise
}

/** Distributes a refund: each row gets up to its own `paise`; the rest goes to the newest rows, up to their `max`. */
export function distributeRefund(paise: Paise, rows: RefundableInterest[]): InterestRefund[] {
  let left = paise
  const sums = new Map<number, Paise>()
  const refund = (number: number, max: Paise): void => {
    const part = minPaise(max, left)
    if (part <= 0n) return
    left -= part
    sums.set(number, (sums.get(number) ?? 0n) + part)
  }
  for (const row of rows) refund(row.number, minPaise(row.paise, row.max))
  for (const row of rows.toReversed()) refund(row.number, row.max - (sums.get(row.number) ?? 0n))
  return rows.flatMap(({ number }) => {
    const part = sums.get(number)
    return part ? [{ number, paise: part }] : []
  })
}

/** Applies refunds to rows; a negative refund charges the interest again. */
export function withInterestRefunds(rows: InstallmentRow[], refunds: InterestRefund[]): InstallmentRow[] {
  const sums = new Map<number, Paise>()
  for (const { number, paise } of refunds) sums.set(number, (sums.get(number) ?? 0n) + paise)
  return rows.map((row) => {
    const paise = sums.get(row.number)
    return paise ? { ...row, interestGivenBack: row.interestGivenBack + paise } : row
  })
}
