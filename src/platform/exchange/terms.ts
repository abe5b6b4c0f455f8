// The partner's terms in the form in which an offer keeps those of every lender; pure (D3 §2.4).
import type { PartnerRules } from '#contract/console/lending-partners.ts'
import type { FinalOffer } from '#contract/exchange/offer.ts'
import { checkedPaise, type Paise } from '#kit/money/money.ts'
import type { Terms } from '#platform/journey/terms.ts'

/** What a loan of the partner costs. Percentages are as written. */
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

/** What names a quote, says how long it stands, and links what the borrower must be able to read. */
export interface Quote {
  id: string
  validUntil: Date
  kfsUrl: string | null
  termsUrl: string | null
}

/** Weeks as whole months, for what is only kept in months: 22 weeks are five. */
export const monthsOf = (weeks: number): number => Math.max(1, Math.round((weeks * 7 * 12) / 365))

/** What borrowers must be shown and no message carries: the partner and we have agreed on it. */
type Agreed = Pick<PartnerRules, 'coolOffDays' | 'penalCharges'>

/** What the partner charges nothing for: neither an application nor early repayment costs anything. */
const free = '0.00'

/** The tax on the fee is part of what the fee costs the borrower, as with every other lender. */
export const termsOf = (terms: PartnerTerms, quote: Quote, agreed: Agreed, at: Date): Terms => ({
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
  applicationFee: free,
  foreclosureFee: free,
  interestRateConversionCharge: null,
  delayPenaltyFee: agreed.penalCharges || null,
  otherPenaltyFee: null,
  ltvRatio: null,
  tncLink: quote.termsUrl,
  kfsLink: quote.kfsUrl,
  coolOffPeriod: `P${agreed.coolOffDays}D`,
})

/** `24.00` and `24` are the same rate. */
const percentText = (text: string): string => `${text.includes('.') ? text.replace(/(?<![.0])\.?0+$/, '') : text}%`

/** The final offer of the partner, in our words. */
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
