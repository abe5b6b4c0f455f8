// Hosted page: a lender's offer, and the quote of the chosen one.

import { Closed, Nullable, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { Money, Text } from '#wire/basic-schemas.ts'
import { EmbedBranch, EmbedScheme } from './embed-lender.ts'

export const EmbedOffer = Closed({
  id: Text,
  lenderId: Text,
  lenderName: Text,
  /** The basis of the decision when the lender makes several offers; null for a single one. */
  basis: Nullable(OneOf(['bureau', 'account-aggregator'])),
  amountPrincipal: Money,
  tenureMonths: Type.Integer(),
  offerTerm: Text,
  interestRate: Text,
  interestType: Text,
  annualPercentageRate: Text,
  installmentAmount: Money,
  numberOfInstallments: Type.Integer(),
  /** The lender's term, such as `WEEKLY`; null without one. */
  repaymentFrequency: Nullable(Text),
  totalInterest: Money,
  processingFees: Money,
  otherUpfrontCharges: Money,
  insuranceCharges: Money,
  otherCharges: Money,
  netDisbursed: Money,
  penalCharges: Type.Array(Closed({ kind: OneOf(['DELAY', 'OTHER', 'FORECLOSURE', 'RATE_CONVERSION']), text: Text })),
  coolOffPeriod: Text,
  /** The last day of the period if the lender pays out today; null without a readable period. */
  coolOffUntil: Nullable(Text),
  /** Gold loans only: the loan-to-value ratio. */
  ltvRatio: Nullable(Text),
  /** Empty without a visit. */
  branches: Type.Array(EmbedBranch),
  /** The units to pledge for the full amount of a loan against mutual funds; empty for other loans. */
  schemes: Type.Array(EmbedScheme),
  /** Loans against mutual funds: a credit line instead of a term loan. */
  creditLine: Type.Boolean(),
  /** Loans against mutual funds: every step after the bank account is on one page of the lender. */
  ownPage: Type.Boolean(),
  keyFactsStatementUrl: Text,
  termsUrl: Text,
  validUntil: Nullable(Text),
  expired: Type.Boolean(),
  /** Whether choosing the offer submits the application for the lender's review; the page must say so. */
  submits: Type.Boolean(),
  /** The initial choice: the preferred amount and term within this offer's limits; otherwise the full amount. */
  start: Closed({ amount: Money, tenureMonths: Type.Integer() }),
  /** The limits of the request. */
  least: Closed({ amount: Money, tenureMonths: Type.Integer() }),
  most: Closed({ amount: Money, tenureMonths: Type.Integer() }),
})
export type EmbedOffer = Static<typeof EmbedOffer>

/** The quote that the page shows: its id, and the SHA-256 digest of its terms in hexadecimal digits. */
export const EmbedQuote = Closed({
  quoteId: Type.String({ minLength: 1, maxLength: 200 }),
  termsDigest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
