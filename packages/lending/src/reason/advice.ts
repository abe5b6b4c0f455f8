// A borrower's options for each reason: one advice per reason that can end a journey or prevent an offer.
import type { Reason } from './reason.ts'

/** In the order of display: what the borrower can change most reliably comes first. */
export const advices = [
  'CREDIT',
  'INCOME',
  'AMOUNT',
  'DETAILS',
  'IDENTITY',
  'STATEMENT',
  'ACCOUNT',
  'MANDATE',
  'AGREEMENT',
  'GOLD',
  'UNITS',
  'TIME',
  'AWAY',
  'POLICY',
  'OWN',
] as const
export type Advice = (typeof advices)[number]

const reasonsOf: Record<Advice, readonly Reason[]> = {
  CREDIT: [
    'CREDIT_SCORE',
    'NO_CREDIT_HISTORY',
    'CREDIT_REPORT_MISSING',
    'CREDIT_SCORE_TOO_LOW',
    'REJECTED_ON_CREDIT_REPORT',
  ],
  INCOME: ['INCOME_TOO_LOW', 'TAX_RETURNS_UNUSABLE'],
  AMOUNT: ['AMOUNT_OR_TERM', 'CHOICE_NOT_OFFERED'],
  DETAILS: [
    'DETAILS_TO_CHECK',
    'DETAIL_MISSING',
    'DETAILS_NOT_TAKEN',
    'FILE_NOT_UPLOADED',
    'FILE_NOT_FOUND',
    'FILE_KIND',
    'FILE_SIZE',
    'FILE_PROTECTED',
  ],
  IDENTITY: [
    'IDENTITY_NOT_VERIFIED',
    'IDENTITY_NOT_YET_VERIFIED',
    'IDENTITY_ONCE_MORE',
    'IDENTITY_DOCUMENT_UNUSABLE',
    'IDENTITY_TRY_AGAIN',
    'IDENTITY_REFUSED',
  ],
  STATEMENT: [
    'BANK_STATEMENT_UNUSABLE',
    'STATEMENT_TRY_AGAIN',
    'STATEMENT_NOT_SHARED',
    'STATEMENT_MISSING',
    'CONSENT_NOT_REQUESTED',
    'CONSENT_NOT_COMPLETED',
    'CONSENT_MISSING',
    'SHARED_DATA_UNREADABLE',
    'AA_HANDLE_NEEDED',
    'CONSENT_DECLINED',
    'CONSENT_TIME_OVER',
    'CONSENT_REQUESTED_ANEW',
    'PAYOUT_AWAITS_CONSENT',
  ],
  ACCOUNT: [
    'ACCOUNT_NOT_VERIFIED',
    'ACCOUNT_NOT_TAKEN',
    'ACCOUNT_TO_SEND_AGAIN',
    'ACCOUNT_NOT_DELIVERED',
    'TRANSFER_FAILED',
    'PAYOUT_NOT_COMPLETED',
    'PAYOUT_RETURNED',
  ],
  MANDATE: ['MANDATE_NOT_POSSIBLE', 'MANDATE_NOT_YET_SET_UP', 'MANDATE_TRY_AGAIN', 'MANDATE_MISSING'],
  AGREEMENT: ['AGREEMENT_NOT_PREPARED', 'AGREEMENT_NOT_POSSIBLE', 'AGREEMENT_TRY_AGAIN', 'AGREEMENT_MISSING'],
  GOLD: ['GOLD_NOT_TAKEN_IN'],
  UNITS: ['LIEN_NOT_MARKED', 'UNITS_NOT_PLEDGED', 'NO_OFFER_ON_FUNDS'],
  TIME: [
    'OFFER_GONE',
    'OFFER_EXPIRED',
    'NOT_CONTINUED',
    'OFFERS_EXPIRED',
    'FINAL_OFFER_EXPIRED',
    'FINAL_OFFER_GONE',
    'STEPS_NOT_FINISHED',
    'LENDER_PAGE_NOT_DONE',
    'PAYOUT_NOT_MADE',
  ],
  AWAY: [
    'LENDER_BUSY',
    'LENDER_SLOW',
    'LENDER_UNAVAILABLE',
    'LENDER_UNREACHABLE',
    'LENDER_SILENT',
    'LENDER_NOT_LENDING',
    'APPLICATION_NOT_DELIVERED',
    'ACCEPTANCE_NOT_DELIVERED',
    'NOBODY_REACHED',
    'FORM_NOT_FILLED',
  ],
  POLICY: [
    'NO_OFFER_POSSIBLE',
    'NOT_TAKEN_FURTHER',
    'PINCODE_NOT_SERVED',
    'LENDER_POLICY',
    'LENDER_CANNOT_GO_ON',
    'LENDER_PAGE_REFUSED',
    'APPLICATION_NOT_TAKEN',
    'APPLICATION_REJECTED',
    'NOT_POSSIBLE_FOR_LOAN',
    'LOAN_CANCELLED',
    'PAYOUT_IN_PREPARATION',
    'PAYOUT_AWAITS_CALL',
    'PAYOUT_AWAITS_VISIT',
    'PAYOUT_AWAITS_FEE',
  ],
  OWN: [
    'OFFER_TURNED_DOWN',
    'OTHER_OFFER_CHOSEN',
    'CONSENT_WITHDRAWN',
    'FINAL_OFFER_DECLINED',
    'ALL_OFFERS_TURNED_DOWN',
    'ENDED_BY_BORROWER',
    'APPLICATION_CANCELLED',
  ],
}

const adviceByReason = new Map<Reason, Advice>(
  advices.flatMap((advice) => reasonsOf[advice].map((reason) => [reason, advice] as const)),
)

/** The credit information companies that the Reserve Bank has licensed. */
export const bureaus = ['CIBIL', 'EXPERIAN', 'EQUIFAX', 'CRIF'] as const
export type BureauName = (typeof bureaus)[number]

/** The bureau named in a text, such as `TRANSUNION_CIBIL`; null without one. */
export const bureauNamed = (text: string): BureauName | null =>
  bureaus.find((bureau) => new RegExp(`(?<![a-z])${bureau}(?![a-z])`, 'i').test(text)) ?? null

/** Returns each advice for these reasons once. */
export function adviceOn(given: readonly Reason[]): Advice[] {
  const found = new Set(given.map((reason) => adviceByReason.get(reason)))
  return advices.filter((advice) => found.has(advice))
}
