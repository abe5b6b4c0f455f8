// Allocates a borrower's money to dues, then to the current row, then to a prepayment of principal; pure rules.

import { maxPaise, minPaise, type Paise } from '@lendloom/lending/money'
import type { ChartAccount as LedgerAccount } from '#partner/books/ledger/chart.ts'
import { type Posting, posting } from '#partner/books/ledger/entry.ts'
import { unitOf } from '#partner/origination/terms/rounding.ts'
import {
  type Allocation,
  applyShares,
  postingsOf,
  type ReopenContext,
  reverseShares,
  type Share,
  spreadOverRows,
} from './allocate.ts'
import { amountParts, conditionOf, type InstallmentRow } from './installment-row.ts'
import {
  distributeRefund,
  type InterestRefund,
  type LateMoneyCorrections,
  withInterestRefunds,
} from './interest-refund.ts'
import type { PartPaymentKeeps } from './loan.ts'
import {
  addInterestBase,
  choiceOfEarlierPayments,
  futureRows,
  maxPrepayment,
  type PlanBasis,
  replan,
} from './replan.ts'

/** A loan, its full schedule, and the changes of the schedule by an act. */
export interface LoanState {
  loan: PlanBasis
  rows: InstallmentRow[]
  /** Postings that a new schedule requires, for a separate entry. Example: prepaid interest becomes principal. */
  conversions: Posting[]
  /** Whether the schedule gets a new version. */
  isReplanned: boolean
}

/** Money that a loan receives: of the borrower, or what the lender gives up. */
export interface MoneyReceived {
  paise: Paise
  /** The account that the money comes from: the bank, the unapplied balance, or what the lender gives up. */
  from: Extract<LedgerAccount, 'BANK' | 'UNAPPLIED' | 'SETTLEMENT_LOSS' | 'ROUNDED_OFF'>
  /** The value date. */
  on: string
  /** The business day of posting, on or after the value date. */
  today: string
  /** Whether the money prepays principal, however small it is. Otherwise it first pays the current row early. */
  isPartPayment: boolean
  keep: PartPaymentKeeps
  /** Interest corrections when the bank reported the money late. */
  late?: LateMoneyCorrections
  at: Date
}

/**
 * Allocates money. It first pays due and overdue rows, oldest first. The rest pays the current row early, as a borrower
 * who pays before the debit intends, and then prepays principal. Once all principal is repaid, money pays interest
 * until that day; any excess belongs to the borrower. A part payment, and money that closes the loan, do not pay the
 * current row early. If the money was reported late, wrongly charged interest is refunded and allocated too.
 */
export function repay(account: Pick<LoanState, 'loan' | 'rows'> & Partial<LoanState>, money: MoneyReceived) {
  const rows = addInterestBase(account.loan, account.rows, money.today)
  const state: LoanState = { conversions: [], isReplanned: false, ...account, rows }
  const {
    shares,
    principal,
    interestRefunds: refunds,
    unapplied,
    ...after
  } = allocate(state, money, interestRefundsFor(state, money))
  const allocation: Allocation = { shares, principal, interestRefunds: refunds, unapplied }
  return { ...after, allocation, postings: postingsOf(money.from, allocation) }
}

type AllocatedLoan = LoanState & Allocation

/** In paise. Allocating this amount shows how much a loan owes: the part that stays unapplied is not owed. */
export const amountAboveAnyDebt: Paise = 10n ** 17n

/**
 * Returns the interest to refund for money reported late. If the money would have closed the loan on its value date,
 * the refund closes the loan now. If that refund exceeds the saved interest by more than rounding, because the loan has
 * changed since, only the saved interest is refunded.
 */
function interestRefundsFor(state: LoanState, money: MoneyReceived): InterestRefund[] {
  const { late } = money
  if (!late) return []
  const refunds = distributeRefund(late.paise, late.rows)
  if (late.unappliedIfOnTime === null) return refunds
  const owed = amountAboveAnyDebt - allocate(state, { ...money, paise: amountAboveAnyDebt }, []).unapplied
  const closing = distributeRefund(owed + late.unappliedIfOnTime - money.paise, late.closingRows)
  // One rounding unit per row, and one rupee.
  const roundings = unitOf(state.loan.terms.rounding) * BigInt(state.rows.length) + 100n
  if (paiseOf(closing) - late.paise > roundings) return refunds
  return conditionOf(allocate(state, money, closing).rows) === 'repaid' ? closing : refunds
}

const paiseOf = (refunds: InterestRefund[]): Paise => refunds.reduce((sum, { paise }) => sum + paise, 0n)

function allocate(before: LoanState, money: MoneyReceived, interestRefunds: InterestRefund[]): AllocatedLoan {
  const { today, isPartPayment, at } = money
  const rows = withInterestRefunds(before.rows, interestRefunds)
  const dueShares = spreadOverRows(
    rows.filter((row) => row.fellDue || row.dueOn <= today),
    money.paise + paiseOf(interestRefunds),
  )
  const state = { ...before, rows: applyShares(rows, dueShares.shares, at) }
  const prepaid =
    isPartPayment || dueShares.rest === 0n
      ? prepayPrincipal(state, dueShares.rest, [], money)
      : closeOrPayCurrentRow(state, dueShares.rest, money)
  return { ...prepaid, shares: mergeShares(dueShares.shares, prepaid.shares), interestRefunds }
}

type PrepaidLoan = LoanState & Omit<Allocation, 'interestRefunds'>

