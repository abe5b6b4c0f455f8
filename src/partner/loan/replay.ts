// Replays a loan from its opening, with all money on its value date; pure rules.

import { plusDays } from '#kit/money/calendar.ts'
import { minPaise, type Paise } from '#kit/money/money.ts'
import { required } from '#kit/runtime/record.ts'
import type { LedgerEntry, Posting } from '#partner/ledger/store.ts'
import { type Allocation, accountOfPart } from './allocate.ts'
import { endDays } from './end-of-day.ts'
import { applyFeeRefund, exitAmountOn } from './exit.ts'
import type { PartPaymentKeeps } from './loan.ts'
import { initialInstallments } from './open-loan.ts'
import { type LoanState, repay, reverseRepayment } from './repay.ts'
import { addInterestBase, type PlanBasis } from './replan.ts'
import { type InstallmentRow, parts } from './row.ts'
import { setOff, type UnappliedBalance, unappliedBalanceFrom, unappliedIn } from './set-off.ts'

/** A loan, its rows and its entries. */
export interface PostedLoan {
  loan: PlanBasis
  rows: InstallmentRow[]
  /** All entries of the case, in posting order. */
  posted: LedgerEntry[]
  at: Date
}

/** A loan on a day, as if all money had been posted on its value date. */
export interface LoanReplay {
  loan: PlanBasis
  rows: InstallmentRow[]
  /** The unapplied balance, with its set-offs. */
  unapplied: UnappliedBalance
  /** Allocations of receipts, keyed by entry. */
  paid: ReadonlyMap<string, Allocation>
}

/** An event in the life of the loan, on its day. */
interface ReplayStep {
  on: string
  play: (now: LoanReplay) => LoanReplay
}

/** Money that is not posted yet, with its value date. */
export interface LateMoney extends Pick<ReplayedPayment, 'paise' | 'isPartPayment' | 'on'> {
  today: string
  /** The day of the fee refund, or null. */
  exitedOn: string | null
}

/** The loan today without the late money, and with it. */
export interface LoanReplays {
  withoutMoney: LoanReplay
  withMoney: LoanReplay
}

/**
 * Returns the first day on which, with the late money, nothing but the fee is owed; null if there is none by `until`.
 */
export function findExitDay(
  loan: PostedLoan,
  { until, ...money }: Omit<LateMoney, 'exitedOn'> & { until: string | null },
): string | null {
  const days = new Set([money.on, ...stepsOf(loan).map(({ on }) => on)])
  const candidates = [...days]
    .filter((on) => on >= money.on && on <= money.today && until !== null && on <= until)
    .sort()
  return (
    candidates.find((today) => {
      const { withMoney } = replayWith(loan, { ...money, today, exitedOn: null })
      return exitAmountOn(withMoney.loan, withMoney.rows, today, loan.at).total === 0n
    }) ?? null
  )
}

/**
 * Replays the loan with and without the late money. Rows that fell due keep their amounts. Late money keeps the
 * instalment amount, even if the borrower chose to keep the term.
 */
export function replayWith(loan: PostedLoan, { paise, isPartPayment, on, today, exitedOn }: LateMoney): LoanReplays {
  const steps = stepsOf(loan).filter((step) => step.on <= today)
  const later = { steps: steps.filter((step) => step.on > on), until: today }
  const onValueDate = playSteps(loan, openedReplay(loan), { steps: steps.filter((step) => step.on <= on), until: on })
  const { at } = loan
  const paid = applyPayment(onValueDate, { paise, isPartPayment, keep: 'INSTALLMENT', on, at, entryId: 'news' })
  const feeRefundStep =
    exitedOn === null ? [] : [{ on: exitedOn, play: (now: LoanReplay) => refundFee(now, exitedOn, at) }]
  const withMoney = playSteps(loan, paid, { ...later, steps: inOrder([...later.steps, ...feeRefundStep]) })
  return { withoutMoney: playSteps(loan, onValueDate, later), withMoney }
}

function openedReplay({ loan, rows, at }: PostedLoan): LoanReplay {
  const charges = new Map(rows.map(({ number, due }) => [number, due.charges]))
  return {
    loan: { ...loan, installmentPaise: loan.terms.installmentPaise },
    rows: initialInstallments(loan.terms, loan.disbursedOn, at).map((row) => ({
      ...row,
      due: { ...row.due, charges: charges.get(row.number) ?? 0n },
    })),
    unapplied: { paise: 0n, active: [], count: 0 },
    paid: new Map(),
  }
}

/** Plays steps in order, with the day-ends in between. */
function playSteps(
  { at }: PostedLoan,
  from: LoanReplay,
  { steps, until }: { steps: ReplayStep[]; until: string },
): LoanReplay {
  const closeDaysBefore = (now: LoanReplay, on: string): LoanReplay => ({
    ...now,
    rows: endDays(now.rows, now.loan.terms, plusDays(on, -1), at).rows,
  })
  let now = from
  for (const { on, play } of steps) now = setOffUnapplied(play(closeDaysBefore(now, on)), on, at)
  const done = closeDaysBefore(now, until)
  return { ...done, rows: addInterestBase(done.loan, done.rows, until) }
}

