// Writes the quote after disbursal, with repaid amounts, outstanding amounts and charges (FIS12 §7.4, §11.1).
import type { Paise } from '#kit/money/money.ts'
import { inr, type Terms } from './terms.ts'

/** Amounts in paise. The sum of repaid and outstanding principal is the loan's principal. */
export interface Repayment {
  repaidPrincipal: Paise
  repaidInterest: Paise
  outstandingPrincipal: Paise
  outstandingInterest: Paise
  /** Past charges, and charges of the requested payment. */
  charges: { title: string; amount: Paise }[]
}

/** Writes the quote with the offer's id and disbursed amount. The total is the sum of the other rows. */
export function repaymentQuoteOf(terms: Terms, repayment: Repayment) {
  const rows: [title: string, amount: Paise][] = [
    ['PRINCIPAL', repayment.repaidPrincipal],
    ['INTEREST', repayment.repaidInterest],
    ['PROCESSING_FEE', terms.processingFee],
    ['OTHER_UPFRONT_CHARGES', terms.otherUpfront],
    ['INSURANCE_CHARGES', terms.insurance],
    ['OTHER_CHARGES', terms.otherCharges],
    ['OUTSTANDING_PRINCIPAL', repayment.outstandingPrincipal],
    ['OUTSTANDING_INTEREST', repayment.outstandingInterest],
    ...repayment.charges.map(({ title, amount }): [string, Paise] => [title, amount]),
  ]
  const total = rows.reduce((sum, [, amount]) => sum + amount, 0n)
  return {
    id: terms.quoteId,
    price: inr(total),
    breakup: [...rows, ['NET_DISBURSED_AMOUNT', terms.netDisbursed] as const].map(([title, amount]) => ({
      title,
      price: inr(amount),
    })),
    ...(terms.quoteTtl !== null && { ttl: terms.quoteTtl }),
  }
}
