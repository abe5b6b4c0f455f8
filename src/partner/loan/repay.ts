// What money of the borrower does to a loan: what is due is paid, the next row may be paid early, more repays principal; pure rules.

import type { Paise } from '#kit/money/money.ts'
import type { Account as LedgerAccount } from '#partner/ledger/accounts.ts'
import { type Posting, posting } from '#partner/ledger/entry.ts'
import { type Allocation, postingsOf, type Reopening, received, type Share, spread, takenBack } from './allocate.ts'
import { type GivenBack, interestGivenBack, interestSinceClosed, withGivenBack } from './late-news.ts'
import type { Keep } from './loan.ts'
import { countedUntil, type Planned, repayable, replanned, rowsToCome } from './replan.ts'
import { parts, type Row, statusOf } from './row.ts'

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
  /** Principal that was repaid today by what came with it, as the fee that is given back. */
  repaidWith?: Paise
  at: Date
}

/**
 * First what is due or overdue, the oldest row first. What is left pays the row under way early, as somebody who pays before
 * the debit means it, and what is more repays principal on its day, however many payments bring it. Only when all principal is
 * repaid does the rest go to interest until that day; what nobody owes stays the borrower's. Money that closes the loan, and a
 * part payment, repays principal at once. What closed the loan on the day on which it came closes it, however late the news.
 */
export function repay(account: Pick<Repaid, 'loan' | 'rows'> & Partial<Repaid>, money: Money) {
  const { loan, today, at } = { ...account, ...money }
  const due = spread(
    account.rows.filter((row) => row.fellDue || row.dueOn <= today),
    money.paise,
  )
  const rows = received(countedUntil(loan, account.rows, today), due.shares, at)
  const now: Repaid = { moved: [], isReplanned: false, ...account, rows }
  const straight = closedLate(now, due, money) ?? repaidAhead(now, due.rest, [], money)
  const isEarly = due.rest > 0n && !money.isPartPayment && statusOf(straight.rows) !== 'repaid'
  const done = isEarly ? repaidEarly(now, due.rest, money) : straight
  const { shares, principal, back, unapplied, ...after } = done
  const allocation: Allocation = { shares: together(due.shares, shares), principal, back, unapplied }
  return { ...after, allocation, postings: postingsOf(money.from, allocation) }
}

type RepaidAhead = Repaid & Allocation

/** The loan closed by money that came earlier, with no interest since; null where the money is not late, or does not close it. */
function closedLate(given: Repaid, due: ReturnType<typeof spread>, money: Money): RepaidAhead | null {
  const { on, today, at, repaidWith = 0n } = money
  const most = repayable(given.loan, given.rows, today)
  if (on >= today || most === 0n) return null
  const late = interestSinceClosed(given.loan, given.rows, { on, today, most, due: due.shares, repaidWith })
  const principal = most - late.paise
  if (due.rest === 0n || due.rest < principal) return null
  const change = { principal: -most, on: today, keep: 'INSTALLMENT' as const, at }
  const now = replannedBy({ ...given, rows: late.rows }, change)
  const last = spread(now.rows, due.rest - principal)
  const rows = received(now.rows, last.shares, at)
  if (statusOf(rows) !== 'repaid') return null
  return { ...now, rows, shares: last.shares, principal, back: late.back, unapplied: last.rest }
}

/** The row under way is paid, and principal with what it does not ask for. */
function repaidEarly(now: Repaid, paise: Paise, money: Money): RepaidAhead {
  const { shares, rest } = spread(rowsToCome(now.rows, money.today).slice(0, 1), paise)
  const paid = { ...now, rows: received(now.rows, shares, money.at) }
  return repaidAhead(paid, rest, shares, money)
}

