// The hosted page's interface: one view of the journey, and the borrower's acts.

import { Money, Text } from '#contract/atoms.ts'
import { ErrorEnvelope } from '#contract/headless/envelope.ts'
import { EmbedGrievances } from '#contract/hosted/embed-grievance.ts'
import { embedLoanParts } from '#contract/hosted/embed-servicing.ts'
import { LifecycleStatus, LifecycleUpdate } from '#contract/hosted/lifecycle.ts'
import {
  Address,
  EndUse,
  FreeText,
  GoldFields,
  GoldProfile,
  maybe,
  PersonalFields,
  WorkProfile,
} from '#contract/hosted/profile.ts'
import { accountNumberPattern, ifscPattern } from '#contract/identifier.ts'
import { languages } from '#contract/language.ts'
import { productIds } from '#contract/product/products.ts'
import { advices, bureaus } from '#contract/reason/advice.ts'
import { Words } from '#contract/reason/reason.ts'
import { Closed, Nullable, OneOf, type Static, Type } from '#kit/http/schema.ts'
import { EmbedConsent, EmbedFunds } from './embed-consents.ts'
import { EmbedBranch, EmbedChosen, EmbedHolding, EmbedLender, EmbedPledge, EmbedScheme } from './embed-lender.ts'

export { EmbedBranch, EmbedLender, ErrorEnvelope }

/** The borrower's current act or wait: one screen each. */
export const screens = [
  'PROFILE', // fill in and consent
  'SEARCHING', // lenders are being asked; offers may already be coming in
  'OFFERS', // compare and choose
  'FINALISING', // the chosen lender works out the final terms
  'FINAL_OFFER', // read the final terms, accept or decline
  'KYC', // on the lender's page
  'VISIT', // a gold loan: book a visit on the lender's page, and bring the gold to the branch
  'BANK', // the payout account, entered here
  'STATEMENT', // the bank statement of that account, shared on our page
  'LIEN', // against mutual funds: the units are pledged, on the lender's page
  'E_MANDATE', // on the lender's page
  'LOAN_AGREEMENT', // on the lender's page
  'LENDER_WORKING', // between two steps
  'DISBURSAL', // sanctioned, the money is on its way
  'LINE_OPEN', // against mutual funds: a credit line is open, and is drawn on at the lender
  'DISBURSED',
  'CLOSED', // repaid
  'NOT_OFFERED',
  'REJECTED',
  'NO_ANSWER', // no lender could be reached: nothing was decided, try again
  'EXPIRED',
] as const
export type Screen = (typeof screens)[number]

/** D2 §2.2 StepStatus and ActionRequired. */
export const stepStatuses = ['PENDING', 'READY', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'NOT_REQUIRED'] as const
export type EmbedStepStatus = (typeof stepStatuses)[number]

export const EmbedStep = Closed({
  status: OneOf([...stepStatuses]),
  attempts: Type.Integer(),
  /** The lender's page, where this step has one and it is the borrower's turn. */
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
  /** A gold loan only: what is lent of the gold's value. */
  ltvRatio: Nullable(Text),
  /** Empty without a visit. */
  branches: Type.Array(EmbedBranch),
  /** The units to pledge for the full amount of a loan against mutual funds; empty for other loans. */
  schemes: Type.Array(EmbedScheme),
  /** Against mutual funds: a line to draw on rather than a loan over a term. */
  creditLine: Type.Boolean(),
  /** Against mutual funds: all that follows the account is done on one page of the lender's. */
  ownPage: Type.Boolean(),
  keyFactsStatementUrl: Text,
  termsUrl: Text,
  validUntil: Nullable(Text),
  expired: Type.Boolean(),
  /** Whether choosing it submits the application for the lender's review, which the page must tell the borrower. */
  submits: Type.Boolean(),
  /** The initial choice: the preferred amount and term within this offer's limits; otherwise the full amount. */
  start: Closed({ amount: Money, tenureMonths: Type.Integer() }),
  /** The limits of the request. */
  least: Closed({ amount: Money, tenureMonths: Type.Integer() }),
  most: Closed({ amount: Money, tenureMonths: Type.Integer() }),
})
export type EmbedOffer = Static<typeof EmbedOffer>

