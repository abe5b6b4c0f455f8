// What money of the borrower does to a loan: what is due is paid, the next row may be paid early, more repays principal; pure rules.

import { daysBetween } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import type { Account as LedgerAccount } from '#partner/ledger/accounts.ts'
import { type Posting, posting } from '#partner/ledger/entry.ts'
import { interestOnDays } from './accrue.ts'
import { type Allocation, postingsOf, type Reopening, received, type Share, spread, takenBack } from './allocate.ts'
import type { Keep } from './loan.ts'
import { type Planned, repayable, replanned, rowsToCome } from './replan.ts'
import { unitOf } from './rounding.ts'
import { owedOf, parts, type Row } from './row.ts'

/** A loan's rows, all of them, with what they follow from. */
export interface Repaid {
  loan: Planned
  rows: Row[]
  /** Interest that was paid ahead and repays principal now, and what else the new schedule moves; an entry of its own. */
  moved: Posting[]
  /** Whether there is a new version of the schedule. */
  isReplanned: boolean
}

export interface Money {
  paise: Paise
  /** Where it comes from: the bank, or what was paid too much before. */
  from: Extract<LedgerAccount, 'BANK' | 'UNAPPLIED'>
  /** The business day on which it came. */
  on: string
  /** The business day on which it is posted; not before the day on which it came. */
  today: string
  /** The borrower wants principal repaid, however little it is. Otherwise what is less than the next instalment pays that early. */
  isPartPayment: boolean
  keep: Keep
  at: Date
}

/**
 * First what is due or overdue, the oldest row first. What is left repays principal on its day, unless it is no more than the
 * next instalment asks for: then that one is paid early, as somebody who pays before the debit means it. Only when all
 * principal is repaid does the rest go to interest until that day; what nobody owes stays the borrower's.
 */
export function repay({ loan, rows, ...earlier }: Pick<Repaid, 'loan' | 'rows'> & Partial<Repaid>, money: Money) {
  const { on, today, at, keep } = money
  const due = spread(
    rows.filter((row) => row.fellDue || row.dueOn <= today),
    money.paise,
  )
  let now: Repaid = { moved: [], isReplanned: false, ...earlier, loan, rows: received(rows, due.shares, at) }
  const next = now.rows.find((row) => !row.fellDue && row.dueOn > today && owedOf(row) > 0n)
  const isEarly = next !== undefined && !money.isPartPayment && due.rest <= owedOf(next)
  let rest = due.rest
  let [principal, back] = [0n, 0n]
  const daysLate = BigInt(daysBetween(on, today))
  const most = () => repayable(now.loan, now.rows, today)
  for (let left = isEarly ? 0n : most(); rest > 0n && left > 0n; left = most()) {
    const paid = rest < left ? rest : left
    // The news of it came late: interest of the days since it came is not owed, and repays principal too.
    const earned = smaller(interestOnDays(paid * daysLate, loan.terms, unitOf(loan.terms.rounding)), left - paid)
    now = replannedBy(now, { principal: -(paid + earned), on: today, keep, at })
    rest -= paid
    principal += paid
    back += earned
  }
  const last = spread(now.rows, rest)
  const allocation: Allocation = { shares: together(due.shares, last.shares), principal, unapplied: last.rest }
  const postings = [...postingsOf(money.from, allocation), ...posting('INTEREST_INCOME', 'PRINCIPAL', back)]
  return { ...now, rows: received(now.rows, last.shares, at), allocation, postings }
}

const smaller = (a: Paise, b: Paise): Paise => (a < b ? a : b)

/** The loan with another principal to come, and what else it was changed by before. */
export function replannedBy(
  now: Pick<Repaid, 'loan' | 'rows'> & Partial<Repaid>,
  change: Parameters<typeof replanned>[2],
): Repaid {
  const { rows, postings, installmentPaise } = replanned(now.loan, now.rows, change)
  const moved = [...(now.moved ?? []), ...postings]
  return { loan: { ...now.loan, installmentPaise }, rows, moved, isReplanned: true }
}

function together(some: Share[], more: Share[]): Share[] {
  const byRow = new Map(some.map((share) => [share.number, share]))
  for (const share of more) {
    const known = byRow.get(share.number)
    const sum = { ...share }
    if (known) for (const part of parts) sum[part] += known[part]
    byRow.set(share.number, sum)
  }
  return [...byRow.values()]
}

/**
 * The loan after money went away again on a day: rows that it had paid are open, and principal that it had repaid ahead is
 * owed from that day on, over the rows to come: by the regular instalment, or to the end of the term where it was lowered.
 */
export function unpaid(
  { loan, rows }: Pick<Repaid, 'loan' | 'rows'>,
  allocation: Allocation,
  reopening: Reopening,
): Repaid {
  const { shares, principal } = allocation
  const opened = restored(takenBack(rows, shares, reopening))
  const now = { loan, ...opened, isReplanned: opened.moved.length > 0 }
  if (principal === 0n) return now
  const { on, at } = reopening
  const keep = loan.installmentPaise < loan.terms.installmentPaise ? 'TERM' : 'INSTALLMENT'
  const before = now.rows.length - rowsToCome(now.rows, on).length
  const count = Math.max(loan.terms.tenureWeeks, now.rows.length, before + 1) - before
  return replannedBy(now, { principal, on, keep, count, at })
}

/** Interest that was paid ahead and had become principal, or the borrower's, is interest again, where the payment of it was taken back. */
function restored(rows: Row[]): Pick<Repaid, 'rows' | 'moved'> {
  const moved: Posting[] = []
  const after = rows.map((row) => {
    const { interest, principal } = row.paid
    if (interest >= 0n) return row
    const fromPrincipal = smaller(-interest, principal)
    moved.push(...posting('PRINCIPAL', 'INTEREST', fromPrincipal, row.number))
    moved.push(...posting('UNAPPLIED', 'INTEREST', -interest - fromPrincipal, row.number))
    return { ...row, paid: { ...row.paid, interest: 0n, principal: principal - fromPrincipal } }
  })
  return { rows: after, moved }
}
