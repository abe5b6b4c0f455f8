// Replays a loan from its opening, with every payment on its value date; pure rules.

import { required } from '@lendloom/foundation/required'
import { plusDays } from '@lendloom/lending/calendar'
import { minPaise, type Paise } from '@lendloom/lending/money'
import type { LedgerEntry, Posting } from '#partner/books/ledger/entry.ts'
import { type Allocation, accountOfPart } from './allocate.ts'
import { applyFeeRefund, exitAmountOn } from './exit.ts'
import { amountParts, type InstallmentRow } from './installment-row.ts'
import type { PartPaymentKeeps } from './loan.ts'
import { initialInstallments } from './open-loan.ts'
import { type LoanState, repay, reverseRepayment } from './repay.ts'
import { addInterestBase, type PlanBasis } from './replan.ts'
import { type DebitDays, endDays } from './row-day-end.ts'
import { setOff, type UnappliedBalance, unappliedBalanceFrom, unappliedIn } from './set-off.ts'

/** A loan, its rows and its entries. */
export interface PostedLoan {
  loan: PlanBasis
  rows: InstallmentRow[]
  /** All entries of the case, in posting order. */
  posted: LedgerEntry[]
  at: Date
}

/** A loan on a day, as if every payment had been posted on its value date. */
export interface LoanReplay {
  loan: PlanBasis
  rows: InstallmentRow[]
  unapplied: UnappliedBalance
  /** Allocations of receipts and of the fee refund, keyed by entry id. */
  allocations: ReadonlyMap<string, Allocation>
}

/** An event of the loan with its day. */
interface ReplayStep {
  on: string
  play: (replay: LoanReplay) => LoanReplay
}

/** A payment that the bank reported late and that is not posted yet. */
export interface LateMoney extends Pick<ReplayedPayment, 'paise' | 'isPartPayment' | 'on'> {
  today: string
  /** The day of the fee refund; null if the fee is not refunded. */
  exitedOn: string | null
}

/** The loan today without the late money, and with it. */
export interface LoanReplays {
  withoutMoney: LoanReplay
  withMoney: LoanReplay
}

/** Returns the first day, up to `until`, on which the late money leaves only the fee owed; null without such a day. */
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
  const afterPayment = applyPayment(onValueDate, {
    paise,
    isPartPayment,
    keep: 'INSTALLMENT',
    on,
    at,
    entryId: 'late-money',
  })
  const feeRefundStep =
    exitedOn === null ? [] : [{ on: exitedOn, play: (replay: LoanReplay) => refundFee(replay, exitedOn, at) }]
  const withMoney = playSteps(loan, afterPayment, { ...later, steps: inOrder([...later.steps, ...feeRefundStep]) })
  return { withoutMoney: playSteps(loan, onValueDate, later), withMoney }
}

/** Returns the loan as it was opened, but with the charges that its rows have now. */
function openedReplay({ loan, rows, at }: PostedLoan): LoanReplay {
  const charges = new Map(rows.map(({ number, due }) => [number, due.charges]))
  return {
    loan: { ...loan, installmentPaise: loan.terms.installmentPaise },
    rows: initialInstallments(loan.terms, loan.disbursedOn, at).map((row) => ({
      ...row,
      due: { ...row.due, charges: charges.get(row.number) ?? 0n },
    })),
    unapplied: { paise: 0n, active: [], count: 0 },
    allocations: new Map(),
  }
}

/** Applies steps in order, with the day-ends in between. */
function playSteps(
  { rows: actualRows, at }: PostedLoan,
  from: LoanReplay,
  { steps, until }: { steps: ReplayStep[]; until: string },
): LoanReplay {
  const debitDays = countedDays(actualRows)
  const closeDaysBefore = (replay: LoanReplay, on: string): LoanReplay => ({
    ...replay,
    rows: endDays(replay.rows, replay.loan.terms, { through: plusDays(on, -1), debitDays, at }).rows,
  })
  let current = from
  for (const { on, play } of steps) current = setOffUnapplied(play(closeDaysBefore(current, on)), on, at)
  const finalReplay = closeDaysBefore(current, until)
  return { ...finalReplay, rows: addInterestBase(finalReplay.loan, finalReplay.rows, until) }
}

/** The days that counted for the loan, even if the lender's calendar has changed since. */
function countedDays(actualRows: InstallmentRow[]): DebitDays {
  const countedFrom = new Map(actualRows.map(({ dueOn, countsFrom }) => [dueOn, countsFrom]))
  return (on) => countedFrom.get(on) ?? on
}

/** Yields each day with the rows at its end, as if every payment had been posted on its value date. */
export function* dayEndsOf(posted: PostedLoan, until: string): Generator<{ on: string; rows: InstallmentRow[] }> {
  const { loan, at } = posted
  const debitDays = countedDays(posted.rows)
  const steps = stepsOf(posted)
  let replay = openedReplay(posted)
  for (let on = loan.disbursedOn; on <= until; on = plusDays(on, 1)) {
    for (let step = steps[0]; step && step.on <= on; step = steps[0]) {
      replay = setOffUnapplied(step.play(replay), on, at)
      steps.shift()
    }
    replay = { ...replay, rows: endDays(replay.rows, replay.loan.terms, { through: on, debitDays, at }).rows }
    yield { on, rows: replay.rows }
  }
}