/** Returns the steps of a loan's entries in day order; derived entries have none. */
function stepsOf(loan: PostedLoan): ReplayStep[] {
  const byId = new Map(loan.posted.map((entry) => [entry.entryId, entry]))
  const reversedIds = new Set(loan.posted.map(({ reverses }) => reverses))
  const steps = loan.posted.flatMap((entry): ReplayStep[] => {
    const { reverses, businessOn, knownOn = businessOn } = entry
    const original = reverses === null ? entry : byId.get(reverses)
    // A receipt that was reversed later refunded no interest before its posting, and cannot be reversed before it.
    const postedOn = original?.knownOn ?? businessOn
    const on = reversedIds.has(entry.entryId)
      ? knownOn
      : original !== entry && postedOn > businessOn
        ? postedOn
        : businessOn
    const play = original && (original === entry ? stepOf(loan, entry, on) : reversalStepOf(loan, original, on))
    return play ? [{ on, play }] : []
  })
  return inOrder(steps)
}

const inOrder = (steps: ReplayStep[]): ReplayStep[] =>
  steps.toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))

function stepOf({ at }: PostedLoan, entry: LedgerEntry, on: string): ReplayStep['play'] | null {
  const { entryId, kind, postings } = entry
  if (kind === 'RECEIPT') {
    const paise = sumOf(postings.filter(({ debit }) => debit === 'BANK'))
    const { isPartPayment, keeps } = required(entry.choice, 'the choice of a receipt')
    const keep = on < (entry.knownOn ?? on) ? 'INSTALLMENT' : keeps
    return (now) => applyPayment(now, { paise, isPartPayment, keep, on, at, entryId })
  }
  if (kind === 'FEE_RETURN') return (now) => refundFee(now, on, at)
  if (kind === 'REFUND') return (now) => addUnapplied(now, unappliedIn(postings))
  if (kind === 'WAIVER') return (now) => ({ ...now, rows: waiveRows(now.rows, entry) })
  return null
}

function reversalStepOf(
  { at }: PostedLoan,
  { entryId, kind, postings }: LedgerEntry,
  on: string,
): ReplayStep['play'] | null {
  if (kind === 'RECEIPT') return (now) => reversePayment(now, entryId, on, at)
  if (kind === 'FEE_RETURN') return (now) => reverseFeeRefund(now, on, at)
  if (kind === 'REFUND') return (now) => addUnapplied(now, -unappliedIn(postings))
  return null
}

interface ReplayedPayment {
  paise: Paise
  isPartPayment: boolean
  keep: PartPaymentKeeps
  on: string
  at: Date
  entryId: string
}

function applyPayment(now: LoanReplay, { entryId, on, ...money }: ReplayedPayment): LoanReplay {
  const { allocation, ...after } = repay(now, { ...money, from: 'BANK', on, today: on })
  const paid = new Map(now.paid).set(entryId, allocation)
  return { ...afterAct(now, after, allocation.unapplied), paid }
}

/** Returns the loan after an act, with `change` added to the unapplied balance. */
const afterAct = (now: LoanReplay, { loan, rows, moved }: LoanState, change: Paise): LoanReplay =>
  addUnapplied({ ...now, loan, rows }, change + unappliedIn(moved))

const addUnapplied = (now: LoanReplay, change: Paise): LoanReplay => ({
  ...now,
  unapplied: { ...now.unapplied, paise: now.unapplied.paise + change },
})

function reversePayment(now: LoanReplay, entryId: string, on: string, at: Date): LoanReplay {
  const allocation = now.paid.get(entryId)
  if (!allocation) return now
  const after = reverseRepayment(now, allocation, { penalty: now.loan.terms.penalty, on, at })
  return afterAct(now, after, -allocation.unapplied)
}

function refundFee(now: LoanReplay, on: string, at: Date): LoanReplay {
  const { shares, principal, unapplied, ...after } = applyFeeRefund(now, { today: on, at })
  const paid = new Map(now.paid).set(feeId, { shares, principal, interestRefunds: [], unapplied })
  return { ...afterAct(now, after, unapplied), paid }
}

const feeId = 'fee'
const reverseFeeRefund = (now: LoanReplay, on: string, at: Date): LoanReplay => reversePayment(now, feeId, on, at)

/** Waives the amounts of an entry, oldest row first. */
function waiveRows(rows: InstallmentRow[], { postings }: LedgerEntry): InstallmentRow[] {
  const left = new Map(
    parts.map((part) => [part, sumOf(postings.filter((each) => each.credit === accountOfPart[part]))]),
  )
  return rows.map((row) => {
    const due = { ...row.due }
    for (const part of parts.filter((each) => each === 'penalty' || row.fellDue)) {
      const waived = minPaise(left.get(part) ?? 0n, due[part] - row.paid[part])
      due[part] -= waived
      left.set(part, (left.get(part) ?? 0n) - waived)
    }
    return { ...row, due }
  })
}

const sumOf = (postings: Posting[]): Paise => postings.reduce((sum, { paise }) => sum + paise, 0n)

function setOffUnapplied(now: LoanReplay, on: string, at: Date): LoanReplay {
  const { loan, rows, unapplied } = now
  const { entries, ...after } = setOff({ loan, rows, moved: [], isReplanned: false }, unapplied, {
    caseRef: '',
    on,
    at,
  })
  const active = unappliedBalanceFrom([...unapplied.active, ...entries]).active
  const count = unapplied.count + entries.filter(({ kind }) => kind === 'SET_OFF').length
  const change = unappliedIn(entries.flatMap(({ postings }) => postings))
  return afterAct({ ...now, unapplied: { ...unapplied, active, count } }, after, change)
}
