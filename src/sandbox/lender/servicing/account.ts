// A loan that is being repaid: its plan row by row, what each way of paying costs today, and what is left afterwards.

import type { ServicingLabel } from '#contract/network/v203/order.ts'
import { chargeTitles, type Repayment } from '#contract/network/v203/repayment.ts'
import { interestOn } from '#kit/money/annuity.ts'
import { businessDate } from '#kit/money/calendar.ts'
import type { Fraction } from '#kit/money/irr.ts'
import { divideHalfUp, type Paise } from '#kit/money/money.ts'

export interface PlanRow {
  number: number
  principal: Paise
  interest: Paise
  /** DEFERRED: settled by another payment, or no longer needed. */
  status: 'NOT-PAID' | 'PAID' | 'DELAYED' | 'DEFERRED'
  startsAt: Date
  endsAt: Date
}

/** What a payment settles, in paise; its amount is all four. `number` is the missed instalment. */
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

/** What the lender asks for leaving the plan, and how it counts. */
export interface AccountPolicy {
  rate: Fraction
  unit: 1n | 100n
  instalment: Paise
  /** The rate on prepaid principal; none before `freeUntil`. */
  earlyBps: bigint
  freeUntil: Date
  /** Yearly, on the overdue instalment; and for each returned debit. */
  penalBps: bigint
  bounceCharge: Paise
}

export const amountOf = ({ principal, interest, lateFee, charge }: Dues): Paise =>
  principal + interest + lateFee + charge

export const isLive = ({ status }: PlanRow): boolean => status === 'NOT-PAID' || status === 'DELAYED'
const isOverdue = ({ status }: PlanRow): boolean => status === 'DELAYED'
const isAhead = ({ status }: PlanRow): boolean => status === 'NOT-PAID'
const sum = (rows: PlanRow[], part: 'principal' | 'interest'): Paise => rows.reduce((all, row) => all + row[part], 0n)

/** Instalments whose day has passed were debited by the mandate. */
export const debited = (rows: PlanRow[], at: Date): PlanRow[] =>
  rows.map((row) => (isAhead(row) && row.endsAt < at ? { ...row, status: 'PAID' } : row))

/** Interest for the elapsed days of the current instalment, so that no future day is charged. */
function accrued(rows: PlanRow[], interest: Paise, at: Date, unit: bigint): Paise {
  const running = rows.find(isAhead)
  if (!running) return 0n
  const days = dayOf(at) - dayOf(running.startsAt) + 1n
  const period = dayOf(running.endsAt) - dayOf(running.startsAt) + 1n
  const counted = days < 0n ? 0n : days > period ? period : days
  return divideHalfUp(interest * counted, period * unit) * unit
}

const dayOf = (at: Date): bigint => BigInt(Math.floor(Date.parse(businessDate(at)) / 86_400_000))

/** Charged once per missed instalment: its returned debit, and the yearly penal rate for the days since. Never compounded. */
export function lateFee(row: PlanRow, { penalBps, bounceCharge, unit }: AccountPolicy, at: Date): Paise {
  const days = dayOf(at) - dayOf(row.endsAt)
  const penal =
    days <= 0n ? 0n : divideHalfUp((row.principal + row.interest) * penalBps * days, 3_650_000n * unit) * unit
  return bounceCharge + penal
}

const early = (principal: Paise, { earlyBps, freeUntil, unit }: AccountPolicy, at: Date): Paise =>
  at < freeUntil ? 0n : divideHalfUp(principal * earlyBps, 10_000n * unit) * unit

/** A requested payment; `wanted` is the part to prepay, null for other kinds. */
export interface PaymentRequest {
  label: ServicingLabel
  wanted: Paise | null
}

/** What the payment would be today; null when it is not possible. */
export function duesFor(
  { label, wanted }: PaymentRequest,
  rows: PlanRow[],
  policy: AccountPolicy,
  at: Date,
): Dues | null {
  const late = rows.filter(isOverdue)
  const ahead = rows.filter(isAhead)
  if (label === 'MISSED_EMI_PAYMENT') {
    const [row] = late
    if (!row) return null
    const { principal, interest, number } = row
    return { label, principal, interest, lateFee: lateFee(row, policy, at), charge: 0n, number }
  }
  if (label === 'PRE_PART_PAYMENT') {
    if (wanted === null || late.length > 0 || wanted >= sum(ahead, 'principal')) return null
    return { label, principal: wanted, interest: 0n, lateFee: 0n, charge: early(wanted, policy, at), number: null }
  }
  if (late.length + ahead.length === 0) return null
  return {
    label,
    principal: sum([...late, ...ahead], 'principal'),
    interest: sum(late, 'interest') + accrued(rows, ahead[0]?.interest ?? 0n, at, policy.unit),
    lateFee: late.reduce((all, row) => all + lateFee(row, policy, at), 0n),
    charge: early(sum(ahead, 'principal'), policy, at),
    number: null,
  }
}

/** The plan once the payment was made. */
export function afterPayment(rows: PlanRow[], paid: Dues, policy: AccountPolicy, at: Date): PlanRow[] {
  if (paid.label === 'PRE_PART_PAYMENT') return shortened(rows, paid.principal, policy, at)
  return rows.map((row) =>
    isLive(row) && (paid.label === 'FORECLOSURE' || row.number === paid.number) ? { ...row, status: 'DEFERRED' } : row,
  )
}

/**
 * Keeps the instalment and shortens the term: later rows are recomputed from the rest, and unneeded ones are deferred.
 * Interest on the prepaid part until today is due with the current instalment.
 */
function shortened(rows: PlanRow[], repaid: Paise, policy: AccountPolicy, at: Date): PlanRow[] {
  const { rate, unit, instalment } = policy
  const ahead = rows.filter(isAhead)
  const last = ahead.at(-1)
  let opening = sum(ahead, 'principal') - repaid
  let carried = accrued(rows, interestOn(repaid, rate, unit), at, unit)
  return rows.map((row) => {
    if (!isAhead(row)) return row
    if (opening === 0n) return { ...row, status: 'DEFERRED' }
    const interest = interestOn(opening, rate, unit) + carried
    const regular = instalment - interest
    const principal = row === last || regular > opening ? opening : regular
    opening -= principal
    carried = 0n
    return { ...row, principal, interest }
  })
}

/** What is repaid and what is owed, for the quote. A foreclosure that is open owes interest until today only. */
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

/** One row per title; a late fee belongs to a title of its own, also when a foreclosure settles it. */
function chargesOf(payments: AccountDues[]): Repayment['charges'] {
  const byTitle = new Map<string, Paise>()
  const add = (title: string, amount: Paise) => byTitle.set(title, (byTitle.get(title) ?? 0n) + amount)
  for (const { label, charge, lateFee: fee } of payments) {
    if (fee > 0n) add(chargeTitles.MISSED_EMI_PAYMENT, fee)
    if (label !== 'MISSED_EMI_PAYMENT') add(chargeTitles[label], charge)
  }
  return [...byTitle].map(([title, amount]) => ({ title, amount }))
}
