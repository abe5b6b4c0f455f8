// Allocates borrower money to a loan: dues first, then the current row, then a prepayment of principal; pure rules.

import { maxPaise, minPaise, type Paise } from '#kit/money/money.ts'
import type { ChartAccount as LedgerAccount } from '#partner/ledger/chart.ts'
import { type Posting, posting } from '#partner/ledger/store.ts'
import {
  type Allocation,
  applyShares,
  postingsOf,
  type ReopenContext,
  reverseShares,
  type Share,
  spread,
} from './allocate.ts'
import { distributeRefund, type InterestRefund, type LateMoneyCorrections, withInterestRefunds } from './given-back.ts'
import type { PartPaymentKeeps } from './loan.ts'
import { addInterestBase, futureRows, keptByEarlierPayments, maxPrepayment, type PlanBasis, replan } from './replan.ts'
import { unitOf } from './rounding.ts'
import { type InstallmentRow, parts, statusOf } from './row.ts'

/** A loan's full schedule and the terms it was computed from. */
export interface LoanState {
  loan: PlanBasis
  rows: InstallmentRow[]
  /**
   * Postings that follow from the new schedule, such as prepaid interest that now repays principal; a separate entry.
   */
  moved: Posting[]
  /** Whether the schedule has a new version. */
  isReplanned: boolean
}

export interface Money {
  paise: Paise
  /** Where the money comes from: the bank, or an earlier overpayment. */
  from: Extract<LedgerAccount, 'BANK' | 'UNAPPLIED'>
  /** The value date. */
  on: string
  /** The business day of posting, on or after the value date. */
  today: string
  /** Prepays principal, however small the amount. Otherwise an amount below the next instalment pays that early. */
  isPartPayment: boolean
  keep: PartPaymentKeeps
  /** Interest corrections when the bank reported the money late. */
  late?: LateMoneyCorrections
  at: Date
}

/**
 * Allocates money: first to due and overdue rows, oldest first. The rest pays the current row early, as a borrower who
 * pays before the debit intends; any further money prepays principal. Once all principal is repaid, money pays interest
 * until that day; any excess belongs to the borrower. A part payment, and money that closes the loan, prepay principal
 * at once. For money reported late, charged interest is refunded and allocated with it.
 */
export function repay(account: Pick<LoanState, 'loan' | 'rows'> & Partial<LoanState>, money: Money) {
  const rows = addInterestBase(account.loan, account.rows, money.today)
  const now: LoanState = { moved: [], isReplanned: false, ...account, rows }
  const {
    shares,
    principal,
    interestRefunds: refunds,
    unapplied,
    ...after
  } = allocate(now, money, interestRefundsFor(now, money))
  const allocation: Allocation = { shares, principal, interestRefunds: refunds, unapplied }
  return { ...after, allocation, postings: postingsOf(money.from, allocation) }
}

type AllocatedLoan = LoanState & Allocation

/** An amount above any possible debt. */
export const aboveAnyDebt: Paise = 10n ** 17n

/**
 * Interest to refund for money reported late. If the money would have closed the loan on its value date, refunds the
 * amount that closes it now; unless that differs by more than rounding, because the loan has changed since.
 */
function interestRefundsFor(now: LoanState, money: Money): InterestRefund[] {
  const { late } = money
  if (!late) return []
  const refunds = distributeRefund(late.paise, late.rows)
  if (late.unappliedThen === null) return refunds
  const needed = aboveAnyDebt - allocate(now, { ...money, paise: aboveAnyDebt }, []).unapplied
  const closing = distributeRefund(needed + late.unappliedThen - money.paise, late.closingRows)
  const roundings = unitOf(now.loan.terms.rounding) * BigInt(now.rows.length) + 100n
  if (paiseOf(closing) - late.paise > roundings) return refunds
  return statusOf(allocate(now, money, closing).rows) === 'repaid' ? closing : refunds
}

const paiseOf = (refunds: InterestRefund[]): Paise => refunds.reduce((sum, { paise }) => sum + paise, 0n)

/** Allocates the money together with the refunded interest. */
function allocate(loan: LoanState, money: Money, interestRefunds: InterestRefund[]): AllocatedLoan {
  const { today, isPartPayment, at } = money
  const rows = withInterestRefunds(loan.rows, interestRefunds)
  const dueShares = spread(
    rows.filter((row) => row.fellDue || row.dueOn <= today),
    money.paise + paiseOf(interestRefunds),
  )
  const now = { ...loan, rows: applyShares(rows, dueShares.shares, at) }
  const prepaid =
    isPartPayment || dueShares.rest === 0n
      ? prepayPrincipal(now, dueShares.rest, [], money)
      : closeOrPayCurrentRow(now, dueShares.rest, money)
  return { ...prepaid, shares: mergeShares(dueShares.shares, prepaid.shares), interestRefunds }
}

type PrepaidLoan = LoanState & Omit<Allocation, 'interestRefunds'>

/** Closes the loan if the money suffices; otherwise pays the current row early. */
function closeOrPayCurrentRow(now: LoanState, paise: Paise, money: Money): PrepaidLoan {
  if (paise < maxPrepayment(now.loan, now.rows, money.today)) return payCurrentRowEarly(now, paise, money)
  const closed = prepayPrincipal(now, paise, [], money)
  return statusOf(closed.rows) === 'repaid' ? closed : payCurrentRowEarly(now, paise, money)
}

