// The borrower's transfers in the lender's snapshot, and those that cancel the loan.

import { businessDate } from '@lendloom/lending/calendar'
import { checkedPaise, type Paise } from '@lendloom/lending/money'
import { type AmortizationSchedule, type PaymentStatusReport, reversalsIn } from '@lendloom/wire/exchange/account'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import type { PaidSum } from '#platform/lending/offer/cooling-off-exit.ts'

/** The business day of a payment; without a value date, that of the lender's last change. */
export const dayOf = ({ value_date, updated_at }: PaymentStatusReport): string =>
  value_date ?? businessDate(new Date(updated_at))

const lastDayIn = (payments: PaymentStatusReport[]): string | undefined => payments.map(dayOf).sort().at(-1)

export function paymentsIn(snapshot: SnapshotStatus | null): PaymentStatusReport[] {
  const payments = snapshot?.payments ?? []
  const reversals = reversalsIn(payments)
  return payments
    .filter(({ reversal_of_payment_id }) => reversal_of_payment_id === null)
    .map((each) => {
      const reversal = reversals.get(each.payment_id)
      return reversal ? { ...each, status: 'REVERSED', reason_code: reversal.reason_code } : each
    })
}

export const isReversedDebit = (payment: PaymentStatusReport): boolean =>
  payment.status === 'REVERSED' && !isTransfer(payment)

const isTransfer = ({ collection_id, mandate_reference }: PaymentStatusReport): boolean =>
  collection_id === null && mandate_reference === null

const withStatus = (snapshot: SnapshotStatus | null, status: PaymentStatusReport['status']): PaymentStatusReport[] =>
  paymentsIn(snapshot).filter((each) => each.status === status)

export const transfersIn = (
  snapshot: SnapshotStatus | null,
  status: PaymentStatusReport['status'] = 'POSTED',
): PaymentStatusReport[] => withStatus(snapshot, status).filter(isTransfer)

export const mayStillArrive = ({ status }: PaymentStatusReport): boolean =>
  status === 'PENDING_VERIFICATION' || status === 'SUBMITTED' || status === 'PROCESSING'

export const instalmentIn = (
  snapshot: SnapshotStatus | null,
  serialNumber: number | null,
): AmortizationSchedule['installments'][number] | undefined =>
  snapshot?.amortization_schedule?.installments.find((each) => each.installment_number === serialNumber)

function unpaidIn(snapshot: SnapshotStatus | null, serialNumber: number | null): Paise | null {
  const row = instalmentIn(snapshot, serialNumber)
  return row ? checkedPaise(row.unpaid_amount) : null
}

const overdueIn = (snapshot: SnapshotStatus | null): Paise => checkedPaise(snapshot?.soa?.total_overdue ?? '0.00')

/** What is overdue or due today after a failed debit; while a payment is under way, the rest of the instalment. */
export function missedSumIn(snapshot: SnapshotStatus | null, serialNumber: number | null): Paise | null {
  return isMissedWhole(snapshot) ? overdueIn(snapshot) + missedRowsIn(snapshot).today : unpaidIn(snapshot, serialNumber)
}

const isMissedWhole = (snapshot: SnapshotStatus | null): boolean =>
  overdueIn(snapshot) > 0n && !paymentsIn(snapshot).some(mayStillArrive)

function missedRowsIn(snapshot: SnapshotStatus | null) {
  const rows = snapshot?.amortization_schedule?.installments ?? []
  const unpaidOf = (missed: typeof rows) => missed.reduce((sum, row) => sum + checkedPaise(row.unpaid_amount), 0n)
  return {
    late: unpaidOf(rows.filter(({ status }) => status === 'OVERDUE')),
    today: unpaidOf(rows.filter((row) => row.status === 'DUE' && failedDebitOf(snapshot, row.installment_number))),
  }
}

/** The instalments in `missedSumIn`, where they and the penal charges make the lender's sum and more than one part. */
export function missedPartsIn(snapshot: SnapshotStatus | null): { late: Paise; today: Paise } | null {
  const { late, today } = missedRowsIn(snapshot)
  const penal = checkedPaise(snapshot?.soa?.penalty_outstanding ?? '0.00')
  const isExact = isMissedWhole(snapshot) && late + penal === overdueIn(snapshot)
  return isExact && penal + today > 0n ? { late, today } : null
}

function paymentsOf(snapshot: SnapshotStatus | null, serialNumber: number): PaymentStatusReport[] {
  const row = instalmentIn(snapshot, serialNumber)
  return row ? paymentsIn(snapshot).filter((each) => each.installment_ids.includes(row.installment_id)) : []
}

