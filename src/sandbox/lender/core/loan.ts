// The price of a loan: instalments, interest, fees, what the borrower receives, and the APR that follows from them.

import { monthlyRate, type Row, regularInstalment, schedule, totalInterest } from '#kit/money/annuity.ts'
import { aprPercent, monthsInYear } from '#kit/money/irr.ts'
import { divideHalfUp, type Paise, toWholeRupees } from '#kit/money/money.ts'
import { required } from '#kit/runtime/required.ts'
import type { Policy } from './policy.ts'

export interface LoanRequest {
  principal: Paise
  months: number
  annualBps: bigint
}

export interface Loan extends LoanRequest {
  instalment: Paise
  rows: Row[]
  interest: Paise
  /** Before and after tax. */
  fee: Paise
  feeTax: Paise
  processingFee: Paise
  stampDuty: Paise
  netDisbursed: Paise
  /** Fees and their tax included. */
  aprPercent: string
}

const gstBps = 1800n

/** One loan in whole rupees. The APR is found on the instalments that will really be paid. */
export function loanOf({ fee: price, stampDuty }: Pick<Policy, 'fee' | 'stampDuty'>, request: LoanRequest): Loan {
  const plan = {
    principal: request.principal,
    rate: monthlyRate(request.annualBps),
    instalments: request.months,
    unit: 100n,
  } as const
  const rows = schedule(plan)
  const fee = clamp(toWholeRupees(share(request.principal, price.bps)), price.least, price.most)
  const feeTax = toWholeRupees(share(fee, gstBps))
  const netDisbursed = request.principal - fee - feeTax - stampDuty
  return {
    ...request,
    instalment: regularInstalment(plan),
    rows,
    interest: totalInterest(rows),
    fee,
    feeTax,
    processingFee: fee + feeTax,
    stampDuty,
    netDisbursed,
    aprPercent: aprPercent(
      netDisbursed,
      rows.map((row) => row.amount),
      monthsInYear,
    ),
  }
}

/** The last instalment, which makes up for what rounding left over. */
export const lastAmountOf = ({ rows }: Loan): Paise => required(rows.at(-1), 'instalment of the loan').amount

/** A share given in hundredths of a percent. */
export const share = (amount: Paise, bps: bigint): Paise => divideHalfUp(amount * bps, 10_000n)

const clamp = (amount: Paise, least: Paise, most: Paise): Paise =>
  amount < least ? least : amount > most ? most : amount

/** The same day of a later month; the 31st becomes the month's last day where there is none. */
export function monthsLater(day: string, months: number): string {
  const [year, month, date] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8, 10))] as const
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0))
  last.setUTCDate(Math.min(date, last.getUTCDate()))
  return last.toISOString().slice(0, 10)
}

/** Instalment `number` runs from the day after the one before until its due day, both as days in India. */
export function instalmentRange(agreedOn: string, number: number): { start: Date; end: Date } {
  const midnightAfter = (day: string) => new Date(`${day}T18:30:00.000Z`).getTime()
  return {
    start: new Date(midnightAfter(monthsLater(agreedOn, number - 1))),
    end: new Date(midnightAfter(monthsLater(agreedOn, number)) - 1),
  }
}
