// Offers (D2 §2.3, §4): cards, detail, proceed, reject, loan-amount.

import { Closed, OneOf, orNull, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import { Instant, InstantOrNull, Text, TextOrNull } from '#wire/basic-schemas.ts'
import { FreeText } from '#wire/hosted/profile.ts'
import { AnsweredAmount, RequestedAmount } from './amounts.ts'
import { AaSessionState, offerCardStatuses, RequiredAction } from './enums.ts'
import { Page } from './paging.ts'

export const PenalCharge = Closed({ kind: OneOf(['DELAY', 'OTHER', 'FORECLOSURE', 'RATE_CONVERSION']), text: Text })

/** Whether the offer needs the borrower's consent to share bank data, and how far that is. */
export const OfferConsent = Closed({ required: Type.Boolean(), state: AaSessionState, actionRequired: RequiredAction })

/** Values that the lender has not sent are null; before the offer, most are. */
const card = {
  lenderID: Uuid,
  lenderName: Text,
  logoUrl: TextOrNull,
  offerID: Uuid,
  status: OneOf([...offerCardStatuses]),
  amountPrincipal: orNull(AnsweredAmount),
  interestRate: TextOrNull,
  offerTerm: TextOrNull,
  annualPercentageRate: TextOrNull,
  installmentAmount: orNull(AnsweredAmount),
  penalCharges: Type.Array(PenalCharge),
  keyFactsStatementLink: TextOrNull,
  aa: OfferConsent,
  /** Why there is no offer (yet), as a text for the borrower. */
  lenderStateReason: TextOrNull,
  /** The end of the offer's validity. */
  validUntil: InstantOrNull,
}
export const OfferCard = Closed(card)
export type OfferCard = Static<typeof OfferCard>

export const OfferList = Closed({ items: Type.Array(OfferCard), page: Page })

const boundaryStates = ['OPEN', 'LOCKED', 'LOCKED_TO_DIFFERENT_OFFER'] as const

/** A branch where a lender accepts gold, nearest first by the borrower's PIN code. */
export const Branch = Closed({
  branchID: Text,
  name: TextOrNull,
  address: TextOrNull,
  pincode: TextOrNull,
  latitude: orNull(Type.Number()),
  longitude: orNull(Type.Number()),
  /** Approximate distance from the borrower's home; 0 in the same postal district. */
  aboutKm: orNull(Type.Integer()),
})

/** The person at the lender whom the borrower may ask. */
export const LenderAgent = Closed({ name: TextOrNull, phone: TextOrNull })

/** A part of the price, in the lender's words. */
export const PricePart = Closed({ title: Text, amount: AnsweredAmount })

export const Installment = Closed({
  installmentID: Text,
  serialNumber: Type.Integer(),
  amount: AnsweredAmount,
  dueOn: Text,
  status: Text,
})

export const Fulfillment = Closed({ type: Text, status: Text })

/** When and through which channel the borrower chose the offer. */
export const OfferSelectionLock = Closed({ lockedAt: Instant, lockSource: Text })

/** What the borrower may request. */
export const OfferLimits = Closed({
  leastAmount: AnsweredAmount,
  mostAmount: AnsweredAmount,
  leastTenureMonths: Type.Integer(),
  mostTenureMonths: Type.Integer(),
})

export const OfferDetail = Closed({
  ...card,
  /** Gold loans only: loan-to-value ratio, possible branches, the chosen branch, and the lender's agent. */
  ltvRatio: TextOrNull,
  branches: Type.Array(Branch),
  branchID: TextOrNull,
  agent: Type.Union([LenderAgent, Type.Null()]),
  visitBooked: Type.Boolean(),
  breakup: Type.Array(PricePart),
  installments: Type.Array(Installment),
  fulfillments: Type.Array(Fulfillment),
  proceedBoundaryState: OneOf([...boundaryStates]),
  offerSelectionLock: Type.Union([OfferSelectionLock, Type.Null()]),
  limits: OfferLimits,
  /** The amount and term that the borrower requested with loan-amount; null until then. */
  requestedAmount: orNull(AnsweredAmount),
  /** Whether the terms are final, and whether they differ from the lender's first terms. */
  termsFinal: Type.Boolean(),
  termsChanged: Type.Boolean(),
  expired: Type.Boolean(),
  rejectedAt: InstantOrNull,
})
export type OfferDetail = Static<typeof OfferDetail>

/** The branch for a gold loan; optional when the lender has only one. */
export const ProceedRequest = Closed({ branchID: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) })

export const ProceedResult = Closed({
  journeyID: Uuid,
  offerID: Uuid,
  status: OneOf(['PROCEEDED']),
  proceeded: Type.Boolean(),
  proceedBoundaryState: OneOf(['LOCKED']),
  offerSelectionLock: OfferSelectionLock,
})
export type ProceedResult = Static<typeof ProceedResult>

export const RejectRequest = Closed({ rejectedStage: FreeText(100), rejectionReason: FreeText(500) })
export type RejectRequest = Static<typeof RejectRequest>
export const RejectResult = Closed({
  journeyID: Uuid,
  offerID: Uuid,
  status: OneOf(['REJECTED']),
  rejectedStage: Text,
  rejectionReason: Text,
  rejectedAt: Instant,
})
export type RejectResult = Static<typeof RejectResult>

export const LoanAmountRequest = Closed({ amount: RequestedAmount })
export type LoanAmountRequest = Static<typeof LoanAmountRequest>
export const LoanAmountResult = Closed({ journeyID: Uuid, offerID: Uuid, amount: AnsweredAmount, updatedAt: Instant })
export type LoanAmountResult = Static<typeof LoanAmountResult>
