// How money is spread over rows: the oldest row first, and within a row penalty, charges, interest, principal; pure rules.

import type { Paise } from '#kit/money/money.ts'
import type { ChartAccount } from '#partner/ledger/chart.ts'
import { type LedgerEntry, type Posting, posting } from '#partner/ledger/store.ts'
import { openedAgain } from './end-of-day.ts'
import type { InterestReturn } from './given-back.ts'
import type { PenaltyPolicy } from './penalty.ts'
import { type AmountPart, type Amounts, type InstallmentRow, nothing, parts } from './row.ts'

/** One receipt's payment of one row. */
export interface Share extends Amounts {
  number: number
}

export interface Allocation {
  shares: Share[]
  /** Repaid of the principal ahead of its rows. */
  principal: Paise
  /** Refunded interest of rows: it repays principal first, then it is allocated like the money itself. */
  back: InterestReturn[]
  /** Beyond everything that is owed: the borrower's own money. */
  unapplied: Paise
}

/** The account of what the borrower owes, by part. */
export const accountOfPart: Record<AmountPart, ChartAccount> = {
  penalty: 'PENALTY',
  charges: 'CHARGES',
  interest: 'INTEREST',
  principal: 'PRINCIPAL',
}

/** Spreads money over rows in order; returns the rest and each row's part. */
export function spread(rows: InstallmentRow[], paise: Paise): { shares: Share[]; rest: Paise } {
  let rest = paise
  const shares: Share[] = []
  for (const { number, due, paid } of rows) {
    if (rest === 0n) break
    const share = { ...nothing, number }
    for (const part of parts) {
      const owed = due[part] - paid[part]
      share[part] = owed < rest ? owed : rest
      rest -= share[part]
    }
    if (parts.some((part) => share[part] > 0n)) shares.push(share)
  }
  return { shares, rest }
}

/** The rows after a receipt. Those it does not reach are the same ones. */
export function received(rows: InstallmentRow[], shares: Share[], at: Date): InstallmentRow[] {
  if (shares.length === 0) return rows
  const reached = new Map(shares.map((share) => [share.number, share]))
  return rows.map((row) => {
    const share = reached.get(row.number)
    return share ? withShare(row, share, 1n, at) : row
  })
}

/** How rows are opened again: by which penalty policy, and on which business day. */
export interface ReopenContext {
  penalty: PenaltyPolicy
  on: string
  at: Date
}

/** The rows after shares were reversed on a day: paid ones are open again. */
export function takenBack(
  rows: InstallmentRow[],
  shares: Share[],
  { penalty, on, at }: ReopenContext,
): InstallmentRow[] {
  const reached = new Map(shares.map((share) => [share.number, share]))
  return rows.map((row) => {
    const share = reached.get(row.number)
    return share ? openedAgain(row, withShare(row, share, -1n, at), penalty, on) : row
  })
}

function withShare(row: InstallmentRow, share: Amounts, sign: 1n | -1n, at: Date): InstallmentRow {
  const paid = { ...row.paid }
  for (const part of parts) paid[part] += sign * share[part]
  return { ...row, paid, updatedAt: at }
}

export const receiptId = (paymentId: string): string => `receipt-${paymentId}`
export const reversalId = (paymentId: string): string => `reversal-${paymentId}`

/**
 * Postings of money to dues: by row and part, including prepayments. Refunded interest repays principal; its excess
 * over the prepayment belongs to the borrower, and pays the rest.
 */
export function postingsOf(from: ChartAccount, { shares, principal, back, unapplied }: Allocation): Posting[] {
  const fromBack = principal - back.reduce((sum, { paise }) => sum + paise, 0n)
  const more = fromBack < 0n ? -fromBack : 0n
  const kept = unapplied < more ? unapplied : more
  const owed = shares.flatMap((share) =>
    parts.map((part) => ({ credit: accountOfPart[part], paise: share[part], installment: share.number })),
  )
  let left = owed.reduce((sum, { paise }) => sum + paise, 0n) - (more - kept)
  const paid = owed.flatMap(({ credit, paise, installment }) => {
    const first = paise < left ? paise : left
    left -= first
    return [...posting(from, credit, first, installment), ...posting('UNAPPLIED', credit, paise - first, installment)]
  })
  return [
    ...paid,
    ...posting(from, 'PRINCIPAL', fromBack > 0n ? fromBack : 0n),
    ...posting(from, 'UNAPPLIED', from === 'UNAPPLIED' ? 0n : unapplied - kept),
    ...back.flatMap(({ number, paise }) => posting('INTEREST_INCOME', 'PRINCIPAL', paise, number)),
    ...posting('PRINCIPAL', 'UNAPPLIED', more),
  ]
}

/** The allocation that a receipt's entry records. */
export function allocationFrom({ postings }: LedgerEntry): Allocation {
  const shares = new Map<number, Share>()
  const back: InterestReturn[] = []
  let [principal, unapplied] = [0n, 0n]
  for (const { debit, credit, installment, paise } of postings) {
    const part = parts.find((each) => accountOfPart[each] === credit)
    if (debit === 'UNAPPLIED') unapplied -= paise
    if (debit === 'PRINCIPAL') principal -= paise
    if (!part) unapplied += paise
    else if (debit === 'INTEREST_INCOME') {
      principal += paise
      back.push({ number: installment, paise })
    } else if (installment === 0) principal += paise
    else {
      const share = shares.get(installment) ?? { ...nothing, number: installment }
      share[part] += paise
      shares.set(installment, share)
    }
  }
  return { shares: [...shares.values()], principal, back, unapplied }
}
