// The repayment schedule after disbursal: what is unpaid, and which changes of a lender are accepted (FIS12 §12.4.5, §18.1).

import { pairs } from '@lendloom/foundation/lists'
import { businessDate } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import { type Installment, installmentStatus } from '#platform/lending/journey/installment.ts'

const isSettled = ({ status }: Installment): boolean => status === 'PAID' || status === 'DEFERRED'

export const isUnpaid = (installment: Installment): boolean => !isSettled(installment)

/** The sum of the unpaid instalments, in paise. */
export const unpaidSum = (installments: Installment[]): Paise =>
  installments.filter(isUnpaid).reduce((sum, { amount }) => sum + BigInt(amount), 0n)

/**
 * The interest that a part payment of `prepaid` paise saves, by the schedules before and after it; null if the schedule
 * did not become shorter, so that the lender may still send it. An instalment that was paid meanwhile saves nothing.
 */
export function interestSaved(before: Installment[], after: Installment[], prepaid: Paise): Paise | null {
  const paid = new Set(after.filter(({ status }) => status === 'PAID').map(({ serialNumber }) => serialNumber))
  const stillDue = before.filter(({ serialNumber }) => !paid.has(serialNumber))
  const saved = unpaidSum(stillDue) - unpaidSum(after) - prepaid
  return saved > 0n ? saved : null
}

/** Returns the overdue instalments. An unpaid instalment is overdue from the day after its due date in India. */
export const overdueInstalments = (installments: Installment[], at: Date): Installment[] =>
  installments.filter((each) => {
    const status = installmentStatus(each, at)
    return status === 'OVERDUE' || (status === 'DUE' && businessDate(new Date(each.dueAt)) < businessDate(at))
  })

/** The oldest overdue instalment, or else the next unpaid one. */
export const oldestUnpaid = (installments: Installment[], at: Date): Installment | undefined =>
  overdueInstalments(installments, at)[0] ?? installments.find(isUnpaid)

/** Whether no instalment is left to pay. */
export const isRepaid = (installments: Installment[]): boolean =>
  installments.length > 0 && installments.every(isSettled)

/**
 * Returns the accepted schedule while a requested payment is not PAID. An instalment may become DELAYED, or PAID unless
 * it is DEFERRED. No other change is accepted (FIS12 §12.4.5).
 */
export function scheduleBeforePayment(stored: Installment[], reported: Installment[]): Installment[] {
  const statuses = new Map(reported.map((each) => [each.serialNumber, each.status]))
  return stored.map((each) => {
    const status = statuses.get(each.serialNumber)
    const isAccepted = status === 'DELAYED' || (status === 'PAID' && each.status !== 'DEFERRED')
    return isAccepted ? { ...each, status } : each
  })
}

/**
 * Returns the accepted part of a reported schedule: the whole schedule if it is plausible, otherwise only the status of
 * each instalment, by position. `isPaid`: the lender also reports a payment, which may remove instalments.
 */
export function acceptedSchedule(stored: Installment[], reported: Installment[], isPaid: boolean): Installment[] {
  if (isPlausible(stored, reported, isPaid)) return reported
  return stored.map((each, i) => (reported[i] ? { ...each, status: reported[i].status } : each))
}

/** By how much the start of an instalment may differ from the stored start: half a month. */
const maxShiftMs = 16 * 86_400_000

/** Whether the dates fit the loan. Some lenders send the same month for every instalment, or a wrong year. */
export function isPlausible(stored: Installment[], reported: Installment[], isPaid: boolean): boolean {
  const starts = reported.map(({ startsAt }) => Date.parse(startsAt))
  if (starts.some((start, i) => start <= (starts[i - 1] ?? Number.NEGATIVE_INFINITY))) return false
  if (stored.length === 0) return true
  if (reported.length > stored.length || (reported.length < stored.length && !isPaid)) return false
  return pairs(stored.slice(0, starts.length), starts).every(
    ([{ startsAt }, start]) => Math.abs(start - Date.parse(startsAt)) <= maxShiftMs,
  )
}

/** Returns the schedule of a foreclosed loan, in which every unpaid instalment is DEFERRED. */
export const deferUnpaid = (installments: Installment[]): Installment[] =>
  installments.map((each) => (isUnpaid(each) ? { ...each, status: 'DEFERRED' } : each))

/** Whether the loan is repaid because the lender deferred its remaining instalments, as after a foreclosure. */
export const isForeclosed = (before: Installment[], after: Installment[]): boolean =>
  isRepaid(after) && after.some(({ status }, i) => status === 'DEFERRED' && before[i]?.status !== 'DEFERRED')
