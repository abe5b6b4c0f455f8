// Allocates money to the oldest rows first, and within a row to penalty, charges, interest, principal. Pure functions.

import type { Paise } from '@lendloom/lending/money'
import type { ChartAccount } from '#partner/books/ledger/chart.ts'
import { type LedgerEntry, type Posting, posting } from '#partner/books/ledger/entry.ts'
import type { PenaltyPolicy } from '#partner/origination/terms/penalty.ts'
import { type AmountPart, type Amounts, amountParts, type InstallmentRow, noAmounts } from './installment-row.ts'
import type { InterestRefund } from './interest-refund.ts'
import { restartPenalties } from './row-day-end.ts'

/** The part of a receipt that pays one row. */
export interface Share extends Amounts {
  number: number
}

export interface Allocation {
  shares: Share[]
  /** Prepaid principal of future rows. */
  principal: Paise
  /** Refunded interest by row. It repays principal first; the remaining refund is allocated like money. */
  interestRefunds: InterestRefund[]
  /** Money beyond all dues, which belongs to the borrower. */
  unapplied: Paise
}

export const accountOfPart: Record<AmountPart, ChartAccount> = {
  penalty: 'PENALTY',
  charges: 'CHARGES',
  interest: 'INTEREST',
  principal: 'PRINCIPAL',
}

/** Spreads money over rows in order. Returns the share of each row and the remaining money. */
export function spreadOverRows(rows: InstallmentRow[], paise: Paise): { shares: Share[]; rest: Paise } {
  let rest = paise
  const shares: Share[] = []
  for (const { number, due, paid } of rows) {
    if (rest === 0n) break
    const share = { ...noAmounts, number }
    for (const part of amountParts) {
      const owed = due[part] - paid[part]
      share[part] = owed < rest ? owed : rest
      rest -= share[part]
    }
    if (amountParts.some((part) => share[part] > 0n)) shares.push(share)
  }
  return { shares, rest }
}

/** Returns the rows with their shares paid. Rows without a share are the same objects. */
export function applyShares(rows: InstallmentRow[], shares: Share[], at: Date): InstallmentRow[] {
  if (shares.length === 0) return rows
  const sharesByRow = new Map(shares.map((share) => [share.number, share]))
  return rows.map((row) => {
    const share = sharesByRow.get(row.number)
    return share ? withShare(row, share, 1n, at) : row
  })
}

export interface ReopenContext {
  penalty: PenaltyPolicy
  /** The business day on which rows reopen. */
  on: string
  at: Date
}

/** Returns the rows without the given shares. Paid rows reopen. */
export function reverseShares(
  rows: InstallmentRow[],
  shares: Share[],
  { penalty, on, at }: ReopenContext,
): InstallmentRow[] {
  const sharesByRow = new Map(shares.map((share) => [share.number, share]))
  return rows.map((row) => {
    const share = sharesByRow.get(row.number)
    return share ? restartPenalties(row, withShare(row, share, -1n, at), penalty, on) : row
  })
}

function withShare(row: InstallmentRow, share: Amounts, sign: 1n | -1n, at: Date): InstallmentRow {
  const paid = { ...row.paid }
  for (const part of amountParts) paid[part] += sign * share[part]
  return { ...row, paid, updatedAt: at }
}

export const receiptId = (paymentId: string): string => `receipt-${paymentId}`
export const reversalId = (paymentId: string): string => `reversal-${paymentId}`

/**
 * Returns the postings of an allocation, by row and part. Refunded interest repays principal. If it exceeds the prepaid
 * principal, the excess belongs to the borrower and pays other dues first.
 */
export function postingsOf(
  from: ChartAccount,
  { shares, principal, interestRefunds, unapplied }: Allocation,
): Posting[] {
  const prepaidByMoney = principal - interestRefunds.reduce((sum, { paise }) => sum + paise, 0n)
  const excess = prepaidByMoney < 0n ? -prepaidByMoney : 0n
  const unappliedExcess = unapplied < excess ? unapplied : excess
  const owed = shares.flatMap((share) =>
    amountParts.map((part) => ({ credit: accountOfPart[part], paise: share[part], installment: share.number })),
  )
  let available = owed.reduce((sum, { paise }) => sum + paise, 0n) - (excess - unappliedExcess)
  const paid = owed.flatMap(({ credit, paise, installment }) => {
    const applied = paise < available ? paise : available
    available -= applied
    return [
      ...posting(from, credit, applied, installment),
      ...posting('UNAPPLIED', credit, paise - applied, installment),
    ]
  })
  return [
    ...paid,
    ...posting(from, 'PRINCIPAL', prepaidByMoney > 0n ? prepaidByMoney : 0n),
    ...posting(from, 'UNAPPLIED', from === 'UNAPPLIED' ? 0n : unapplied - unappliedExcess),
    ...interestRefunds.flatMap(({ number, paise }) => posting('INTEREST_INCOME', 'PRINCIPAL', paise, number)),
    ...posting('PRINCIPAL', 'UNAPPLIED', excess),
  ]
}

/** Returns the allocation that a receipt's entry contains: the inverse of `postingsOf`. */
export function allocationFrom({ postings }: LedgerEntry): Allocation {
  const shares = new Map<number, Share>()
  const interestRefunds: InterestRefund[] = []
  let principal = 0n
  let unapplied = 0n
  for (const { debit, credit, installment, paise } of postings) {
    const part = amountParts.find((each) => accountOfPart[each] === credit)
    if (debit === 'UNAPPLIED') unapplied -= paise
    if (debit === 'PRINCIPAL') principal -= paise
    if (!part) unapplied += paise
    else if (debit === 'INTEREST_INCOME') {
      principal += paise
      interestRefunds.push({ number: installment, paise })
    } else if (installment === 0) principal += paise
    else {
      const share = shares.get(installment) ?? { ...noAmounts, number: installment }
      share[part] += paise
      shares.set(installment, share)
    }
  }
  return { shares: [...shares.values()], principal, interestRefunds, unapplied }
}
