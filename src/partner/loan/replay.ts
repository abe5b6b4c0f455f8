// Replays a loan from its opening, with all money on the day of its arrival; pure rules.

import { plusDays } from '#kit/money/calendar.ts'
import { least, type Paise } from '#kit/money/money.ts'
import { required } from '#kit/runtime/record.ts'
import type { LedgerEntry, Posting } from '#partner/ledger/store.ts'
import { type Allocation, accountOfPart } from './allocate.ts'
import { endDays } from './end-of-day.ts'
import { exitOn, withoutFee } from './exit.ts'
import type { Keep } from './loan.ts'
import { rowsOf } from './open-loan.ts'
import { type Repaid, repay, unpaid } from './repay.ts'
import { countedUntil, type PlanBasis } from './replan.ts'
import { type InstallmentRow, parts } from './row.ts'
import { beyondOf, type Spare, setOff, spareFrom } from './set-off.ts'

/** A loan and its rows as its own entries tell of them. */
export interface PostedLoan {
  loan: PlanBasis
  rows: InstallmentRow[]
  /** All entries of the case, in the order in which they were posted. */
  posted: LedgerEntry[]
  at: Date
}

/** A loan on a day, as if all money had been posted on arrival. */
export interface LoanReplay {
  loan: PlanBasis
  rows: InstallmentRow[]
  /** Money beyond the schedule, with its set-offs. */
  spare: Spare
  /** Payments of receipts, by entry. */
  paid: ReadonlyMap<string, Allocation>
}

/** One day's event of the loan. */
interface ReplayStep {
  on: string
  play: (now: LoanReplay) => LoanReplay
}

/** Unposted money with its day of arrival. */
export interface News extends Pick<ReplayedPayment, 'paise' | 'isPartPayment' | 'on'> {
  today: string
  /** The day of the fee refund, if any. */
  leftOn: string | null
}

/** The loan today without earlier money, and with it. */
export interface Replays {
  without: LoanReplay
  having: LoanReplay
}

/** The first day on which nothing but the fee is owed, with money that the lender learns of late; null where there is none by `until`. */
export function playedLeftOn(
  known: PostedLoan,
  { until, ...news }: Omit<News, 'leftOn'> & { until: string | null },
): string | null {
  const days = new Set([news.on, ...stepsOf(known).map(({ on }) => on)])
  const inTime = [...days].filter((on) => on >= news.on && on <= news.today && until !== null && on <= until).sort()
  return (
    inTime.find((today) => {
      const { having } = replayedWith(known, { ...news, today, leftOn: null })
      return exitOn(having.loan, having.rows, today, known.at).total === 0n
    }) ?? null
  )
}

/**
 * Replays the loan with and without late money. Rows that fell due keep their amounts, and so does the instalment, even
 * if the borrower keeps the term.
 */
export function replayedWith(known: PostedLoan, { paise, isPartPayment, on, today, leftOn }: News): Replays {
  const steps = stepsOf(known).filter((step) => step.on <= today)
  const later = { steps: steps.filter((step) => step.on > on), until: today }
  const then = played(known, opened(known), { steps: steps.filter((step) => step.on <= on), until: on })
  const { at } = known
  const paid = moneyPaid(then, { paise, isPartPayment, keep: 'INSTALLMENT', on, at, entryId: 'news' })
  const left = leftOn === null ? [] : [{ on: leftOn, play: (now: LoanReplay) => feeGiven(now, leftOn, at) }]
  const having = played(known, paid, { ...later, steps: inOrder([...later.steps, ...left]) })
  return { without: played(known, then, later), having }
}

function opened({ loan, rows, at }: PostedLoan): LoanReplay {
  const charges = new Map(rows.map(({ number, due }) => [number, due.charges]))
  return {
    loan: { ...loan, installmentPaise: loan.terms.installmentPaise },
    rows: rowsOf(loan.terms, loan.disbursedOn, at).map((row) => ({
      ...row,
      due: { ...row.due, charges: charges.get(row.number) ?? 0n },
    })),
    spare: { paise: 0n, inForce: [], made: 0 },
    paid: new Map(),
  }
}

/** Plays steps in the order of their days, and ends the days between. */
function played(
  { at }: PostedLoan,
  from: LoanReplay,
  { steps, until }: { steps: ReplayStep[]; until: string },
): LoanReplay {
  const dayBegun = (now: LoanReplay, on: string): LoanReplay => ({
    ...now,
    rows: endDays(now.rows, now.loan.terms, plusDays(on, -1), at).rows,
  })
  let now = from
  for (const { on, play } of steps) now = spareSetOff(play(dayBegun(now, on)), on, at)
  const done = dayBegun(now, until)
  return { ...done, rows: countedUntil(done.loan, done.rows, until) }
}

