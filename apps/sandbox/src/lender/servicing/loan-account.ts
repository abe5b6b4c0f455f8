// A loan in repayment: its plan, the dues of each kind of payment, and the plan after a payment.

import type { Fraction } from '@lendloom/lending/annual-rate'
import { interestOn } from '@lendloom/lending/annuity'
import { businessDate } from '@lendloom/lending/calendar'
import { divideHalfUp, type Paise } from '@lendloom/lending/money'
import type { Repayment } from '@lendloom/wire/network/v203/offer-terms'
import { chargeTitles } from '@lendloom/wire/network/v203/offer-terms'
import type { ServicingLabel } from '@lendloom/wire/network/v203/payments'

export interface PlanRow {
  number: number
  principal: Paise
  interest: Paise
  /** DEFERRED: covered by another payment, or no longer needed. */
  status: 'NOT-PAID' | 'PAID' | 'DELAYED' | 'DEFERRED'
  startsAt: Date
  endsAt: Date
}

/** The parts of a payment; its amount is their sum. `number` is that of a missed instalment. */
export interface Dues {
  label: ServicingLabel
  principal: Paise
  interest: Paise
  lateFee: Paise
  charge: Paise
  number: number | null
}

export interface AccountDues extends Dues {
  status: 'OPEN' | 'PAID' | 'DROPPED'
}

/** Rate, charges and rounding: amounts are multiples of `unit` paise. */
export interface AccountPolicy {
  rate: Fraction
  unit: 1n | 100n
  instalment: Paise
  /** The charge on prepaid principal, in hundredths of a percent; no charge before `freeUntil`. */
  prepaymentBps: bigint
  freeUntil: Date
  /** Penal rate per year on the overdue instalment, in hundredths of a percent. */
  penalBps: bigint
  bounceCharge: Paise
}

/** The amount of a payment. */
export const amountOf = ({ principal, interest, lateFee, charge }: Dues): Paise =>
  principal + interest + lateFee + charge

/** Whether an instalment is still to be paid. */
export const isLive = ({ status }: PlanRow): boolean => status === 'NOT-PAID' || status === 'DELAYED'
const isOverdue = ({ status }: PlanRow): boolean => status === 'DELAYED'
const isFuture = ({ status }: PlanRow): boolean => status === 'NOT-PAID'
const sum = (rows: PlanRow[], part: 'principal' | 'interest'): Paise => rows.reduce((all, row) => all + row[part], 0n)

/** Marks instalments as PAID when their due day has passed: the mandate debited them. */
export const withDebits = (rows: PlanRow[], at: Date): PlanRow[] =>
  rows.map((row) => (isFuture(row) && row.endsAt < at ? { ...row, status: 'PAID' } : row))

/** Interest for the elapsed days of the current instalment. */
function accruedInterest(rows: PlanRow[], interest: Paise, at: Date, unit: bigint): Paise {
  const current = rows.find(isFuture)
  if (!current) return 0n
  const days = dayOf(at) - dayOf(current.startsAt) + 1n
  const period = dayOf(current.endsAt) - dayOf(current.startsAt) + 1n
  const elapsed = days < 0n ? 0n : days > period ? period : days
  return divideHalfUp(interest * elapsed, period * unit) * unit
}

/** The number of a day in India since 1970. */
const dayOf = (at: Date): bigint => BigInt(Math.floor(Date.parse(businessDate(at)) / 86_400_000))

/** The late fee of a missed instalment: bounce charge plus penal interest for the days overdue, not compounded. */
export function lateFee(row: PlanRow, { penalBps, bounceCharge, unit }: AccountPolicy, at: Date): Paise {
  const days = dayOf(at) - dayOf(row.endsAt)
  const penal =
    days <= 0n ? 0n : divideHalfUp((row.principal + row.interest) * penalBps * days, 3_650_000n * unit) * unit
  return bounceCharge + penal
}

/** The charge on principal that is paid early. */
const prepaymentCharge = (principal: Paise, { prepaymentBps, freeUntil, unit }: AccountPolicy, at: Date): Paise =>
  at < freeUntil ? 0n : divideHalfUp(principal * prepaymentBps, 10_000n * unit) * unit

/** A requested payment; `prepayAmount` is null except for a part payment. */
export interface PaymentRequest {
  label: ServicingLabel
  prepayAmount: Paise | null
}

