// A lender's decision on an applicant (an affordable offer or a refusal), the price of a loan, and the months of its
// instalments.

import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import type { FieldError } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { aprPercent, monthsInYear } from '@lendloom/lending/annual-rate'
import {
  type AnnuityPeriod,
  affordablePrincipal,
  monthlyRate,
  regularInstalment,
  schedule,
  totalInterest,
} from '@lendloom/lending/annuity'
import { plusMonths, yearsBetween } from '@lendloom/lending/calendar'
import { divideHalfUp, type Paise, toWholeRupees } from '@lendloom/lending/money'
import type { FaultScenario } from '@lendloom/wire/sandbox/fault-rules'
import type { Employment, LenderPolicy } from './lender-policies.ts'

/** What the application form says about an applicant. */
export interface LoanApplicant {
  name: string
  /** `YYYY-MM-DD` */
  bornOn: string
  gender: string
  pan: string
  mobile: string
  /** The handle at the account aggregator, if the applicant gave one. */
  aaId: string | null
  email: string | null
  /** Optional for gold loans. */
  employment: Employment | null
  monthlyIncome: Paise | null
  company: string | null
  address: string | null
  city: string | null
  state: string | null
  pincode: string | null
  endUse: string
  bureauConsent: boolean
}

export type CreditDecision = { offer: LoanRequest } | { refusal: Denial }

/** A business refusal in the network's words: a lending code of FIS12 §3.4 and a plain sentence. */
export interface Denial {
  code: string
  message: string
}

/** Decides on the day `on` (in India). Offers the largest affordable principal over the longest tenure for the age. */
export function decide(policy: LenderPolicy, applicant: LoanApplicant, on: string): CreditDecision {
  const { amounts } = policy
  const { employment, monthlyIncome } = applicant
  if (employment === null || !policy.employment.includes(employment))
    return denialOf('80228', 'this lender serves salaried borrowers')
  const eligible = eligibility(policy, applicant, on)
  if ('refusal' in eligible) return eligible
  if (monthlyIncome === null || monthlyIncome < policy.minMonthlyIncome)
    return denialOf('80228', 'the income is below the minimum')
  const { months } = eligible
  const annualBps = rateFor(policy, monthlyIncome)
  const headroom = share(monthlyIncome, policy.instalmentShareBps)
  const affordable = affordablePrincipal(headroom, monthlyRate(annualBps), months)
  let principal = stepDown(affordable, amounts.step)
  if (principal > amounts.to) principal = amounts.to
  if (principal < amounts.from) return denialOf('80227', 'the income is too low for the smallest loan')
  return { offer: { principal, months, annualBps } }
}

/** Checks consent, age and PIN code, for every product. Returns the longest tenure for the age. */
export function eligibility(
  policy: LenderPolicy,
  applicant: LoanApplicant,
  on: string,
): { months: number } | { refusal: Denial } {
  const { ages, tenuresMonths } = policy
  const age = yearsBetween(applicant.bornOn, on)
  if (!applicant.bureauConsent) return denialOf('80229', 'the credit report may not be read without consent')
  if (age < ages.from) return denialOf('80228', `borrowers must be at least ${ages.from} years old`)
  if (policy.unservedPincodes.some((prefix) => applicant.pincode?.startsWith(prefix)))
    return denialOf('80225', 'this PIN code is not served')
  const months = tenuresMonths.filter((tenure) => age + Math.ceil(tenure / 12) <= ages.until).at(-1)
  return months === undefined ? denialOf('80228', `loans must be repaid before the age of ${ages.until}`) : { months }
}

/** A refusal with its code and sentence. */
export const denialOf = (code: string, message: string): { refusal: Denial } => ({ refusal: { code, message } })

/** The yearly rate for an income, in hundredths of a percent. */
export const rateFor = ({ rates }: Pick<LenderPolicy, 'rates'>, income: Paise): bigint =>
  (rates.findLast(({ fromIncome }) => income >= fromIncome) ?? rates[0]).annualBps

/** Rounds an amount down to the lender's step. */
export const stepDown = (amount: Paise, step: Paise): Paise => (amount / step) * step

/**
 * Faults of the borrower's choice within an offer, by form field. Valid are whole rupees from the lender's minimum to
 * the offered principal, and whole months from its shortest tenure to the offered one.
 */
export function choiceFaults(
  policy: LenderPolicy,
  offered: LoanRequest,
  principal: Paise,
  months: number,
): FieldError[] {
  const { from } = policy.amounts
  const [shortest] = policy.tenuresMonths
  const errors: FieldError[] = []
  if (principal < from || principal > offered.principal || principal % 100n !== 0n)
    errors.push({
      path: 'requestAmount',
      message: `must be whole rupees from ${from / 100n} to ${offered.principal / 100n}`,
    })
  if (!Number.isInteger(months) || months < shortest || months > offered.months)
    errors.push({ path: 'requestTerm', message: `must be whole months from ${shortest} to ${offered.months}` })
  return errors
}