/** Principal is repaid, once `early` shares were, and interest until the day with what is more than all of it. */
function repaidAhead(given: Repaid, paise: Paise, early: Share[], money: Money): RepaidAhead {
  const { on, today, at, keep } = money
  let [now, rest, principal] = [given, paise, 0n]
  const back: GivenBack[] = []
  const most = () => repayable(now.loan, now.rows, today)
  // The news of it came late: interest of the days since it came is not owed, and repays principal too.
  const repayLate = (sum: { paid: Paise; principal: Paise; most: Paise; keep: Keep }) => {
    const late = interestGivenBack(now.loan, now.rows, { paise: sum.paid, on, today, most: sum.most })
    const change = { principal: -(sum.principal + late.paise), on: today, keep: sum.keep, at }
    now = replannedBy({ ...now, rows: late.rows }, change)
    back.push(...late.back)
  }
  const paidEarly = early.reduce((sum, share) => sum + share.interest + share.principal, 0n)
  if (paidEarly > 0n) repayLate({ paid: paidEarly, principal: 0n, most: most(), keep: 'INSTALLMENT' })
  for (let left = most(); rest > 0n && left > 0n; left = most()) {
    const paid = least(rest, left)
    repayLate({ paid, principal: paid, most: left - paid, keep })
    rest -= paid
    principal += paid
  }
  const last = spread(now.rows, rest)
  const rows = received(now.rows, last.shares, at)
  return { ...now, rows, shares: together(early, last.shares), principal, back, unapplied: last.rest }
}

const least = (a: Paise, b: Paise): Paise => (a < b ? a : b)

/** The loan with another principal to come, and what else it was changed by before. */
export function replannedBy(
  now: Pick<Repaid, 'loan' | 'rows'> & Partial<Repaid>,
  change: Parameters<typeof replanned>[2],
): Repaid {
  const { rows, postings, installmentPaise } = replanned(now.loan, now.rows, change)
  const moved = [...(now.moved ?? []), ...postings]
  const isReplanned = now.isReplanned || moved.length > 0 || !asksTheSame(now.rows, rows)
  return { loan: { ...now.loan, installmentPaise }, rows, moved, isReplanned }
}

/** Whether two versions of a schedule ask for the same amounts on the same days. */
const asksTheSame = (some: Row[], more: Row[]): boolean =>
  some.length === more.length &&
  some.every((row, i) => row.dueOn === more[i]?.dueOn && parts.every((part) => row.due[part] === more[i]?.due[part]))

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
  const { shares, principal, back } = allocation
  const charged = withGivenBack(
    rows,
    back.map(({ number, paise }) => ({ number, paise: -paise })),
  )
  const { on, at } = reopening
  const opened = restored(takenBack(countedUntil(loan, charged, on), shares, reopening))
  const now = { loan, ...opened, isReplanned: opened.moved.length > 0 }
  const coming = rowsToCome(now.rows, on)
  const isOfComing = coming.some((row) => shares.some(({ number }) => number === row.number))
  if (principal === 0n && !isOfComing) return now
  const isLowered = principal > 0n && loan.installmentPaise < loan.terms.installmentPaise
  const before = now.rows.length - coming.length
  const count = Math.max(loan.terms.tenureWeeks, now.rows.length, before + 1) - before
  return replannedBy(now, { principal, on, keep: isLowered ? 'TERM' : 'INSTALLMENT', count, at })
}

/** Interest that was paid ahead and had become principal, or the borrower's, is interest again, where the payment of it was taken back. */
function restored(rows: Row[]): Pick<Repaid, 'rows' | 'moved'> {
  const moved: Posting[] = []
  const after = rows.map((row) => {
    const { interest, principal } = row.paid
    if (interest >= 0n) return row
    const fromPrincipal = least(-interest, principal)
    moved.push(...posting('PRINCIPAL', 'INTEREST', fromPrincipal, row.number))
    moved.push(...posting('UNAPPLIED', 'INTEREST', -interest - fromPrincipal, row.number))
    return { ...row, paid: { ...row.paid, interest: 0n, principal: principal - fromPrincipal } }
  })
  return { rows: after, moved }
}
