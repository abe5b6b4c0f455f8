// Hosted page: the view of the journey, which is all that the page shows at one time.

import { Closed, Nullable, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { productIds } from '@lendloom/lending/product/products'
import { advices, bureaus } from '@lendloom/lending/reason/advice'
import { Words } from '@lendloom/lending/reason/reason'
import { Money, Text } from '#wire/basic-schemas.ts'
import { StepStatus } from '#wire/headless/enums.ts'
import { embedDrawdownParts } from './drawdown.ts'
import { EmbedRequestedConsent } from './embed-consents.ts'
import { EmbedFundStatement } from './embed-funds.ts'
import { EmbedGrievances } from './embed-grievance.ts'
import { EmbedBranch, EmbedHolding, EmbedLender, EmbedPledge } from './embed-lender.ts'
import { EmbedOffer, EmbedQuote } from './embed-offer.ts'
import { embedLoanParts } from './embed-servicing.ts'
import { LifecycleStatus, LifecycleUpdate } from './lifecycle.ts'
import { Address, EndUse, GoldProfile, PersonalFields, WorkProfile } from './profile.ts'

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

export const EmbedStep = Closed({
  status: StepStatus,
  attempts: Type.Integer(),
  /** The lender's page for this step; null without one, or if the borrower need not act. */
  redirectUrl: Nullable(Text),
  /** Why the last attempt failed; null when it did not. */
  problem: Nullable(Words),
})
export type EmbedStep = Static<typeof EmbedStep>

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
  /** Whether the app filled in the borrower's details, and the borrower has not done anything yet. */
  prefilled: Type.Boolean(),
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
  accountAggregator: Type.Array(EmbedRequestedConsent),
  /** Whether an offer may still arrive without the borrower doing anything. */
  searching: Type.Boolean(),
  /** The lenders' first offers, unchanged, ordered by annual percentage rate, lowest first. */
  offers: Type.Array(EmbedOffer),
  /** Loans against mutual funds, until an offer is chosen: the borrower's funds; empty otherwise. */
  holdings: Type.Array(EmbedHolding),
  /** Loans against mutual funds, until the search: the state of the borrower's statement; null otherwise. */
  funds: Nullable(EmbedFundStatement),
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
      /** The progress on the lender's page, if it has all steps after the offer; null for a page per step. */
      lenderPage: Nullable(
        Closed({
          /** Whether the borrower completes it alone; else the lender's people help. */
          isOnline: Type.Boolean(),
          /** Whether the lender has told that the borrower has completed the page, and pays out. */
          isDone: Type.Boolean(),
          stops: Type.Array(
            Closed({
              step: OneOf(['kyc', 'bankMandate', 'eMandate', 'pledge', 'loanAgreement']),
              state: OneOf(['done', 'now', 'next']),
            }),
          ),
        }),
      ),
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
  ...embedDrawdownParts,
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
  /** Until the search: the last application that ended without a loan, the lender that rejected it, if one did, and whether it expired. */
  lastApplication: Nullable(Closed({ endedAt: Text, lender: Nullable(Text), expired: Type.Boolean() })),
  /** Until the search: the lender of the borrower's last closed loan, which the page can open; null without one. */
  earlierLoan: Nullable(Closed({ lender: Text, creditLine: Type.Boolean() })),
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
