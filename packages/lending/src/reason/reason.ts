// Reasons why a borrower's request failed: codes by subject, with texts from the catalogues in `text`.

import { Closed, type Static, Type } from '@lendloom/foundation/schema'
import type { Language } from '#lending/language.ts'
import bn from './text/bn.json' with { type: 'json' }
import en from './text/en.json' with { type: 'json' }
import hi from './text/hi.json' with { type: 'json' }
import mr from './text/mr.json' with { type: 'json' }
import ta from './text/ta.json' with { type: 'json' }
import te from './text/te.json' with { type: 'json' }

/** Error codes of network lenders; their subject depends on the stage (FIS12 §3.4). */
const errorReasons = [
  'LENDER_BUSY',
  'LENDER_SLOW',
  'LENDER_UNAVAILABLE',
  'APPLICATION_NOT_DELIVERED',
  'ACCEPTANCE_NOT_DELIVERED',
  'ACCOUNT_NOT_DELIVERED',
  'NO_OFFER_POSSIBLE',
  'NOT_TAKEN_FURTHER',
  'OFFER_GONE',
  'PINCODE_NOT_SERVED',
  'CREDIT_SCORE',
  'NO_CREDIT_HISTORY',
  'AMOUNT_OR_TERM',
  'LENDER_POLICY',
  'DETAILS_TO_CHECK',
  'DETAIL_MISSING',
  'FILE_NOT_UPLOADED',
  'FILE_NOT_FOUND',
  'FILE_KIND',
  'FILE_SIZE',
  'FILE_PROTECTED',
  'TAX_RETURNS_UNUSABLE',
  'BANK_STATEMENT_UNUSABLE',
  'CONSENT_NOT_REQUESTED',
  'CONSENT_NOT_COMPLETED',
  'CONSENT_MISSING',
  'SHARED_DATA_UNREADABLE',
  'AA_HANDLE_NEEDED',
  'IDENTITY_NOT_VERIFIED',
  'IDENTITY_NOT_YET_VERIFIED',
  'IDENTITY_ONCE_MORE',
  'IDENTITY_DOCUMENT_UNUSABLE',
  'ACCOUNT_NOT_VERIFIED',
  'MANDATE_NOT_POSSIBLE',
  'MANDATE_NOT_YET_SET_UP',
  'AGREEMENT_NOT_PREPARED',
  'AGREEMENT_NOT_POSSIBLE',
  'PAYOUT_NOT_COMPLETED',
  'PAYOUT_IN_PREPARATION',
  'PAYOUT_AWAITS_CONSENT',
  'PAYOUT_AWAITS_CALL',
  'PAYOUT_AWAITS_VISIT',
  'PAYOUT_AWAITS_FEE',
  'PAYMENT_LINK_NOT_PREPARED',
  'PAYMENT_NOT_COMPLETED',
  'NOT_POSSIBLE_FOR_LOAN',
  'LOAN_CANCELLED',
] as const
export type ErrorReason = (typeof errorReasons)[number]

const consentReasons = [
  'CONSENT_DECLINED',
  'CONSENT_TIME_OVER',
  'CONSENT_REQUESTED_ANEW',
  'LENDER_UNREACHABLE',
] as const
/** Why a lender did not receive the data that it requested from the borrower. */
export type ConsentReason = ErrorReason | (typeof consentReasons)[number] | 'NO_OFFER_ON_FUNDS' | 'LENDER_NOT_LENDING'

const offerReasons = [
  'LENDER_SILENT',
  'LENDER_NOT_LENDING',
  'NO_OFFER_ON_FUNDS',
  'DETAILS_NOT_TAKEN',
  'FORM_NOT_FILLED',
  'CREDIT_REPORT_MISSING',
  'CREDIT_SCORE_TOO_LOW',
  'INCOME_TOO_LOW',
  'OFFER_TURNED_DOWN',
  'OFFER_EXPIRED',
  'OTHER_OFFER_CHOSEN',
  'CONSENT_WITHDRAWN',
] as const
/** Why a lender makes no offer, or withdraws one. */
export type OfferReason = ConsentReason | (typeof offerReasons)[number]

