// The hosted page's API: the view of the journey, and the borrower's requests.

import { Closed, Nullable, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { languages } from '@lendloom/lending/language'
import { productIds } from '@lendloom/lending/product/products'
import { advices, bureaus } from '@lendloom/lending/reason/advice'
import { Words } from '@lendloom/lending/reason/reason'
import { Money, Text, WholeRupees } from '#wire/atoms.ts'
import { ErrorEnvelope } from '#wire/headless/envelope.ts'
import { accountNumberPattern, ifscPattern } from '#wire/identifier.ts'
import { EmbedConsent, EmbedFunds } from './embed-consents.ts'
import { EmbedGrievances } from './embed-grievance.ts'
import { EmbedBranch, EmbedChosen, EmbedHolding, EmbedLender, EmbedPledge, EmbedScheme } from './embed-lender.ts'
import { embedLoanParts } from './embed-servicing.ts'
import { LifecycleStatus, LifecycleUpdate } from './lifecycle.ts'
import { Address, EndUse, FreeText, GoldFields, GoldProfile, PersonalFields, WorkProfile } from './profile.ts'

export { EmbedBranch, EmbedLender, ErrorEnvelope }

/** The borrower's current act or wait: one screen each. */
export const screens = [
  'PROFILE', // fill in and consent
  'SEARCHING', // lenders are assessing the application; offers may already arrive
  'OFFERS', // compare and choose
  'FINALISING', // the chosen lender prepares the final terms
  'FINAL_OFFER', // read the final terms, accept or decline
  'KYC', // on the lender's page
  'VISIT', // a gold loan: book a visit on the lender's page, and bring the gold to the branch
  'BANK', // the payout account, entered here
  'STATEMENT', // the bank statement of that account, which the borrower shares on our page
  'LIEN', // a loan against mutual funds: the borrower pledges the units, on the lender's page
  'E_MANDATE', // on the lender's page
  'LOAN_AGREEMENT', // on the lender's page
  'LENDER_WORKING', // between two steps
  'DISBURSAL', // sanctioned, waiting for the payout
  'LINE_OPEN', // a loan against mutual funds: the credit line is open; the borrower draws on it at the lender
  'DISBURSED',
  'CLOSED', // repaid
  'NOT_OFFERED',
  'REJECTED',
  'NO_ANSWER', // no lender could be reached; the borrower may try again
  'EXPIRED',
] as const
export type Screen = (typeof screens)[number]

/** D2 §2.2 StepStatus and ActionRequired. */
export const stepStatuses = ['PENDING', 'READY', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'NOT_REQUIRED'] as const
export type EmbedStepStatus = (typeof stepStatuses)[number]

export const EmbedStep = Closed({
  status: OneOf([...stepStatuses]),
  attempts: Type.Integer(),
  /** The lender's page for this step; null without one, or if the borrower need not act. */
  redirectUrl: Nullable(Text),
  /** Why the last attempt failed; null when it did not. */
  problem: Nullable(Words),
})
export type EmbedStep = Static<typeof EmbedStep>

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
const EmbedQuote = Closed({
  quoteId: Type.String({ minLength: 1, maxLength: 200 }),
  termsDigest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

export const EmbedView = Closed({
  journeyId: Text,
  journeyType: OneOf(productIds),
  /** Increases with every change; the page ignores a response with an older version. */
  version: Type.Integer(),
  status: LifecycleStatus,
  screen: OneOf([...screens]),
  /** Whether another page has claimed the journey; then this page stops. */
  elsewhere: Type.Boolean(),
  /** The session's return address for a standalone page. */
  returnUrl: Nullable(Text),
  hostName: Text,
  /** Windows that may receive lifecycle updates, as exact origins. */
  hostOrigins: Type.Array(Text),
  /** In D1 spelling; missing values are absent. The integrator sets the mobile number. */
  profile: Closed({ contactNumber: Text, ...PersonalFields }),
  workProfile: WorkProfile,
  /** Whether a business lender may receive the application; then a self-employed borrower may enter business details. */
  asksBusiness: Type.Boolean(),
  address: Address,
  /** The borrower's gold; null for other loans. */
  goldLoan: Nullable(GoldProfile),
  endUse: Nullable(EndUse),
  /** Before the consents: the known lenders that would receive the application now. Others may answer too. */
  receivers: Type.Array(Text),
  lenders: Type.Array(EmbedLender),
  /** Consents that lenders request before an offer or before the payout. */
  accountAggregator: Type.Array(EmbedConsent),
  /** Whether an offer may still arrive without the borrower doing anything. */
  searching: Type.Boolean(),
  /** The lenders' first offers, unchanged, ordered by annual percentage rate, lowest first. */
  offers: Type.Array(EmbedOffer),
  /** Loans against mutual funds, until an offer is chosen: the borrower's funds; empty otherwise. */
  holdings: Type.Array(EmbedHolding),
  /** Loans against mutual funds, until the search: the state of the borrower's statement; null otherwise. */
  funds: Nullable(EmbedFunds),
  selected: Nullable(
    Closed({
      offerId: Text,
      lenderName: Text,
      amount: Money,
      tenureMonths: Type.Integer(),
      /** The current terms: the final ones once the lender has answered. */
      terms: EmbedOffer,
      quote: EmbedQuote,
      final: Type.Boolean(),
      /** Whether the final terms differ from the first offer. */
      changed: Type.Boolean(),
      /** The gold branch, its contact, and whether the lender has confirmed a visit. */
      branch: Nullable(EmbedBranch),
      agent: Nullable(Closed({ name: Text, phone: Text })),
      visitBooked: Type.Boolean(),
      /** The time of the visit, and the URL of its calendar file; null if the lender sent no time. */
      visit: Nullable(Closed({ at: Text, calendarUrl: Text })),
      /** Loans against mutual funds: the units that secure the chosen amount. */
      pledges: Type.Array(EmbedPledge),
    }),
  ),
  steps: Closed({
    kyc: EmbedStep,
    bankMandate: EmbedStep,
    eMandate: EmbedStep,
    loanAgreement: EmbedStep,
    disbursal: EmbedStep,
  }),
  /** An open credit line: its limit, the drawn amount, the available amount, and the time of the last change. */
  creditLine: Nullable(Closed({ limit: Money, used: Money, free: Money, changedAt: Text })),
  /** The account for the disbursal, masked: `•••• 6789`. */
  bankAccount: Nullable(Text),
  ...embedLoanParts,
  /** Complaints about the loan; null while there is none. */
  grievances: Nullable(EmbedGrievances),
  /** Why the journey ended without a loan. */
  endReason: Nullable(Words),
  /** What the borrower can do next about the rejection; empty while the journey is open. */
  advice: Type.Array(OneOf([...advices])),
  /** The credit bureau that a lender's reason names; null without one. */
  bureau: Nullable(OneOf([...bureaus])),
  /** Whether the borrower may withdraw the consent to share the application now, and when it was withdrawn. */
  mayWithdraw: Type.Boolean(),
  mayAskOthers: Type.Boolean(),
  /** Until the search: the lender at which the borrower's last application ended without a loan; null without one. */
  refusedBy: Nullable(Text),
  /** Whether no lender is left to ask after a refusal. */
  allRefused: Type.Boolean(),
  withdrawnAt: Nullable(Text),
  /** Why a journey expired; null otherwise. */
  expiredFor: Nullable(OneOf(['OFFERS', 'TIME'])),
  /** Lifecycle updates that the page has not forwarded yet (D1 §6): post each payload unchanged, then acknowledge it with `after`. */
  updates: Type.Array(Closed({ sequence: Type.Integer(), payload: LifecycleUpdate })),
  /** When to poll again; null when nothing changes without the borrower. */
  pollAfterMs: Nullable(Type.Integer()),
})
export type EmbedView = Static<typeof EmbedView>

export const EmbedViewReply = Closed({ view: EmbedView })
export type EmbedViewReply = Static<typeof EmbedViewReply>

/** POST /api/embed/session: exchanges the single-use token of the fragment for a session. */
export const EmbedSessionRequest = Closed({ token: Type.String({ minLength: 1, maxLength: 300 }) })
export const EmbedSessionReply = Closed({ sessionToken: Text, expiresAt: Text, view: EmbedView })
export type EmbedSessionReply = Static<typeof EmbedSessionReply>

/** GET /api/embed/journey?after=3: the view without updates up to sequence 3, which the page has forwarded. */
export const EmbedViewQuery = Closed({
  after: Type.Optional(Type.String({ pattern: '^\\d{1,2}$' })),
  /** This page claims the journey. */
  claim: Type.Optional(OneOf(['1'])),
})

/** PUT /api/embed/profile: a draft. Each sent field replaces the stored one; null clears it. */
const clearable = <T extends Record<string, Parameters<typeof Nullable>[0]>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(Nullable(schema))])) as {
    [Name in keyof T]: ReturnType<typeof Type.Optional<ReturnType<typeof Nullable<T[Name]>>>>
  }
