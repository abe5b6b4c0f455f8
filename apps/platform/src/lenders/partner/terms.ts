// Validates a partner's terms and converts them to the format that offers of all lenders share; pure (D3 §2.4).

import { type FieldError, invalid } from '@lendloom/foundation/refusal'
import { periodicIrr, wholeWeeksInYear } from '@lendloom/lending/annual-rate'
import { checkedPaise, type Paise } from '@lendloom/lending/money'
import type { PartnerRules } from '@lendloom/wire/console/lending-partners'
import type { FinalOffer } from '@lendloom/wire/exchange/final-offer'
import type { Terms } from '#platform/lending/journey/journey.ts'

/** The terms of a partner's loan. Percentages are decimal texts, as in the exchange. */
export interface PartnerTerms {
  loanPaise: Paise
  tenureWeeks: number
  installments: number
  installmentPaise: Paise
  interestPercent: string
  interestType: string
  aprPercent: string
  feePaise: Paise
  taxPaise: Paise
  otherPaise: Paise
  netPaise: Paise
  interestPaise: Paise
}

/** A quote's id, validity and documents for the borrower. */
export interface Quote {
  id: string
  validUntil: Date
  kfsUrl: string | null
  termsUrl: string | null
}

/** Rounds weeks to whole months, at least one. For example, 22 weeks become 5 months. */
export const monthsOf = (weeks: number): number => Math.max(1, Math.round((weeks * 7 * 12) / 365))

/** Terms that the platform and the partner agreed beforehand; no message contains them. */
type AgreedTerms = Pick<PartnerRules, 'coolOffDays' | 'penalCharges'>

/** Partners charge no fee for an application or for early repayment. */
const noFee = '0.00'

/** Converts a partner's terms to the shared format, in which the processing fee includes the tax. */
export const termsOf = (terms: PartnerTerms, quote: Quote, agreedTerms: AgreedTerms, at: Date): Terms => ({
  quoteId: quote.id,
  quoteTtl: `PT${Math.max(0, Math.floor((quote.validUntil.getTime() - at.getTime()) / 1000))}S`,
  principal: terms.loanPaise,
  interest: terms.interestPaise,
  processingFee: terms.feePaise + terms.taxPaise,
  otherUpfront: terms.otherPaise,
  insurance: 0n,
  otherCharges: 0n,
  netDisbursed: terms.netPaise,
  interestRate: percentText(terms.interestPercent),
  apr: percentText(terms.aprPercent),
  interestType: terms.interestType,
  term: `${terms.tenureWeeks} weeks`,
  termMonths: monthsOf(terms.tenureWeeks),
  repaymentFrequency: 'WEEKLY',
  installmentsCount: terms.installments,
  installmentAmount: terms.installmentPaise,
  applicationFee: noFee,
  foreclosureFee: noFee,
  interestRateConversionCharge: null,
  delayPenaltyFee: agreedTerms.penalCharges || null,
  otherPenaltyFee: null,
  ltvRatio: null,
  tncLink: quote.termsUrl,
  kfsLink: quote.kfsUrl,
  coolOffPeriod: `P${agreedTerms.coolOffDays}D`,
})

/** Drops trailing zeros: `24.00` becomes `24%`, so that equal rates have equal texts. */
const percentText = (text: string): string => `${text.includes('.') ? text.replace(/(?<![.0])\.?0+$/, '') : text}%`

export const finalTerms = (offer: FinalOffer): { terms: PartnerTerms; quote: Quote } => ({
  terms: {
    loanPaise: checkedPaise(offer.loan_amount),
    tenureWeeks: offer.tenure_weeks,
    installments: offer.number_of_installments,
    installmentPaise: checkedPaise(offer.installment_amount),
    interestPercent: offer.annual_interest_rate_percent,
    interestType: offer.interest_rate_type,
    aprPercent: offer.apr_percent,
    feePaise: checkedPaise(offer.processing_fee_amount),
    taxPaise: checkedPaise(offer.tax_amount),
    otherPaise: checkedPaise(offer.other_upfront_charges),
    netPaise: checkedPaise(offer.net_disbursed_amount),
    interestPaise: checkedPaise(offer.total_interest_amount),
  },
  quote: {
    id: offer.offer_id,
    validUntil: new Date(offer.valid_until),
    kfsUrl: offer.kfs_url,
    termsUrl: offer.terms_url,
  },
})

/** Throws `invalid`, listing every wrong field, if the offer is inconsistent or above the recommended amount. */
export function validateFinalOffer(offer: FinalOffer, recommendedPaise: Paise): void {
  const [first, ...more] = offerFaults(offer, recommendedPaise)
  if (first) throw invalid(first, ...more)
}

/** The following rates are in millionths of a percent. */
const perPercent = 1_000_000n
/** Lenders round rates to hundredths. `yearTolerance`: they count a year as 52 weeks or as 365 days. */
const tolerance = perPercent / 20n
const yearTolerance = perPercent / 5n
/**
 * The change of the yearly rate if each payment is rounded by one rupee. On average half of the loan is owed, for 22 of
 * 52 weeks; this is about a fifth of the loan for a year, hence the factor 5.
 */
const roundingTolerance = ({ number_of_installments: count, loan_amount }: FinalOffer): bigint =>
  (BigInt(count) * 100n * 5n * 100n * perPercent) / checkedPaise(loan_amount)

function offerFaults(offer: FinalOffer, recommendedPaise: Paise): FieldError[] {
  const fault = (field: string, message: string): FieldError => ({ path: `data.offer.${field}`, message })
  const apr = millionths(offer.apr_percent)
  const rate = millionths(offer.annual_interest_rate_percent)
  const { min, max } = aprOf(offer)
  const faults: FieldError[] = []
  if (checkedPaise(offer.loan_amount) > recommendedPaise)
    faults.push(fault('loan_amount', 'must not be more than the loan_amount of the proposed_offer'))
  if (apr + yearTolerance + roundingTolerance(offer) < rate)
    faults.push(fault('apr_percent', 'must not be less than annual_interest_rate_percent'))
  else if (apr + tolerance < min || apr > max + tolerance)
    faults.push(
      fault('apr_percent', `must match the payments, whose rate is from ${percentOf(min)} to ${percentOf(max)}`),
    )
  return faults
}

/** Returns the lowest and highest usual yearly rate: 52 times the weekly rate, and its compound over 53 weeks. */
function aprOf(offer: FinalOffer): { min: bigint; max: bigint } {
  const regular = checkedPaise(offer.installment_amount)
  const count = offer.number_of_installments
  const last = checkedPaise(offer.total_payable_amount) - regular * BigInt(count - 1)
  const payments = [...Array<bigint>(count - 1).fill(regular), last]
  const weekly = periodicIrr(checkedPaise(offer.net_disbursed_amount), payments)
  const scale = 10n ** 30n
  const weeks = 53n
  const compounded = (scale + weekly) ** weeks / scale ** (weeks - 1n) - scale
  const percent = (ratio: bigint): bigint => (ratio * 100n * perPercent) / scale
  return { min: percent(weekly * wholeWeeksInYear.numerator), max: percent(compounded) }
}

/** Parses a percentage text into millionths of a percent. */
function millionths(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * perPercent + BigInt(fraction.padEnd(6, '0'))
}

const percentOf = (rate: bigint): string =>
  `${rate / perPercent}.${`${(rate % perPercent) / 10_000n}`.padStart(2, '0')}`
