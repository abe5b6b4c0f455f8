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

/** Declares an event about a case. */
const eventKind = <D extends TSchema>(
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

/** The events by type. */
export const catalogue = {
  LEAD_SUBMITTED: eventKind('platform', 'Create one case from the complete dataset', LeadSubmitted, checkLeadSubmitted),
  LEAD_REGISTERED: eventKind('partner', 'Return case and reserved loan IDs', LeadRegistered, checkLeadRegistered),
  MANUAL_REVIEW_DECIDED: eventKind(
    'partner',
    'Approve with a final offer or reject with reason',
    ManualReviewDecided,
    checkManualReviewDecided,
  ),
  OFFER_DECISION_RECORDED: eventKind('platform', 'Borrower acceptance, rejection or expiry', OfferDecisionRecorded),
  OFFER_DECISION_CONFIRMED: eventKind('partner', 'Confirm the recorded decision', OfferDecisionConfirmed),
  KYC_UPDATED: eventKind('platform', 'Verified provider KYC status', KycUpdated, checkKycUpdated),
  KYC_REVIEW_DECIDED: eventKind('partner', 'Lender KYC review, subject to provider verification', KycReviewDecided),
  MANDATE_UPDATED: eventKind(
    'platform',
    'Mandate registration authority and status',
    MandateUpdated,
    checkMandateUpdated,
  ),
  ESIGN_UPDATED: eventKind('platform', 'Provider signing outcome', EsignUpdated, checkEsignUpdated),
  DISBURSEMENT_UPDATED: eventKind(
    'partner',
    'Pending, failed or verified bank transfer',
    DisbursementUpdated,
    checkDisbursementUpdated,
  ),
  PAYMENT_CLAIM_SUBMITTED: eventKind('platform', 'Pending borrower payment claim', PaymentClaimSubmitted),
  PAYMENT_UPDATED: {
    ...eventKind('partner', 'Collection attempt, posted receipt or reversal', PaymentUpdated, checkPaymentUpdated),
    entity: 'PAYMENT',
  },
  LOAN_STATUS_UPDATED: eventKind('partner', 'Newer account state; triggers Status refresh', LoanStatusUpdated),
  EVENT_PROCESSING_FAILED: eventKind('either', 'A stored event could not be applied', EventProcessingFailed),
} as const

export type EventType = keyof typeof catalogue
export const eventTypes = keysOf(catalogue)
export type DataOf<T extends EventType> = Static<(typeof catalogue)[T]['data']>

/** Whether a text from outside is a type of the catalogue. */
export const isEventType = (text: unknown): text is EventType =>
  typeof text === 'string' && Object.hasOwn(catalogue, text)
export const senderOf = (type: EventType): EventKind['sender'] => catalogue[type].sender
export const entityOf = (type: EventType): EventKind['entity'] => catalogue[type].entity