export const EmbedProfileRequest = Closed({
  profile: Type.Optional(Closed(clearable(PersonalFields))),
  workProfile: Type.Optional(Closed(clearable(WorkProfile.properties))),
  address: Type.Optional(Closed(clearable(Address.properties))),
  goldLoan: Type.Optional(Closed(clearable(GoldFields))),
  endUse: Type.Optional(EndUse),
})
export type EmbedProfileRequest = Static<typeof EmbedProfileRequest>

const Consent = Closed({
  purpose: OneOf(['bureau', 'data_sharing', 'key_facts']),
  textVersion: Type.String({ minLength: 1, maxLength: 40 }),
  language: OneOf([...languages]),
})

/** POST /api/embed/profile/submit: needs a complete profile, and the consents `bureau` and `data_sharing`. */
export const EmbedSubmitRequest = Closed({ consents: Type.Array(Consent, { minItems: 1, maxItems: 4 }) })

/** POST /api/embed/offers/{offerID}/select */
export const EmbedSelectRequest = Closed({
  amount: WholeRupees,
  tenureMonths: Type.Integer({ minimum: 1, maximum: 600 }),
  /** One of the offer's branches, if it has any. */
  branchID: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  /** Loans against mutual funds: the units to pledge; by default a share of every fund in proportion to the amount. */
  pledges: Type.Optional(EmbedChosen),
  /** The language of the text that the borrower read at the choice; English by default. */
  language: Type.Optional(OneOf([...languages])),
})
/** POST /api/embed/offers/{offerID}/accept: the final terms that the page showed; needs the consent `key_facts`. */
export const EmbedAcceptRequest = Closed({
  quote: EmbedQuote,
  consents: Type.Array(Consent, { minItems: 1, maxItems: 1 }),
})
/** The value of the error's detail `change` if the lender has replaced the quote that the page showed. */
export const offerReplaced = 'OFFER_REPLACED'

/** POST /api/embed/offers/{offerID}/decline: ends the journey. */
export const EmbedDeclineRequest = Closed({ reason: Type.Optional(FreeText(500)) })

/** POST /api/embed/consents/withdraw: withdraws all consents of the journey and ends it. */
export const EmbedWithdrawRequest = Closed({})

/** POST /api/embed/steps/{step}/open: the borrower goes to the lender's page. */
export const openableSteps = ['kyc', 'bank-mandate', 'e-mandate', 'loan-agreement'] as const
export const EmbedOpenReply = Closed({ url: Text, view: EmbedView })
export type EmbedOpenReply = Static<typeof EmbedOpenReply>

/** POST /api/embed/steps/bank-mandate, with the fields of D2 §4. */
export const BankAccount = Closed({
  accountHolderName: FreeText(100),
  accountNumber: Type.String({
    pattern: accountNumberPattern,
    'x-says': 'must be an account number of 9 to 18 digits',
  }),
  ifsc: Type.String({ pattern: ifscPattern, 'x-says': 'must be an IFSC, such as HDFC0000001' }),
  accountType: OneOf(['saving', 'current']),
})
export type BankAccount = Static<typeof BankAccount>