export const isUnderWay = (snapshot: SnapshotStatus | null, serialNumber: number): boolean =>
  paymentsOf(snapshot, serialNumber).some(mayStillArrive)

/** The newest failed or reversed debit of an instalment; undefined while another payment is under way. */
export function failedDebitOf(snapshot: SnapshotStatus | null, serialNumber: number): PaymentStatusReport | undefined {
  if (isUnderWay(snapshot, serialNumber)) return undefined
  const [newest] = paymentsOf(snapshot, serialNumber)
    .filter((each) => (each.status === 'FAILED' && each.claim_reference === null) || isReversedDebit(each))
    .sort((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at))
  return newest
}

/** A bank reference and a value date prove that the money has arrived. */
export const heldTransfers = (snapshot: SnapshotStatus | null): PaymentStatusReport[] =>
  transfersIn(snapshot, 'PENDING_VERIFICATION').filter(
    (each) => each.bank_reference !== null && each.value_date !== null,
  )

/** Sums of transfers that end the loan; null if they do not reach the price of the exit. */
export interface ExitTransfers {
  /** Transfers that the lender still verifies. */
  held: Paise | null
  /** Transfers that the lender has posted as repayments. */
  booked: Paise | null
}

const paidBy = (payments: PaymentStatusReport[]): PaidSum => ({
  sum: sumOf(payments),
  lastDay: lastDayIn(payments) ?? null,
  payments: payments.map((each) => ({ day: dayOf(each), paise: checkedPaise(each.amount) })),
})

export const postedIn = (snapshot: SnapshotStatus | null): PaidSum => paidBy(withStatus(snapshot, 'POSTED'))

/** What the borrower has paid towards an exit until a day, with transfers that the lender holds. */
export const paidSum = (snapshot: SnapshotStatus | null, until?: string): PaidSum =>
  paidBy(
    [...withStatus(snapshot, 'POSTED'), ...heldTransfers(snapshot)].filter(
      (each) => until === undefined || dayOf(each) <= until,
    ),
  )

/** Transfers that the lender received after a day, in a snapshot that is newer than the day. */
export function transfersAfter(snapshot: SnapshotStatus | null, day: string): PaymentStatusReport[] {
  if (!snapshot || businessDate(new Date(snapshot.snapshot_at)) <= day) return []
  return [...heldTransfers(snapshot), ...transfersIn(snapshot)].filter((each) => dayOf(each) > day)
}

/** The sum of `transfersAfter`, and the day of the last one; null without one. */
export function paidAfter(snapshot: SnapshotStatus | null, day: string): { sum: Paise; on: string } | null {
  const late = transfersAfter(snapshot, day)
  const on = lastDayIn(late)
  return on === undefined ? null : { sum: sumOf(late), on }
}

/**
 * Sums of transfers that end the loan, because all payments until one of their days reach the price of that day: held
 * ones together with what was posted before, otherwise the posted ones. `priceOn` gets the day and what was paid before
 * it, and returns no price for a day without an exit.
 */
export function transfersForExit(
  snapshot: SnapshotStatus | null,
  priceOn: (day: string, paidBefore: PaidSum) => Paise | null | undefined,
): ExitTransfers {
  const posted = withStatus(snapshot, 'POSTED')
  const sumIfEnough = (transfers: PaymentStatusReport[], all: PaymentStatusReport[]) => {
    const isReachedOn = (day: string) => {
      const price = priceOn(day, paidBy(all.filter((each) => dayOf(each) < day)))
      return price != null && sumOf(all.filter((each) => dayOf(each) <= day)) >= price
    }
    return transfers.map(dayOf).some(isReachedOn) ? sumOf(transfers) : null
  }
  const held = heldTransfers(snapshot)
  const heldSum = sumIfEnough(held, [...held, ...posted])
  return { held: heldSum, booked: heldSum === null ? sumIfEnough(transfersIn(snapshot), posted) : null }
}

const sumOf = (payments: PaymentStatusReport[]): Paise =>
  payments.reduce((total, { amount }) => total + checkedPaise(amount), 0n)

/** A loan may be paid before the borrower asks in writing to cancel it: the last transfer always counts. */
export function exitTransfers(snapshot: SnapshotStatus | null, requestedOn: string | null): PaymentStatusReport[] {
  const posted = transfersIn(snapshot)
  const lastDay = lastDayIn(posted) ?? ''
  const since = requestedOn !== null && requestedOn < lastDay ? requestedOn : lastDay
  return posted.filter((each) => dayOf(each) >= since)
}