/** Pays the current row; the remainder prepays principal. */
function payCurrentRowEarly(now: LoanState, paise: Paise, money: Money): PrepaidLoan {
  const { shares, rest } = spread(futureRows(now.rows, money.today).slice(0, 1), paise)
  const paid = { ...now, rows: applyShares(now.rows, shares, money.at) }
  return prepayPrincipal(paid, rest, shares, money)
}

/** Prepays principal after the `early` shares; an excess pays interest until the day. */
export function prepayPrincipal(
  before: LoanState,
  paise: Paise,
  early: Share[],
  { today, at, keep }: Pick<Money, 'today' | 'at' | 'keep'>,
): PrepaidLoan {
  let [now, rest, principal] = [before, paise, 0n]
  const repayPrincipal = (sum: Paise) => {
    now = replanLoan(now, { principal: -sum, on: today, keep, at })
  }
  if (early.some(({ interest, principal: ofRow }) => interest + ofRow > 0n)) repayPrincipal(0n)
  while (rest > 0n) {
    const paid = minPaise(rest, maxPrepayment(now.loan, now.rows, today))
    if (paid === 0n) break
    repayPrincipal(paid)
    rest -= paid
    principal += paid
  }
  const last = spread(now.rows, rest)
  const rows = applyShares(now.rows, last.shares, at)
  return { ...now, rows, shares: mergeShares(early, last.shares), principal, unapplied: last.rest }
}

/** Replans the loan for a change of principal, and merges the result with earlier changes. */
function replanLoan(
  now: Pick<LoanState, 'loan' | 'rows'> & Partial<LoanState>,
  change: Parameters<typeof replan>[2],
): LoanState {
  const { rows, postings, installmentPaise } = replan(now.loan, now.rows, change)
  const moved = [...(now.moved ?? []), ...postings]
  const isReplanned = now.isReplanned || moved.length > 0 || !hasSameAmounts(now.rows, rows)
  return { loan: { ...now.loan, installmentPaise }, rows, moved, isReplanned }
}

/** Whether two versions of a schedule have the same amounts and due dates. */
const hasSameAmounts = (rows: InstallmentRow[], otherRows: InstallmentRow[]): boolean =>
  rows.length === otherRows.length &&
  rows.every(
    (row, i) => row.dueOn === otherRows[i]?.dueOn && parts.every((part) => row.due[part] === otherRows[i]?.due[part]),
  )

/** Merges shares; those of the same row are added. */
export function mergeShares(shares: Share[], added: Share[]): Share[] {
  const byRow = new Map(shares.map((share) => [share.number, share]))
  for (const share of added) {
    const known = byRow.get(share.number)
    const sum = { ...share }
    if (known) for (const part of parts) sum[part] += known[part]
    byRow.set(share.number, sum)
  }
  return [...byRow.values()]
}

/**
 * Reverses an allocation on a day: its rows reopen, and prepaid principal is owed again from then on, in regular
 * instalments, or spread over future rows if the instalment was lowered.
 */
export function reverseRepayment(
  { loan, rows }: Pick<LoanState, 'loan' | 'rows'>,
  allocation: Allocation,
  reopening: ReopenContext,
): LoanState {
  const { shares, principal, interestRefunds } = allocation
  const charged = withInterestRefunds(
    rows,
    interestRefunds.map(({ number, paise }) => ({ number, paise: -paise })),
  )
  const { on, at } = reopening
  const reopened = undoConversions(reverseShares(addInterestBase(loan, charged, on), shares, reopening))
  const now = { loan, ...reopened, isReplanned: reopened.moved.length > 0 }
  const future = futureRows(now.rows, on)
  const paysFutureRow = future.some((row) => shares.some(({ number }) => number === row.number))
  if (principal === 0n && !paysFutureRow) return now
  return replanLoan(now, { principal, on, keep: keptByEarlierPayments(loan), isReversal: true, at })
}

/**
 * Undoes conversions of a reversed payment: interest that became principal or unapplied balance is interest again, and
 * principal that became interest is principal again; likewise for the payment of a reversed penal charge.
 */
function undoConversions(rows: InstallmentRow[]): Pick<LoanState, 'rows' | 'moved'> {
  const moved: Posting[] = []
  const after = rows.map((row) => {
    const { interest, penalty, principal } = row.paid
    if (interest >= 0n && penalty >= 0n && principal >= 0n) return row
    const missing = { interest: maxPaise(-interest, 0n), principal: maxPaise(-principal, 0n) }
    const [fromPrincipal, fromInterest] = [
      minPaise(missing.interest, maxPaise(principal, 0n)),
      minPaise(missing.principal, maxPaise(interest, 0n)),
    ]
    moved.push(...posting('PRINCIPAL', 'INTEREST', fromPrincipal - fromInterest, row.number))
    moved.push(...posting('UNAPPLIED', 'INTEREST', missing.interest - fromPrincipal, row.number))
    moved.push(...posting('UNAPPLIED', 'PRINCIPAL', missing.principal - fromInterest, row.number))
    moved.push(...posting('UNAPPLIED', 'PENALTY', maxPaise(-penalty, 0n), row.number))
    const paid = {
      penalty: maxPaise(penalty, 0n),
      interest: maxPaise(interest, 0n) - fromInterest,
      principal: maxPaise(principal, 0n) - fromPrincipal,
    }
    return { ...row, paid: { ...row.paid, ...paid } }
  })
  return { rows: after, moved }
}
