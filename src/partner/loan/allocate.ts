// Where a receipt goes: the oldest row first, and within a row penalty, charges, interest, principal; pure rules.

import type { Paise } from '#kit/money/money.ts'
import type { Account } from '#partner/ledger/accounts.ts'
import { type Entry, type Posting, posting } from '#partner/ledger/entry.ts'
import { openedAgain } from './end-of-day.ts'
import type { PenaltyPolicy } from './penalty.ts'
import { type Amounts, nothing, type Part, parts, type Row } from './row.ts'

/** What one receipt pays of one row. */
export interface Share extends Amounts {
  number: number
}

export interface Allocation {
  shares: Share[]
  /** Beyond the whole schedule: the borrower's own money. */
  unapplied: Paise
}

/** The account of what the borrower owes, by part. */
export const accountOfPart: Record<Part, Account> = {
  penalty: 'PENALTY',
  charges: 'CHARGES',
  interest: 'INTEREST',
  principal: 'PRINCIPAL',
}

/** Spreads money over rows in their order, later rows too when it is more than is due. */
export function allocate(rows: Row[], paise: Paise): Allocation {
  let rest = paise
  const shares: Share[] = []
  for (const { number, due, paid } of rows) {
    const share = { ...nothing, number }
    for (const part of parts) {
      const owed = due[part] - paid[part]
      share[part] = owed < rest ? owed : rest
      rest -= share[part]
    }
    if (parts.some((part) => share[part] > 0n)) shares.push(share)
  }
  return { shares, unapplied: rest }
}

/** The rows after a receipt. Those it does not reach are the same ones. */
export function received(rows: Row[], { shares }: Allocation, at: Date): Row[] {
  const reached = new Map(shares.map((share) => [share.number, share]))
  return rows.map((row) => {
    const share = reached.get(row.number)
    return share ? withShare(row, share, 1n, at) : row
  })
}

/** The rows after a receipt was taken back on a day: those that it had paid are open again. */
/** How rows are opened again: by which penalty policy, and on which business day. */
export interface Reopening {
  penalty: PenaltyPolicy
  on: string
  at: Date
}

export function takenBack(rows: Row[], { shares }: Allocation, { penalty, on, at }: Reopening): Row[] {
  const reached = new Map(shares.map((share) => [share.number, share]))
  return rows.map((row) => {
    const share = reached.get(row.number)
    return share ? openedAgain(row, withShare(row, share, -1n, at), penalty, on) : row
  })
}

function withShare(row: Row, share: Amounts, sign: 1n | -1n, at: Date): Row {
  const paid = { ...row.paid }
  for (const part of parts) paid[part] += sign * share[part]
  return { ...row, paid, updatedAt: at }
}

export const receiptId = (paymentId: string): string => `receipt-${paymentId}`
export const reversalId = (paymentId: string): string => `reversal-${paymentId}`

/** Money comes into the bank from what the borrower owes, part by part. */
export function postingsOf({ shares, unapplied }: Allocation): Posting[] {
  return [
    ...shares.flatMap((share) =>
      parts.flatMap((part) => posting('BANK', accountOfPart[part], share[part], share.number)),
    ),
    ...posting('BANK', 'UNAPPLIED', unapplied),
  ]
}

/** What a receipt's entry says that it paid. */
export function allocationFrom({ postings }: Entry): Allocation {
  const shares = new Map<number, Share>()
  let unapplied = 0n
  for (const { credit, installment, paise } of postings) {
    const part = parts.find((each) => accountOfPart[each] === credit)
    if (!part) unapplied += paise
    else {
      const share = shares.get(installment) ?? { ...nothing, number: installment }
      share[part] += paise
      shares.set(installment, share)
    }
  }
  return { shares: [...shares.values()], unapplied }
}
