// The fourteen events: who sends each, what it is about, its data and the rules between their fields (D3 §6).

import { keysOf } from '@lendloom/foundation/record'
import type { FieldError } from '@lendloom/foundation/refusal'
import { faults, fits, type Static, type TSchema } from '@lendloom/foundation/schema'
import {
  checkDisbursementUpdated,
  checkPaymentUpdated,
  DisbursementUpdated,
  LoanStatusUpdated,
  PaymentClaimSubmitted,
  PaymentUpdated,
} from './event/account.ts'
import {
  checkManualReviewDecided,
  ManualReviewDecided,
  OfferDecisionConfirmed,
  OfferDecisionRecorded,
} from './event/decision.ts'
import { EventProcessingFailed } from './event/event-processing-failed.ts'
import { checkKycUpdated, KycReviewDecided, KycUpdated } from './event/kyc.ts'
import { checkLeadRegistered, checkLeadSubmitted, LeadRegistered, LeadSubmitted } from './event/lead.ts'
import { checkEsignUpdated, checkMandateUpdated, EsignUpdated, MandateUpdated } from './event/mandate.ts'

/** The two sides of the exchange. */
export type Side = 'platform' | 'partner'

export interface EventKind<D extends TSchema = TSchema> {
  sender: Side | 'either'
  entity: 'CASE' | 'PAYMENT'
  summary: string
  data: D
  /** Rules between fields that the data breaks; the data must match its schema. */
  check(data: Static<D>, under: string): FieldError[]
  /** The faults of data of any shape. */
  faultsOf(data: unknown, under: string): FieldError[]
}

const kind = <D extends TSchema>(
  sender: EventKind['sender'],
  summary: string,
  data: D,
  check: EventKind<D>['check'] = () => [],
): EventKind<D> => ({
  sender,
  entity: 'CASE',
  summary,
  data,
  check,
  faultsOf: (value, under) => (fits(data, value) ? check(value, under) : faults(data, value, under)),
})

export const catalogue = {
  LEAD_SUBMITTED: kind('platform', 'Create one case from the complete dataset', LeadSubmitted, checkLeadSubmitted),
  LEAD_REGISTERED: kind('partner', 'Return case and reserved loan IDs', LeadRegistered, checkLeadRegistered),
  MANUAL_REVIEW_DECIDED: kind(
    'partner',
    'Approve with a final offer or reject with reason',
    ManualReviewDecided,
    checkManualReviewDecided,
  ),
  OFFER_DECISION_RECORDED: kind('platform', 'Borrower acceptance, rejection or expiry', OfferDecisionRecorded),
  OFFER_DECISION_CONFIRMED: kind('partner', 'Confirm the recorded decision', OfferDecisionConfirmed),
  KYC_UPDATED: kind('platform', 'Verified provider KYC status', KycUpdated, checkKycUpdated),
  KYC_REVIEW_DECIDED: kind('partner', 'Lender KYC review, subject to provider verification', KycReviewDecided),
  MANDATE_UPDATED: kind('platform', 'Mandate registration authority and status', MandateUpdated, checkMandateUpdated),
  ESIGN_UPDATED: kind('platform', 'Provider signing outcome', EsignUpdated, checkEsignUpdated),
  DISBURSEMENT_UPDATED: kind(
    'partner',
    'Pending, failed or verified bank transfer',
    DisbursementUpdated,
    checkDisbursementUpdated,
  ),
  PAYMENT_CLAIM_SUBMITTED: kind('platform', 'Pending borrower payment claim', PaymentClaimSubmitted),
  PAYMENT_UPDATED: {
    ...kind('partner', 'Collection attempt, posted receipt or reversal', PaymentUpdated, checkPaymentUpdated),
    entity: 'PAYMENT',
  },
  LOAN_STATUS_UPDATED: kind('partner', 'Newer account state; triggers Status refresh', LoanStatusUpdated),
  EVENT_PROCESSING_FAILED: kind('either', 'A stored event could not be applied', EventProcessingFailed),
} as const

export type EventType = keyof typeof catalogue
export const eventTypes = keysOf(catalogue)
export type DataOf<T extends EventType> = Static<(typeof catalogue)[T]['data']>

export const isEventType = (text: unknown): text is EventType =>
  typeof text === 'string' && Object.hasOwn(catalogue, text)
export const senderOf = (type: EventType): EventKind['sender'] => catalogue[type].sender
export const entityOf = (type: EventType): EventKind['entity'] => catalogue[type].entity
