// Checks the partner's final offer before the borrower sees it: its rates agree with its payments, its amount with the lead; pure (D3 §2.3, §2.4).
import type { FinalOffer } from '#contract/exchange/offer.ts'
import { type FieldError, invalid } from '#kit/http/refusal.ts'
import { periodicIrr, plainWeeksInYear } from '#kit/money/irr.ts'
import { checkedPaise, type Paise } from '#kit/money/money.ts'

/** Refuses as `invalid`, with every wrong field, an offer that contradicts itself or is for more than was recommended. */
export function requireSoundOffer(offer: FinalOffer, recommendedPaise: Paise): void {
  const [first, ...more] = offerFaults(offer, recommendedPaise)
  if (first) throw invalid(first, ...more)
}

/** Rates below are in millionths of a percent. */
const perPercent = 1_000_000n
/** Lenders round rates to hundredths, and count a year as 52 weeks or as 365 days. */
const tolerance = perPercent / 20n
const yearTolerance = perPercent / 5n
/** A rupee of rounding in every payment, as a rate of a loan of which a fifth is owed for a year: 22 weeks, falling. */
const roundingOf = ({ number_of_installments: count, loan_amount }: FinalOffer): bigint =>
  (BigInt(count) * 100n * 5n * 100n * perPercent) / checkedPaise(loan_amount)

function offerFaults(offer: FinalOffer, recommendedPaise: Paise): FieldError[] {
  const at = (field: string, message: string): FieldError => ({ path: `data.offer.${field}`, message })
  const apr = millionths(offer.apr_percent)
  const rate = millionths(offer.annual_interest_rate_percent)
  const { least, most } = aprOf(offer)
  const found: FieldError[] = []
  if (checkedPaise(offer.loan_amount) > recommendedPaise)
    found.push(at('loan_amount', 'must not be more than the loan_amount of the proposed_offer'))
  if (apr + yearTolerance + roundingOf(offer) < rate)
    found.push(at('apr_percent', 'must not be less than annual_interest_rate_percent'))
  else if (apr + tolerance < least || apr > most + tolerance)
    found.push(at('apr_percent', `must be the rate of these payments: from ${written(least)} to ${written(most)}`))
  return found
}

/** The lowest and the highest yearly rate of these payments by any usual method: 52 times the weekly rate, or compounded. */
function aprOf(offer: FinalOffer): { least: bigint; most: bigint } {
  const regular = checkedPaise(offer.installment_amount)
  const count = offer.number_of_installments
  const last = checkedPaise(offer.total_payable_amount) - regular * BigInt(count - 1)
  const payments = [...Array<bigint>(count - 1).fill(regular), last]
  const weekly = periodicIrr(checkedPaise(offer.net_disbursed_amount), payments)
  const scale = 10n ** 30n
  const weeks = 53n
  const compounded = (scale + weekly) ** weeks / scale ** (weeks - 1n) - scale
  const percent = (ratio: bigint): bigint => (ratio * 100n * perPercent) / scale
  return { least: percent(weekly * plainWeeksInYear.numerator), most: percent(compounded) }
}

/** Reads a percentage as the contract writes it. */
function millionths(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * perPercent + BigInt(fraction.padEnd(6, '0'))
}

const written = (rate: bigint): string => `${rate / perPercent}.${`${(rate % perPercent) / 10_000n}`.padStart(2, '0')}`
