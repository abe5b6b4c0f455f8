// The repayment schedule of a disbursed loan: which parts of the lender's reports are accepted; pure (FIS12 §12.4.5,
// §18.1).
import { pairs } from '#kit/runtime/record.ts'
import type { Installment } from '#platform/journey/journey.ts'

const isSettled = ({ status }: Installment): boolean => status === 'PAID' || status === 'DEFERRED'

/** Still to be paid. */
export const isLive = (installment: Installment): boolean => !isSettled(installment)

/** Whether nothing of the loan is left to be paid. */
export const isRepaid = (installments: Installment[]): boolean =>
  installments.length > 0 && installments.every(isSettled)

/**
 * The schedule as it may stand while a payment is only asked for: an instalment may have become overdue, or been paid in
 * its turn, but nothing else about it changes before the payment is PAID (FIS12 §12.4.5).
 */
export function beforePayment(kept: Installment[], reported: Installment[]): Installment[] {
  const now = new Map(reported.map((each) => [each.serialNumber, each.status]))
  return kept.map((each) => {
    const status = now.get(each.serialNumber)
    const inItsTurn = status === 'DELAYED' || (status === 'PAID' && each.status !== 'DEFERRED')
    return inItsTurn ? { ...each, status } : each
  })
}

/**
 * The accepted part of a reported schedule: all of it if it can be this loan's, otherwise only the status of each
 * instalment, by position. `isPaid`: it came with a payment, after which instalments may be fewer.
 */
export function takenSchedule(kept: Installment[], reported: Installment[], isPaid: boolean): Installment[] {
  if (isPlausible(kept, reported, isPaid)) return reported
  return kept.map((each, i) => (reported[i] ? { ...each, status: reported[i].status } : each))
}

const halfAMonthMs = 16 * 86_400_000

/** Answers after disbursal have been seen that repeat one month for every instalment, or name months of another year. */
export function isPlausible(kept: Installment[], reported: Installment[], isPaid: boolean): boolean {
  const starts = reported.map(({ startsAt }) => Date.parse(startsAt))
  if (starts.some((start, i) => start <= (starts[i - 1] ?? Number.NEGATIVE_INFINITY))) return false
  if (kept.length === 0) return true
  if (reported.length > kept.length || (reported.length < kept.length && !isPaid)) return false
  return pairs(kept.slice(0, starts.length), starts).every(
    ([{ startsAt }, start]) => Math.abs(start - Date.parse(startsAt)) <= halfAMonthMs,
  )
}

/** The schedule of a loan that was paid off at once: nothing is due. */
export const paidOff = (installments: Installment[]): Installment[] =>
  installments.map((each) => (isLive(each) ? { ...each, status: 'DEFERRED' } : each))

/** Whether the rest of a schedule was settled by another payment than its instalments. */
export const isForeclosed = (before: Installment[], after: Installment[]): boolean =>
  isRepaid(after) && after.some(({ status }, i) => status === 'DEFERRED' && before[i]?.status !== 'DEFERRED')