/** Returns the steps of a loan's entries in day order. Entries that a replay derives itself have no step. */
function stepsOf(loan: PostedLoan): ReplayStep[] {
  const byId = new Map(loan.posted.map((entry) => [entry.entryId, entry]))
  const reversedIds = new Set(loan.posted.map(({ reverses }) => reverses))
  const steps = loan.posted.flatMap((entry): ReplayStep[] => {
    const { reverses, businessOn, knownOn = businessOn } = entry
    // A reversed receipt counts only from its posting, so that it refunds no interest and is not reversed earlier.
    const isReversed = reversedIds.has(entry.entryId)
    if (reverses === null) {
      const on = isReversed ? knownOn : businessOn
      const play = stepOf(loan, entry, on)
      return play ? [{ on, play }] : []
    }
    const original = byId.get(reverses)
    if (!original) return []
    const originalPostedOn = original.knownOn ?? businessOn
    const reversedOn = originalPostedOn > businessOn ? originalPostedOn : businessOn
    const on = isReversed ? knownOn : reversedOn
    const play = reversalStepOf(loan, original, on)
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
    return (replay) => applyPayment(replay, { paise, isPartPayment, keep, on, at, entryId })
  }
  if (kind === 'FEE_RETURN') return (replay) => refundFee(replay, on, at)
  if (kind === 'REFUND') return (replay) => addUnapplied(replay, unappliedIn(postings))
  if (kind === 'WAIVER') return (replay) => ({ ...replay, rows: waiveRows(replay.rows, entry) })
  return null
}

function reversalStepOf(
  { at }: PostedLoan,
  { entryId, kind, postings }: LedgerEntry,
  on: string,
): ReplayStep['play'] | null {
  if (kind === 'RECEIPT') return (replay) => reversePayment(replay, entryId, on, at)
  if (kind === 'FEE_RETURN') return (replay) => reverseFeeRefund(replay, on, at)
  if (kind === 'REFUND') return (replay) => addUnapplied(replay, -unappliedIn(postings))
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

function applyPayment(replay: LoanReplay, { entryId, on, ...money }: ReplayedPayment): LoanReplay {
  const { allocation, ...after } = repay(replay, { ...money, from: 'BANK', on, today: on })
  const allocations = new Map(replay.allocations).set(entryId, allocation)
  return { ...afterAct(replay, after, allocation.unapplied), allocations }
}

/** Returns the loan after an act, with `change` added to the unapplied balance. */
const afterAct = (replay: LoanReplay, { loan, rows, conversions }: LoanState, change: Paise): LoanReplay =>
  addUnapplied({ ...replay, loan, rows }, change + unappliedIn(conversions))

const addUnapplied = (replay: LoanReplay, change: Paise): LoanReplay => ({
  ...replay,
  unapplied: { ...replay.unapplied, paise: replay.unapplied.paise + change },
})

function reversePayment(replay: LoanReplay, entryId: string, on: string, at: Date): LoanReplay {
  const allocation = replay.allocations.get(entryId)
  if (!allocation) return replay
  const after = reverseRepayment(replay, allocation, { penalty: replay.loan.terms.penalty, on, at })
  return afterAct(replay, after, -allocation.unapplied)
}

function refundFee(replay: LoanReplay, on: string, at: Date): LoanReplay {
  const { shares, principal, unapplied, ...after } = applyFeeRefund(replay, { today: on, at })
  const allocations = new Map(replay.allocations).set(feeId, { shares, principal, interestRefunds: [], unapplied })
  return { ...afterAct(replay, after, unapplied), allocations }
}

const feeId = 'fee'
const reverseFeeRefund = (replay: LoanReplay, on: string, at: Date): LoanReplay => reversePayment(replay, feeId, on, at)

/** Waives the amounts of a waiver entry, oldest row first. */
function waiveRows(rows: InstallmentRow[], { postings }: LedgerEntry): InstallmentRow[] {
  const left = new Map(
    amountParts.map((part) => [part, sumOf(postings.filter((each) => each.credit === accountOfPart[part]))]),
  )
  return rows.map((row) => {
    const due = { ...row.due }
    for (const part of amountParts.filter((each) => each === 'penalty' || row.fellDue)) {
      const waived = minPaise(left.get(part) ?? 0n, due[part] - row.paid[part])
      due[part] -= waived
      left.set(part, (left.get(part) ?? 0n) - waived)
    }
    return { ...row, due }
  })
}

const sumOf = (postings: Posting[]): Paise => postings.reduce((sum, { paise }) => sum + paise, 0n)

function setOffUnapplied(replay: LoanReplay, on: string, at: Date): LoanReplay {
  const { loan, rows, unapplied } = replay
  const { entries, ...after } = setOff({ loan, rows, conversions: [], isReplanned: false }, unapplied, {
    caseRef: '',
    on,
    at,
  })
  const active = unappliedBalanceFrom([...unapplied.active, ...entries]).active
  const count = unapplied.count + entries.filter(({ kind }) => kind === 'SET_OFF').length
  const change = unappliedIn(entries.flatMap(({ postings }) => postings))
  return afterAct({ ...replay, unapplied: { ...unapplied, active, count } }, after, change)
}