/** The dues of the payment today; null when the payment is not possible. */
export function duesFor(
  { label, prepayAmount }: PaymentRequest,
  rows: PlanRow[],
  policy: AccountPolicy,
  at: Date,
): Dues | null {
  const overdue = rows.filter(isOverdue)
  const future = rows.filter(isFuture)
  if (label === 'MISSED_EMI_PAYMENT') {
    const [row] = overdue
    if (!row) return null
    const { principal, interest, number } = row
    return { label, principal, interest, lateFee: lateFee(row, policy, at), charge: 0n, number }
  }
  if (label === 'PRE_PART_PAYMENT') {
    if (prepayAmount === null || overdue.length > 0 || prepayAmount >= sum(future, 'principal')) return null
    return {
      label,
      principal: prepayAmount,
      interest: 0n,
      lateFee: 0n,
      charge: prepaymentCharge(prepayAmount, policy, at),
      number: null,
    }
  }
  if (overdue.length + future.length === 0) return null
  return {
    label,
    principal: sum([...overdue, ...future], 'principal'),
    interest: sum(overdue, 'interest') + accruedInterest(rows, future[0]?.interest ?? 0n, at, policy.unit),
    lateFee: overdue.reduce((all, row) => all + lateFee(row, policy, at), 0n),
    charge: prepaymentCharge(sum(future, 'principal'), policy, at),
    number: null,
  }
}

/** The plan after a payment. */
export function afterPayment(rows: PlanRow[], payment: Dues, policy: AccountPolicy, at: Date): PlanRow[] {
  if (payment.label === 'PRE_PART_PAYMENT') return shortenTerm(rows, payment.principal, policy, at)
  return rows.map((row) =>
    isLive(row) && (payment.label === 'FORECLOSURE' || row.number === payment.number)
      ? { ...row, status: 'DEFERRED' }
      : row,
  )
}

/**
 * Keeps the instalment and shortens the term: recomputes the future rows from the remaining principal and defers those
 * that are no longer needed. The current instalment includes the interest on the prepaid part until today.
 */
function shortenTerm(rows: PlanRow[], prepaid: Paise, policy: AccountPolicy, at: Date): PlanRow[] {
  const { rate, unit, instalment } = policy
  const future = rows.filter(isFuture)
  const lastRow = future.at(-1)
  let opening = sum(future, 'principal') - prepaid
  let carriedInterest = accruedInterest(rows, interestOn(prepaid, rate, unit), at, unit)
  return rows.map((row) => {
    if (!isFuture(row)) return row
    if (opening === 0n) return { ...row, status: 'DEFERRED' }
    const interest = interestOn(opening, rate, unit) + carriedInterest
    const regular = instalment - interest
    const principal = row === lastRow || regular > opening ? opening : regular
    opening -= principal
    carriedInterest = 0n
    return { ...row, principal, interest }
  })
}

/** Repaid and outstanding amounts, for the quote. With an open foreclosure, interest is due only until today. */
export function repaymentOf(rows: PlanRow[], payments: AccountDues[]): Repayment {
  const paid = payments.filter(({ status }) => status === 'PAID')
  const open = payments.filter(({ status }) => status === 'OPEN')
  const debits = rows.filter(({ status }) => status === 'PAID')
  const live = rows.filter(isLive)
  const foreclosure = open.find(({ label }) => label === 'FORECLOSURE')
  return {
    repaidPrincipal: paid.reduce((all, { principal }) => all + principal, sum(debits, 'principal')),
    repaidInterest: paid.reduce((all, { interest }) => all + interest, sum(debits, 'interest')),
    outstandingPrincipal: sum(live, 'principal'),
    outstandingInterest: foreclosure?.interest ?? sum(live, 'interest'),
    charges: chargesOf([...paid, ...open]),
  }
}

/** Charges summed by title. Late fees are listed separately, even if a foreclosure settles them. */
function chargesOf(payments: AccountDues[]): Repayment['charges'] {
  const byTitle = new Map<string, Paise>()
  const add = (title: string, amount: Paise) => byTitle.set(title, (byTitle.get(title) ?? 0n) + amount)
  for (const { label, charge, lateFee: fee } of payments) {
    if (fee > 0n) add(chargeTitles.MISSED_EMI_PAYMENT, fee)
    if (label !== 'MISSED_EMI_PAYMENT') add(chargeTitles[label], charge)
  }
  return [...byTitle].map(([title, amount]) => ({ title, amount }))
}