export const EmbedView = Closed({
  journeyId: Text,
  journeyType: OneOf(productIds),
  /** Grows with every change: an answer with an older version is ignored. */
  version: Type.Integer(),
  status: LifecycleStatus,
  screen: OneOf([...screens]),
  /** Whether another page has taken the journey over from the one that asks: this one stops. */
  elsewhere: Type.Boolean(),
  /** Where a standalone page returns to, from the session. */
  returnUrl: Nullable(Text),
  hostName: Text,
  /** Windows that may receive lifecycle updates, as exact origins. */
  hostOrigins: Type.Array(Text),
  /** D1 spelling; what is missing is absent. The mobile number is fixed by the integrator. */
  profile: Closed({ contactNumber: Text, ...PersonalFields }),
  workProfile: WorkProfile,
  /** Whether a lender to businesses may be asked: then a self-employed borrower may enter business details. */
  asksBusiness: Type.Boolean(),
  address: Address,
  /** The borrower's gold; null for other loans. */
  goldLoan: Nullable(GoldProfile),
  endUse: Nullable(EndUse),
  /**
   * Before the consents: known lenders that would be asked now, by name; others of the network may answer. Empty when
   * none is known.
   */
  receivers: Type.Array(Text),
  lenders: Type.Array(EmbedLender),
  /** Consents that lenders ask for, before an offer or before the money. */
  accountAggregator: Type.Array(EmbedConsent),
  /** Whether a lender may still offer without an act of the borrower. */
  searching: Type.Boolean(),
  /** The first offers as they were made, ordered by annual percentage rate, lowest first. */
  offers: Type.Array(EmbedOffer),
  /** Against mutual funds, until an offer is chosen: all that the borrower holds; empty otherwise. */
  holdings: Type.Array(EmbedHolding),
  /** Against mutual funds, until the lenders are asked: the state of the borrower's statement; null otherwise. */
  funds: Nullable(EmbedFunds),
  selected: Nullable(
    Closed({
      offerId: Text,
      lenderName: Text,
      amount: Money,
      tenureMonths: Type.Integer(),
      /** The current terms: the final ones once the lender has answered. */
      terms: EmbedOffer,
      final: Type.Boolean(),
      /** Whether the final terms differ from the first offer. */
      changed: Type.Boolean(),
      /** The gold branch, its contact, and whether the lender has confirmed a visit. */
      branch: Nullable(EmbedBranch),
      agent: Nullable(Closed({ name: Text, phone: Text })),
      visitBooked: Type.Boolean(),
      /** Against mutual funds: what secures the amount that was chosen. */
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
  /** A line that its lender has opened: how much may be drawn in all, is drawn, and may still be drawn, and when that changed last. */
  creditLine: Nullable(Closed({ limit: Money, used: Money, free: Money, changedAt: Text })),
  /** Masked: what the borrower entered for the disbursal, `•••• 6789`. */
  bankAccount: Nullable(Text),
  ...embedLoanParts,
  /** Complaints about the loan; null while there is none. */
  grievances: Nullable(EmbedGrievances),
  /** Why the journey ended without a loan. */
  endReason: Nullable(Words),
  /** What the borrower can do next about the rejection; empty while the journey is open. */
  advice: Type.Array(OneOf([...advices])),
  /** The credit bureau that a lender's reason names; null where none does. */
  bureau: Nullable(OneOf([...bureaus])),
  /** Whether the consent to share the application can be withdrawn now, and when it was. */
  mayWithdraw: Type.Boolean(),
  withdrawnAt: Nullable(Text),
  /** Why a journey expired; null otherwise. */
  expiredFor: Nullable(OneOf(['OFFERS', 'TIME'])),
  /** Lifecycle updates the page has not passed on yet (D1 §6): post each payload unchanged, then ask with `after`. */
  updates: Type.Array(Closed({ sequence: Type.Integer(), payload: LifecycleUpdate })),
  /** When to poll again; null when nothing changes without the borrower. */
  pollAfterMs: Nullable(Type.Integer()),
})
export type EmbedView = Static<typeof EmbedView>

export const EmbedViewReply = Closed({ view: EmbedView })
export type EmbedViewReply = Static<typeof EmbedViewReply>

/** POST /api/embed/session: trades the single-use token of the fragment for a session. */
export const EmbedSessionRequest = Closed({ token: Type.String({ minLength: 1, maxLength: 300 }) })
export const EmbedSessionReply = Closed({ sessionToken: Text, expiresAt: Text, view: EmbedView })
export type EmbedSessionReply = Static<typeof EmbedSessionReply>

/** GET /api/embed/journey?after=3: the view, without the updates up to sequence 3, which the page has passed on. */
export const EmbedViewQuery = Closed({
  after: maybe(Type.String({ pattern: '^\\d{1,2}$' })),
  /** This page claims the journey. */
  claim: maybe(OneOf(['1'])),
})

/** PUT /api/embed/profile: a draft; what is given replaces what was there, field by field; null empties a field. */
const clearable = <T extends Record<string, Parameters<typeof Nullable>[0]>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, maybe(Nullable(schema))])) as {
    [Name in keyof T]: ReturnType<typeof maybe<ReturnType<typeof Nullable<T[Name]>>>>
  }
export const EmbedProfileRequest = Closed({
  profile: maybe(Closed(clearable(PersonalFields))),
  workProfile: maybe(Closed(clearable(WorkProfile.properties))),
  address: maybe(Closed(clearable(Address.properties))),
  goldLoan: maybe(Closed(clearable(GoldFields))),
  endUse: maybe(EndUse),
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
  amount: Type.String({ pattern: '^[1-9]\\d{0,9}(?:\\.00)?$', 'x-says': 'must be a whole positive amount in rupees' }),
  tenureMonths: Type.Integer({ minimum: 1, maximum: 600 }),
  /** One of the offer's branches, where it has any. */
  branchID: maybe(Type.String({ minLength: 1, maxLength: 200 })),
  /** Against mutual funds: the units to pledge; by default of every fund in proportion to the amount. */
  pledges: maybe(EmbedChosen),
  /** The language of the text that the borrower read at the choice; English by default. */
  language: Type.Optional(OneOf([...languages])),
})
/** POST /api/embed/offers/{offerID}/accept: the final terms; needs the consent `key_facts`. */
export const EmbedAcceptRequest = Closed({ consents: Type.Array(Consent, { minItems: 1, maxItems: 1 }) })
/** POST /api/embed/offers/{offerID}/decline: ends the journey. */
export const EmbedDeclineRequest = Closed({ reason: maybe(FreeText(500)) })

/** POST /api/embed/consents/withdraw: of all consents of the journey; ends it. */
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
