// The final offer with its complete terms (D3 §2.4).
import type { FieldError } from '@lendloom/foundation/refusal'
import { type Static, Type } from '@lendloom/foundation/schema'
import { installmentsOfProduct } from './account.ts'
import { brokenRules, Code, Currency, Id, Instant, Money, Percent, PositiveMoney, paiseOf, Url } from './fields.ts'

export const FinalOffer = Type.Object({
  offer_id: Id,
  currency: Currency,
  loan_amount: PositiveMoney,
  tenure_weeks: Type.Literal(installmentsOfProduct),
  installment_frequency: Type.Literal('WEEKLY'),
  number_of_installments: Type.Literal(installmentsOfProduct),
  installment_amount: PositiveMoney,
  annual_interest_rate_percent: Percent,
  apr_percent: Percent,
  interest_rate_type: Code,
  processing_fee_amount: Money,
  tax_amount: Money,
  other_upfront_charges: Money,
  net_disbursed_amount: PositiveMoney,
  total_interest_amount: Money,
  total_payable_amount: PositiveMoney,
  valid_until: Instant,
  kfs_url: Url,
  terms_url: Url,
})
export type FinalOffer = Static<typeof FinalOffer>

/**
 * The last installment may differ from the others by rounding. Therefore the total is only bounded by the regular
 * installments, not required to equal their sum.
 */
export function checkOffer(offer: FinalOffer, under = 'data.offer'): FieldError[] {
  const loan = paiseOf(offer.loan_amount)
  const net = paiseOf(offer.net_disbursed_amount)
  const total = paiseOf(offer.total_payable_amount)
  const regular = paiseOf(offer.installment_amount) * BigInt(offer.number_of_installments - 1)
  return brokenRules(
    under,
    [net > loan, 'net_disbursed_amount', 'must not be more than loan_amount'],
    [
      total < loan + paiseOf(offer.total_interest_amount),
      'total_payable_amount',
      'must not be less than loan_amount and total_interest_amount together',
    ],
    [total <= regular, 'total_payable_amount', 'must be more than the regular installments before the last'],
  )
}