/** The refusal with which a fault rule replaces the offer. */
export function denialFor(scenario: FaultScenario | null): Denial | null {
  if (scenario === 'no-offer') return { code: '80226', message: 'the credit score is below the minimum' }
  return scenario === 'error-offer' ? { code: '80203', message: 'no offer could be made' } : null
}

/** How long an offer is valid: as a duration for the message, and its end. */
export const validityOf = ({ offerDays }: LenderPolicy, scenario: FaultScenario | null, at: Date) =>
  scenario === 'short-offer'
    ? { offerTtl: `PT${shortOfferSeconds}S`, lapsesAt: secondsAfter(at, shortOfferSeconds) }
    : { offerTtl: `P${offerDays}D`, lapsesAt: daysAfter(at, offerDays) }

/** The validity under the fault rule `short-offer`, so that an offer lapses while one watches. */
const shortOfferSeconds = 20

/** The amount, term and rate that are offered or chosen. */
export interface LoanRequest {
  principal: Paise
  months: number
  annualBps: bigint
}

/** A priced loan. */
export interface Loan extends LoanRequest {
  instalment: Paise
  rows: AnnuityPeriod[]
  interest: Paise
  fee: Paise
  feeTax: Paise
  processingFee: Paise
  stampDuty: Paise
  netDisbursed: Paise
  /** Includes fees and their tax. */
  aprPercent: string
}

/** The goods and services tax on fees: 18 %. */
const gstBps = 1800n

/** Prices a loan in whole rupees. The APR is computed from the rounded instalments. */
export function loanOf(
  { fee: feePolicy, stampDuty, repaysAtEnd }: Pick<LenderPolicy, 'fee' | 'stampDuty' | 'repaysAtEnd'>,
  request: LoanRequest,
): Loan {
  const { rows, instalment } = repaysAtEnd ? oneRepayment(request) : regularPlan(request)
  const fee = clamp(toWholeRupees(share(request.principal, feePolicy.bps)), feePolicy.minimum, feePolicy.maximum)
  const feeTax = toWholeRupees(share(fee, gstBps))
  const netDisbursed = request.principal - fee - feeTax - stampDuty
  return {
    ...request,
    instalment,
    rows,
    interest: totalInterest(rows),
    fee,
    feeTax,
    processingFee: fee + feeTax,
    stampDuty,
    netDisbursed,
    aprPercent: aprPercent(netDisbursed, amountsByMonth(rows, request.months), monthsInYear),
  }
}

type RepaymentPlan = Pick<Loan, 'rows' | 'instalment'>

function regularPlan({ principal, annualBps, months }: LoanRequest): RepaymentPlan {
  const plan = { principal, rate: monthlyRate(annualBps), instalments: months, unit: 100n } as const
  return { rows: schedule(plan), instalment: regularInstalment(plan) }
}

/** Principal and simple interest for the whole term, due with its last month. */
function oneRepayment({ principal, annualBps, months }: LoanRequest): RepaymentPlan {
  const interest = toWholeRupees(divideHalfUp(principal * annualBps * BigInt(months), 120_000n))
  const amount = principal + interest
  return {
    rows: [{ number: months, opening: principal, interest, principal, amount, closing: 0n }],
    instalment: amount,
  }
}

/** What is repaid in each month of the term. */
const amountsByMonth = (rows: AnnuityPeriod[], months: number): Paise[] =>
  Array.from({ length: months }, (_, i) => rows.find(({ number }) => number === i + 1)?.amount ?? 0n)

/** The last instalment, which absorbs rounding differences. */
export const lastAmountOf = ({ rows }: Loan): Paise => required(rows.at(-1), 'instalment of the loan').amount

/** A share of an amount; `bps` is in hundredths of a percent. */
export const share = (amount: Paise, bps: bigint): Paise => divideHalfUp(amount * bps, 10_000n)

function clamp(amount: Paise, minimum: Paise, maximum: Paise): Paise {
  if (amount < minimum) return minimum
  return amount > maximum ? maximum : amount
}

/** Instalment `number` runs from the day after the previous due day through its own due day, in India's time. */
export function instalmentRange(agreedOn: string, number: number): { start: Date; end: Date } {
  // Midnight in India, which is 5:30 hours ahead of UTC.
  const midnightAfter = (day: string) => new Date(`${day}T18:30:00.000Z`).getTime()
  return {
    start: new Date(midnightAfter(plusMonths(agreedOn, number - 1))),
    end: new Date(midnightAfter(plusMonths(agreedOn, number)) - 1),
  }
}