/** A loan's entries by day, without derived ones. */
function stepsOf(known: PostedLoan): ReplayStep[] {
  const byId = new Map(known.posted.map((entry) => [entry.entryId, entry]))
  const returned = new Set(known.posted.map(({ reverses }) => reverses))
  const steps = known.posted.flatMap((entry): ReplayStep[] => {
    const { reverses, businessOn, knownOn = businessOn } = entry
    const of = reverses === null ? entry : byId.get(reverses)
    // A reversed receipt refunded nothing before its posting, and was returned no sooner.
    const postedOn = of?.knownOn ?? businessOn
    const on = returned.has(entry.entryId) ? knownOn : of !== entry && postedOn > businessOn ? postedOn : businessOn
    const play = of && (of === entry ? stepOf(known, entry, on) : stepBackOf(known, of, on))
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
    return (now) => moneyPaid(now, { paise, isPartPayment, keep, on, at, entryId })
  }
  if (kind === 'FEE_RETURN') return (now) => feeGiven(now, on, at)
  if (kind === 'REFUND') return (now) => withSpare(now, beyondOf(postings))
  if (kind === 'WAIVER') return (now) => ({ ...now, rows: givenUp(now.rows, entry) })
  return null
}

function stepBackOf(
  { at }: PostedLoan,
  { entryId, kind, postings }: LedgerEntry,
  on: string,
): ReplayStep['play'] | null {
  if (kind === 'RECEIPT') return (now) => moneyReturned(now, entryId, on, at)
  if (kind === 'FEE_RETURN') return (now) => feeTaken(now, on, at)
  if (kind === 'REFUND') return (now) => withSpare(now, -beyondOf(postings))
  return null
}

interface ReplayedPayment {
  paise: Paise
  isPartPayment: boolean
  keep: Keep
  on: string
  at: Date
  entryId: string
}

function moneyPaid(now: LoanReplay, { entryId, on, ...money }: ReplayedPayment): LoanReplay {
  const { allocation, ...after } = repay(now, { ...money, from: 'BANK', on, today: on })
  const paid = new Map(now.paid).set(entryId, allocation)
  return { ...changed(now, after, allocation.unapplied), paid }
}

/** The loan after an act, with more money beyond the schedule. */
const changed = (now: LoanReplay, { loan, rows, moved }: Repaid, more: Paise): LoanReplay =>
  withSpare({ ...now, loan, rows }, more + beyondOf(moved))

const withSpare = (now: LoanReplay, more: Paise): LoanReplay => ({
  ...now,
  spare: { ...now.spare, paise: now.spare.paise + more },
})

function moneyReturned(now: LoanReplay, entryId: string, on: string, at: Date): LoanReplay {
  const allocation = now.paid.get(entryId)
  if (!allocation) return now
  const after = unpaid(now, allocation, { penalty: now.loan.terms.penalty, on, at })
  return changed(now, after, -allocation.unapplied)
}

function feeGiven(now: LoanReplay, on: string, at: Date): LoanReplay {
  const { shares, principal, unapplied, ...after } = withoutFee(now, { today: on, at })
  const paid = new Map(now.paid).set(feeId, { shares, principal, back: [], unapplied })
  return { ...changed(now, after, unapplied), paid }
}

const feeId = 'fee'
const feeTaken = (now: LoanReplay, on: string, at: Date): LoanReplay => moneyReturned(now, feeId, on, at)

/** The rows after the lender waived an amount of dues, oldest first. */
function givenUp(rows: InstallmentRow[], { postings }: LedgerEntry): InstallmentRow[] {
  const left = new Map(
    parts.map((part) => [part, sumOf(postings.filter((each) => each.credit === accountOfPart[part]))]),
  )
  return rows.map((row) => {
    const due = { ...row.due }
    for (const part of parts.filter((each) => each === 'penalty' || row.fellDue)) {
      const given = least(left.get(part) ?? 0n, due[part] - row.paid[part])
      due[part] -= given
      left.set(part, (left.get(part) ?? 0n) - given)
    }
    return { ...row, due }
  })
}

const sumOf = (postings: Posting[]): Paise => postings.reduce((sum, { paise }) => sum + paise, 0n)

function spareSetOff(now: LoanReplay, on: string, at: Date): LoanReplay {
  const { loan, rows, spare } = now
  const { entries, ...after } = setOff({ loan, rows, moved: [], isReplanned: false }, spare, { caseRef: '', on, at })
  const inForce = spareFrom([...spare.inForce, ...entries]).inForce
  const made = spare.made + entries.filter(({ kind }) => kind === 'SET_OFF').length
  const more = beyondOf(entries.flatMap(({ postings }) => postings))
  return changed({ ...now, spare: { ...spare, inForce, made } }, after, more)
}