/** Closes the loan if the money suffices; otherwise pays the current row early. */
function closeOrPayCurrentRow(state: LoanState, paise: Paise, money: MoneyReceived): PrepaidLoan {
  if (paise < maxPrepayment(state.loan, state.rows, money.today)) return payCurrentRowEarly(state, paise, money)
  const closed = prepayPrincipal(state, paise, [], money)
  return conditionOf(closed.rows) === 'repaid' ? closed : payCurrentRowEarly(state, paise, money)
}

/** Pays the current row; the remainder prepays principal. */
function payCurrentRowEarly(state: LoanState, paise: Paise, money: MoneyReceived): PrepaidLoan {
  const { shares, rest } = spreadOverRows(futureRows(state.rows, money.today).slice(0, 1), paise)
  const paid = { ...state, rows: applyShares(state.rows, shares, money.at) }
  return prepayPrincipal(paid, rest, shares, money)
}

/** Prepays principal after the shares that paid the current row early. An excess pays interest until today. */
export function prepayPrincipal(
  before: LoanState,
  paise: Paise,
  earlyShares: Share[],
  { today, at, keep }: Pick<MoneyReceived, 'today' | 'at' | 'keep'>,
): PrepaidLoan {
  let state = before
  let rest = paise
  let principal = 0n
  const repayPrincipal = (sum: Paise) => {
    state = replanLoan(state, { principal: -sum, on: today, keep, at })
  }
  if (earlyShares.some((share) => share.interest + share.principal > 0n)) repayPrincipal(0n)
  while (rest > 0n) {
    const paid = minPaise(rest, maxPrepayment(state.loan, state.rows, today))
    if (paid === 0n) break
    repayPrincipal(paid)
    rest -= paid
    principal += paid
  }
  const last = spreadOverRows(state.rows, rest)
  const rows = applyShares(state.rows, last.shares, at)
  return { ...state, rows, shares: mergeShares(earlyShares, last.shares), principal, unapplied: last.rest }
}

/** Replans the loan for a change of principal, and merges the result with earlier changes. */
function replanLoan(
  state: Pick<LoanState, 'loan' | 'rows'> & Partial<LoanState>,
  change: Parameters<typeof replan>[2],
): LoanState {
  const { rows, postings, installmentPaise } = replan(state.loan, state.rows, change)
  const conversions = [...(state.conversions ?? []), ...postings]
  const isReplanned = state.isReplanned || conversions.length > 0 || !hasSameAmounts(state.rows, rows)
  return { loan: { ...state.loan, installmentPaise }, rows, conversions, isReplanned }
}

/** Whether two versions of a schedule have the same amounts and due dates. */
const hasSameAmounts = (rows: InstallmentRow[], otherRows: InstallmentRow[]): boolean =>
  rows.length === otherRows.length &&
  rows.every(
    (row, i) =>
      row.dueOn === otherRows[i]?.dueOn && amountParts.every((part) => row.due[part] === otherRows[i]?.due[part]),
  )

/** Merges shares, and adds up shares of the same row. */
export function mergeShares(shares: Share[], added: Share[]): Share[] {
  const byRow = new Map(shares.map((share) => [share.number, share]))
  for (const share of added) {
    const existing = byRow.get(share.number)
    const sum = { ...share }
    if (existing) for (const part of amountParts) sum[part] += existing[part]
    byRow.set(share.number, sum)
  }
  return [...byRow.values()]
}

/**
 * Reverses an allocation on a day. The paid rows reopen, and prepaid principal is owed again from that day on: in
 * regular instalments, or spread over future rows if earlier part payments lowered the instalment.
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
  const state = { loan, ...reopened, isReplanned: reopened.conversions.length > 0 }
  const future = futureRows(state.rows, on)
  const paysFutureRow = future.some((row) => shares.some(({ number }) => number === row.number))
  if (principal === 0n && !paysFutureRow) return state
  return replanLoan(state, { principal, on, keep: choiceOfEarlierPayments(loan), isReversal: true, at })
}

/**
 * Undoes the conversions of a reversed payment. Interest that became principal or unapplied balance becomes interest
 * again, and principal that became interest becomes principal again. A payment of a penal charge that was reversed
 * since is taken back from the unapplied balance.
 */
function undoConversions(rows: InstallmentRow[]): Pick<LoanState, 'rows' | 'conversions'> {
  const conversions: Posting[] = []
  const after = rows.map((row) => {
    const { interest, penalty, principal } = row.paid
    if (interest >= 0n && penalty >= 0n && principal >= 0n) return row
    const missing = { interest: maxPaise(-interest, 0n), principal: maxPaise(-principal, 0n) }
    const fromPrincipal = minPaise(missing.interest, maxPaise(principal, 0n))
    const fromInterest = minPaise(missing.principal, maxPaise(interest, 0n))
    conversions.push(...posting('PRINCIPAL', 'INTEREST', fromPrincipal - fromInterest, row.number))
    conversions.push(...posting('UNAPPLIED', 'INTEREST', missing.interest - fromPrincipal, row.number))
    conversions.push(...posting('UNAPPLIED', 'PRINCIPAL', missing.principal - fromInterest, row.number))
    conversions.push(...posting('UNAPPLIED', 'PENALTY', maxPaise(-penalty, 0n), row.number))
    const paid = {
      penalty: maxPaise(penalty, 0n),
      interest: maxPaise(interest, 0n) - fromInterest,
      principal: maxPaise(principal, 0n) - fromPrincipal,
    }
    return { ...row, paid: { ...row.paid, ...paid } }
  })
  return { rows: after, conversions }
}
