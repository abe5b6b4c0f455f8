// What has changed in a loan between two of its states, as events. Amounts are those of the states, and never added up.

import { isDeepStrictEqual } from 'node:util'
import { checkedPaise } from '@lendloom/lending/money'
import type { LoanEventType } from '@lendloom/wire/hosted/loan-event'
import type { LoanState } from '@lendloom/wire/hosted/loan-state'

export interface LoanChange {
  type: LoanEventType
  instalments: number[]
  operationID: string | null
}

const change = (type: LoanEventType, instalments: number[] = [], operationID: string | null = null): LoanChange => ({
  type,
  instalments,
  operationID,
})

/** A change with instalments; none without one. */
const ofInstalments = (type: LoanEventType, instalments: number[]): LoanChange[] =>
  instalments.length === 0 ? [] : [change(type, instalments)]

/** Whether nothing more is to be paid. */
export const isEnded = ({ state }: LoanState): boolean =>
  state === 'REPAID' || state === 'CLOSED' || state === 'CANCELLED'

/** The events in the order in which a receiver reads them: payments first, the end of the loan last. */
export function changesBetween(before: LoanState, after: LoanState): LoanChange[] {
  const changes = [
    ...ofInstalments('loan.paid', settled(before, after)),
    ...ofInstalments('loan.payment_returned', settled(after, before)),
    ...partPayments(before, after, 'PAID').map((id) => change('loan.part_paid', [], id)),
    ...partPayments(before, after, 'RETURNED').map((id) => change('loan.payment_returned', [], id)),
    ...ofInstalments('loan.due', entered(before, after, 'DUE')),
    ...(isCharged(before, after) ? [change('loan.charged')] : []),
    ...overdue(before, after),
    ...ending(before, after),
  ]
  return changes.length === 0 && !isSameStatement(before, after) ? [change('loan.statement_changed')] : changes
}

/** The instalments that have this status only in the second state; one that a new plan leaves out has none. */
function entered(one: LoanState, other: LoanState, status: LoanState['instalments'][number]['status']): number[] {
  const known = new Map(one.instalments.map((each) => [each.serialNumber, each.status]))
  return other.instalments
    .filter(({ serialNumber, status: now }) => now === status && known.has(serialNumber))
    .filter(({ serialNumber }) => known.get(serialNumber) !== status)
    .map(({ serialNumber }) => serialNumber)
}

/**
 * The instalments that are paid only in the second state. A lender of the network calls one CLOSED whose missed payment
 * has arrived, and also all that are left at the end of a loan, which were not paid one by one.
 */
function settled(one: LoanState, other: LoanState): number[] {
  const wasOwed = new Set([...entered(other, one, 'DUE'), ...entered(other, one, 'OVERDUE')])
  const closed = isEnded(other) ? [] : entered(one, other, 'CLOSED').filter((each) => wasOwed.has(each))
  return [...entered(one, other, 'PAID'), ...closed].sort((a, b) => a - b)
}

/** The part payments that have this status only in the second state, the oldest first. */
function partPayments(one: LoanState, other: LoanState, status: LoanState['payments'][number]['status']): string[] {
  const known = new Set(one.payments.filter((each) => each.status === status).map(({ operationID }) => operationID))
  return other.payments
    .filter((each) => each.kind === 'PRE_PART_PAYMENT' && each.status === status && !known.has(each.operationID))
    .map(({ operationID }) => operationID)
    .toReversed()
}

/** Whether the lender's account has more charges than before. Of an account that was not told before nobody knows. */
const isCharged = ({ outstanding: before }: LoanState, { outstanding: after }: LoanState): boolean =>
  before !== null &&
  after !== null &&
  (isMore(after.charges, before.charges) || isMore(after.penalCharges, before.penalCharges))

const isMore = (amount: string, than: string): boolean => checkedPaise(amount) > checkedPaise(than)

/** Something is overdue that was not: an instalment, or an amount of a lender that names no instalment. */
function overdue(before: LoanState, after: LoanState): LoanChange[] {
  const instalments = entered(before, after, 'OVERDUE')
  const begins = before.overdue === null && after.overdue !== null
  return begins || instalments.length > 0 ? [change('loan.overdue', instalments)] : []
}

function ending(before: LoanState, after: LoanState): LoanChange[] {
  if (before.state === after.state) return []
  if (after.state === 'CANCELLED') return [change('loan.cancelled')]
  if (isEnded(after) && !isEnded(before)) return [change('loan.closed')]
  return isEnded(before) && !isEnded(after) ? [change('loan.reopened')] : []
}

const isSameStatement = (before: LoanState, after: LoanState): boolean =>
  isDeepStrictEqual(statementOf(before), statementOf(after))

/** What a borrower would call the statement. The time of a report that changed nothing is none of it. */
const statementOf = ({ outstanding, unpaidInstalments, overdue, nextDue, instalments, creditLine }: LoanState) => ({
  outstanding,
  unpaidInstalments,
  overdue,
  nextDue,
  instalments: instalments.map(({ serialNumber, dueOn, amount }) => ({ serialNumber, dueOn, amount })),
  creditLine: creditLine && { ...creditLine, reportedAt: null },
})
