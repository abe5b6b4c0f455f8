// A lender's honest decision on an applicant: an offer that the income carries, or the reason why there is none.
import type { FaultScenario } from '#contract/sandbox/fault-rules.ts'
import type { FieldError } from '#kit/http/refusal.ts'
import {
  type AnnuityPeriod,
  affordablePrincipal,
  monthlyRate,
  regularInstalment,
  schedule,
  totalInterest,
} from '#kit/money/annuity.ts'
import { yearsBetween } from '#kit/money/calendar.ts'
import { aprPercent, monthsInYear } from '#kit/money/irr.ts'
import { divideHalfUp, type Paise, toWholeRupees } from '#kit/money/money.ts'
import { daysAfter, secondsAfter } from '#kit/runtime/clock.ts'
import { required } from '#kit/runtime/record.ts'
import type { Employment, LenderPolicy } from './policy.ts'

export interface LoanApplicant {
  name: string
  /** `YYYY-MM-DD` */
  bornOn: string
  gender: string
  pan: string
  mobile: string
  /** The handle at the account aggregator, where one was given. */
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

/** Decides on the day `on` (in India). The offer is the largest principal, over the longest tenure that age allows. */
export function decide(policy: LenderPolicy, applicant: LoanApplicant, on: string): CreditDecision {
  const { amounts } = policy
  const { employment, monthlyIncome } = applicant
  if (employment === null || !policy.employment.includes(employment))
    return denied('80228', 'this lender serves salaried borrowers')
  const entry = entryOf(policy, applicant, on)
  if ('refusal' in entry) return entry
  if (monthlyIncome === null || monthlyIncome < policy.minMonthlyIncome)
    return denied('80228', 'the income is below the minimum')
  const { months } = entry
  const annualBps = rateFor(policy, monthlyIncome)
  const headroom = share(monthlyIncome, policy.instalmentShareBps)
  const carried = affordablePrincipal(headroom, monthlyRate(annualBps), months)
  let principal = stepDown(carried, amounts.step)
  if (principal > amounts.to) principal = amounts.to
  if (principal < amounts.from) return denied('80227', 'the income does not carry the smallest loan')
  return { offer: { principal, months, annualBps } }
}

/** What holds for every loan: consent, age, place. Gives the longest tenure that the age allows. */
export function entryOf(
  policy: LenderPolicy,
  applicant: LoanApplicant,
  on: string,
): { months: number } | { refusal: Denial } {
  const { ages, tenuresMonths } = policy
  const age = yearsBetween(applicant.bornOn, on)
  if (!applicant.bureauConsent) return denied('80229', 'the credit report may not be read without consent')
  if (age < ages.from) return denied('80228', `borrowers must be at least ${ages.from} years old`)
  if (policy.unservedPincodes.some((prefix) => applicant.pincode?.startsWith(prefix)))
    return denied('80225', 'this PIN code is not served')
  const months = tenuresMonths.filter((tenure) => age + Math.ceil(tenure / 12) <= ages.until).at(-1)
  return months === undefined ? denied('80228', `loans are repaid before the age of ${ages.until}`) : { months }
}

export const denied = (code: string, message: string): { refusal: Denial } => ({ refusal: { code, message } })

export const rateFor = ({ rates }: Pick<LenderPolicy, 'rates'>, income: Paise): bigint =>
  (rates.findLast(({ fromIncome }) => income >= fromIncome) ?? rates[0]).annualBps

export const stepDown = (amount: Paise, step: Paise): Paise => (amount / step) * step

/**
 * What is wrong with a choice within an offer, by the names of the form's fields. Any whole rupees from the lender's
 * least to the offered principal, over any whole months from its shortest tenure to the offered one: how fast to repay
 * is left to the borrower.
 */
export function choiceFaults(
  policy: LenderPolicy,
  offered: LoanRequest,
  principal: Paise,
  months: number,
): FieldError[] {
  const { from } = policy.amounts
  const [shortest] = policy.tenuresMonths
  const wrong: FieldError[] = []
  if (principal < from || principal > offered.principal || principal % 100n !== 0n)
    wrong.push({
      path: 'requestAmount',
      message: `must be whole rupees from ${from / 100n} to ${offered.principal / 100n}`,
    })
  if (!Number.isInteger(months) || months < shortest || months > offered.months)
    wrong.push({ path: 'requestTerm', message: `must be whole months from ${shortest} to ${offered.months}` })
  return wrong
}

/** The refusal that the sandbox's rules put in an offer's place. */
export function denialBy(scenario: FaultScenario | null): Denial | null {
  if (scenario === 'no-offer') return { code: '80226', message: 'the credit score is below the minimum' }
  return scenario === 'error-offer' ? { code: '80203', message: 'no offer could be made' } : null
}

/** The validity of a new offer. */
export const validityOf = ({ offerDays }: LenderPolicy, scenario: FaultScenario | null, at: Date) =>
  scenario === 'short-offer'
    ? { offerTtl: `PT${shortOfferSeconds}S`, lapsesAt: secondsAfter(at, shortOfferSeconds) }
    : { offerTtl: `P${offerDays}D`, lapsesAt: daysAfter(at, offerDays) }

const shortOfferSeconds = 20

/** The price of a loan: instalments, interest, fees, what the borrower receives, and the APR that follows from them. */
export interface LoanRequest {
  principal: Paise
  months: number
  annualBps: bigint
}

export interface Loan extends LoanRequest {
  instalment: Paise
  rows: AnnuityPeriod[]
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
export function loanOf({ fee: price, stampDuty }: Pick<LenderPolicy, 'fee' | 'stampDuty'>, request: LoanRequest): Loan {
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
