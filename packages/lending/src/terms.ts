// The terms of an offer, whichever wire they came by.

import type { Paise } from './money.ts'

/** Amounts are in paise; percentages, fees and links are the lender's texts, null if missing. */
export interface Terms {
  quoteId: string
  /** The offer's validity from its receipt, an ISO 8601 duration. */
  quoteTtl: string | null
  principal: Paise
  interest: Paise
  processingFee: Paise
  otherUpfront: Paise
  insurance: Paise
  otherCharges: Paise
  netDisbursed: Paise
  interestRate: string
  apr: string
  interestType: string | null
  term: string
  termMonths: number
  repaymentFrequency: string | null
  /** 0 for a credit line. */
  installmentsCount: number
  installmentAmount: Paise
  applicationFee: string | null
  foreclosureFee: string | null
  interestRateConversionCharge: string | null
  delayPenaltyFee: string | null
  otherPenaltyFee: string | null
  tncLink: string | null
  kfsLink: string | null
  coolOffPeriod: string | null
  /** Gold loans only: the loan-to-value ratio, as a percentage text. */
  ltvRatio: string | null
}

export type Amounts = Pick<
  Terms,
  'principal' | 'interest' | 'processingFee' | 'otherUpfront' | 'insurance' | 'otherCharges'
>

/** The borrower's total: every title of the quote except NET_DISBURSED_AMOUNT, which is only a disclosure. */
export const totalOf = (terms: Amounts): Paise =>
  terms.principal + terms.interest + terms.processingFee + terms.otherUpfront + terms.insurance + terms.otherCharges

/** The payout: the principal less upfront deductions. */
export const netDisbursedOf = (terms: Omit<Amounts, 'interest' | 'otherCharges'>): Paise =>
  terms.principal - terms.processingFee - terms.otherUpfront - terms.insurance

/** A lender's limits: money in paise, tenure in months, rates as percentage texts. */
export interface Ranges {
  minInterestRate: string | null
  maxInterestRate: string | null
  minTenureMonths: number | null
  maxTenureMonths: number | null
  minAmount: Paise | null
  maxAmount: Paise | null
}

/** Amounts in paise. The available amount is the limit less the utilization. */
export interface CreditLine {
  limit: Paise
  utilization: Paise
}

/** The data on which the lender decides: the credit bureau's, or bank data from an account aggregator. */
export type Assessment = 'bureau' | 'account-aggregator'

/** A paper of the loan that the lender's server has. */
export interface LoanDocument {
  code: string
  name: string
  description: string
  mimeType: string
  url: string
}