const stepReasons = [
  'IDENTITY_TRY_AGAIN',
  'IDENTITY_REFUSED',
  'ACCOUNT_NOT_TAKEN',
  'ACCOUNT_TO_SEND_AGAIN',
  'STATEMENT_TRY_AGAIN',
  'STATEMENT_NOT_SHARED',
  'STATEMENT_MISSING',
  'LIEN_NOT_MARKED',
  'MANDATE_TRY_AGAIN',
  'MANDATE_MISSING',
  'AGREEMENT_TRY_AGAIN',
  'AGREEMENT_MISSING',
  'GOLD_NOT_TAKEN_IN',
  'LENDER_PAGE_NOT_DONE',
  'LENDER_PAGE_REFUSED',
  'UNITS_NOT_PLEDGED',
  'LENDER_CANNOT_GO_ON',
  'TRANSFER_FAILED',
] as const
/** Why a step between acceptance and disbursal failed. */
export type StepReason = ErrorReason | (typeof stepReasons)[number]

const endReasons = [
  'NOT_CONTINUED',
  'OFFERS_EXPIRED',
  'FINAL_OFFER_EXPIRED',
  'FINAL_OFFER_GONE',
  'FINAL_OFFER_DECLINED',
  'ALL_OFFERS_TURNED_DOWN',
  'ENDED_BY_BORROWER',
  'CHOICE_NOT_OFFERED',
  'APPLICATION_NOT_TAKEN',
  'APPLICATION_REJECTED',
  'REJECTED_ON_CREDIT_REPORT',
  'APPLICATION_CANCELLED',
  'STEPS_NOT_FINISHED',
  'PAYOUT_NOT_MADE',
  'PAYOUT_RETURNED',
  'NOBODY_REACHED',
] as const
/** Why a journey ended without a loan, or with one whose payout came back, or a search without an answer. */
export type EndReason = StepReason | (typeof endReasons)[number] | 'CONSENT_WITHDRAWN'

const paymentReasons = [
  'PAYMENT_NOT_FOUND',
  'PAYMENT_NOT_MADE',
  'PAYMENT_PAGE_EXPIRED',
  'PAYMENT_AMOUNT_CHANGED',
  'LOAN_REPAID',
  'NO_INSTALMENT_OVERDUE',
  'LENDER_NOT_ANSWERING',
  'NOT_POSSIBLE_NOW',
  'DRAWDOWN_REFUSED',
  'DRAWDOWN_TERMS_CHANGED',
  'DRAWDOWN_RETURNED',
  'DEBIT_UNFUNDED',
  'DEBIT_MANDATE_ENDED',
  'DEBIT_RETURNED',
] as const
/** Why a debit, a drawdown, or a request to the lender after disbursal, failed. */
export type PaymentReason = ErrorReason | (typeof paymentReasons)[number]

export type Reason = OfferReason | EndReason | PaymentReason

export const reasons: readonly Reason[] = [
  ...errorReasons,
  ...consentReasons,
  ...offerReasons,
  ...stepReasons,
  ...endReasons,
  ...paymentReasons,
]

/** What the borrower did without stating a reason; sent to lenders and the borrower's app. */
export type BorrowerWord = 'DECLINED' | 'WITHDREW'

/** The sentence of each reason in each language, without network terms. */
export const reasonTexts: Record<Language, Record<Reason, string>> = { en, hi, ta, te, mr, bn }

/** In English only, like D2 and D3; no page shows it. */
export const borrowerWords: Record<BorrowerWord, string> = {
  DECLINED: 'The borrower declined the final terms.',
  WITHDREW: 'the borrower withdrew the consent',
}

/** A reason for the borrower, which the page translates. The English text is for a page that is older than the reason. */
export const Words = Closed({ code: Type.String(), en: Type.String() })
export type Words = Static<typeof Words>

export const wordsOf = (reason: Reason | null): Words | null => reason && { code: reason, en: en[reason] }

/** The sentence for D2 and hybrid calls, which have one language. */
export const englishOf = (reason: Reason | null): string | null => reason && en[reason]
