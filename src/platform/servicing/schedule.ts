// Pure rules for accepting a lender's repayment schedule of a disbursed loan (FIS12 §12.4.5, §18.1).
import { pairs } from '#kit/runtime/record.ts'
import type { Installment } from '#platform/journey/journey.ts'

const isSettled = ({ status }: Installment): boolean => status === 'PAID' || status === 'DEFERRED'

/** Whether the instalment is still to be paid. */
export const isUnpaid = (installment: Installment): boolean => !isSettled(installment)

/** Whether every instalment is settled. */
export const isRepaid = (installments: Installment[]): boolean =>
  installments.length > 0 && installments.every(isSettled)

/**
 * The accepted schedule while a payment is requested: an instalment may become DELAYED, or PAID unless it is DEFERRED,
 * but nothing else changes before the payment is PAID (FIS12 §12.4.5).
 */
export function scheduleBeforePayment(stored: Installment[], reported: Installment[]): Installment[] {
  const statuses = new Map(reported.map((each) => [each.serialNumber, each.status]))
  return stored.map((each) => {
    const status = statuses.get(each.serialNumber)
    const isAllowed = status === 'DELAYED' || (status === 'PAID' && each.status !== 'DEFERRED')
    return isAllowed ? { ...each, status } : each
  })
}

/**
 * The accepted part of a reported schedule: all of it if plausible for this loan, otherwise only the status of each
 * instalment, by position. `isPaid`: the lender reports a payment too, after which there may be fewer instalments.
 */
export function acceptedSchedule(stored: Installment[], reported: Installment[], isPaid: boolean): Installment[] {
  if (isPlausible(stored, reported, isPaid)) return reported
  return stored.map((each, i) => (reported[i] ? { ...each, status: reported[i].status } : each))
}

const halfAMonthMs = 16 * 86_400_000

/** Whether the dates fit the loan. Some lenders repeat one month for every instalment, or send another year. */
export function isPlausible(stored: Installment[], reported: Installment[], isPaid: boolean): boolean {
  const starts = reported.map(({ startsAt }) => Date.parse(startsAt))
  if (starts.some((start, i) => start <= (starts[i - 1] ?? Number.NEGATIVE_INFINITY))) return false
  if (stored.length === 0) return true
  if (reported.length > stored.length || (reported.length < stored.length && !isPaid)) return false
  return pairs(stored.slice(0, starts.length), starts).every(
    ([{ startsAt }, start]) => Math.abs(start - Date.parse(startsAt)) <= halfAMonthMs,
  )
}

/** The schedule of a foreclosed loan, in which nothing is due. */
export const deferUnpaid = (installments: Installment[]): Installment[] =>
  installments.map((each) => (isUnpaid(each) ? { ...each, status: 'DEFERRED' } : each))

/** Whether the remaining instalments were settled at once instead of one by one. */
export const isForeclosed = (before: Installment[], after: Installment[]): boolean =>
  isRepaid(after) && after.some(({ status }, i) => status === 'DEFERRED' && before[i]?.status !== 'DEFERRED')
