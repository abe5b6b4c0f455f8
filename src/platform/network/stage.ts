// The progress of a conversation with one lender: personal loan (FIS12 §8.1), gold loan (§9.1), against mutual funds
// (§10.2).
import type { Table } from '#kit/runtime/machine.ts'

/**
 * DISCOVERED the lender is listed · PROFILE_SENT … PROFILED its profile form · SELECTED asked for an offer ·
 * CONSENT_REQUESTED the borrower must share bank data, CONSENT_GIVEN asked again after that · OFFERED · AMOUNT_SENT,
 * AMOUNT_ACCEPTED its amount form · RESELECTED asked for the final terms · FINAL_TERMS the KYC page is due, or for a
 * gold loan the visit to the branch, where the borrower is identified and signs · KYC_DONE · INITIATED asked for the
 * next page · BANK_REQUESTED, BANK_SENT, BANK_ACCEPTED its account form · MANDATE_REQUESTED, MANDATE_DONE ·
 * AGREEMENT_REQUESTED, AGREEMENT_DONE · CONFIRM_SENT · CONFIRMED sanctioned, has an order · MONITORING_REQUESTED the
 * borrower must consent to monitoring of the account, MONITORING_GIVEN the lender was notified · DISBURSED · ENDED.
 * Against mutual funds SELECTED needs no form, RESELECTED names the units to pledge, and after TERMS_GIVEN the account
 * is submitted before the KYC page · LIEN_REQUESTED, LIEN_DONE the page for pledging units.
 */
export const stageNames = [
  'DISCOVERED',
  'PROFILE_SENT',
  'PROFILED',
  'SELECTED',
  'CONSENT_REQUESTED',
  'CONSENT_GIVEN',
  'OFFERED',
  'AMOUNT_SENT',
  'AMOUNT_ACCEPTED',
  'RESELECTED',
  'TERMS_GIVEN',
  'FINAL_TERMS',
  'KYC_DONE',
  'INITIATED',
  'BANK_REQUESTED',
  'BANK_SENT',
  'BANK_ACCEPTED',
  'LIEN_REQUESTED',
  'LIEN_DONE',
  'MANDATE_REQUESTED',
  'MANDATE_DONE',
  'AGREEMENT_REQUESTED',
  'AGREEMENT_DONE',
  'CONFIRM_SENT',
  'CONFIRMED',
  'MONITORING_REQUESTED',
  'MONITORING_GIVEN',
  'DISBURSED',
  'ENDED',
] as const
export type ConversationStage = (typeof stageNames)[number]

/** Our moves. */
export type OwnMove = 'formSent' | 'apply' | 'select' | 'pledge' | 'init' | 'confirm' | 'approve' | 'end'

/** Moves caused by a form result or by a lender's message. */
export type InboundMove =
  | 'formAccepted'
  | 'formRefused'
  | 'consentRequested' // the borrower must approve a consent at the account aggregator
  | 'offered'
  | 'finalTerms'
  | 'pledgeTerms' // for the pledged units; without a page
  | 'kycRequested'
  | 'lienRequested'
  | 'pageDone'
  | 'pageFailed'
  | 'pageWaiting'
  | 'bankRequested'
  | 'mandateRequested'
  | 'agreementRequested'
  | 'unsigned' // the lender withdraws a signature that it had reported
  | 'sanctioned' // the visit included the signature
  | 'allSigned'
  | 'confirmed'
  | 'notConfirmed' // the lender's status answer has no order
  | 'disbursed'
  | 'completed'
  | 'cancelled' // the lender cancels the sanctioned loan
  | 'refreshed' // no news

export type ConversationMove = OwnMove | InboundMove

const page = (here: ConversationStage, done: ConversationStage) =>
  ({ pageDone: done, pageFailed: here, pageWaiting: here, refreshed: here, end: 'ENDED' }) as const

/** Unanswered requests may be repeated: `select`, `init` and `confirm` lead back to their stage. */
const moves: Table<ConversationStage, ConversationMove> = {
  DISCOVERED: { formSent: 'PROFILE_SENT', apply: 'SELECTED', end: 'ENDED' },
  PROFILE_SENT: { formAccepted: 'PROFILED', formRefused: 'DISCOVERED', end: 'ENDED' },
  PROFILED: { select: 'SELECTED', end: 'ENDED' },
  // The first form is sent again with another aggregator handle (error 80230).
  SELECTED: {
    offered: 'OFFERED',
    consentRequested: 'CONSENT_REQUESTED',
    select: 'SELECTED',
    apply: 'SELECTED',
    formSent: 'PROFILE_SENT',
    end: 'ENDED',
  },
  // Repeating the submission reports the borrower's approval (FIS12 §7.8).
  CONSENT_REQUESTED: {
    offered: 'OFFERED',
    consentRequested: 'CONSENT_REQUESTED',
    select: 'CONSENT_GIVEN',
    end: 'ENDED',
  },
  CONSENT_GIVEN: { offered: 'OFFERED', consentRequested: 'CONSENT_REQUESTED', select: 'CONSENT_GIVEN', end: 'ENDED' },
  // `select` requests an expired quote again with the same submission (FIS12 §3.3).
  OFFERED: { formSent: 'AMOUNT_SENT', select: 'SELECTED', pledge: 'RESELECTED', refreshed: 'OFFERED', end: 'ENDED' },
  AMOUNT_SENT: { formAccepted: 'AMOUNT_ACCEPTED', formRefused: 'OFFERED', end: 'ENDED' },
  AMOUNT_ACCEPTED: { select: 'RESELECTED', end: 'ENDED' },
  RESELECTED: {
    finalTerms: 'FINAL_TERMS',
    pledgeTerms: 'TERMS_GIVEN',
    select: 'RESELECTED',
    pledge: 'RESELECTED',
    end: 'ENDED',
  },
  TERMS_GIVEN: { init: 'INITIATED', refreshed: 'TERMS_GIVEN', end: 'ENDED' },
  FINAL_TERMS: page('FINAL_TERMS', 'KYC_DONE'),
  KYC_DONE: { init: 'INITIATED', refreshed: 'KYC_DONE', end: 'ENDED' },
  INITIATED: {
    bankRequested: 'BANK_REQUESTED',
    mandateRequested: 'MANDATE_REQUESTED',
    agreementRequested: 'AGREEMENT_REQUESTED',
    sanctioned: 'AGREEMENT_DONE',
    allSigned: 'AGREEMENT_DONE',
    kycRequested: 'FINAL_TERMS',
    lienRequested: 'LIEN_REQUESTED',
    init: 'INITIATED',
    // The account was rejected: another one is submitted on the same form (error 80206).
    formSent: 'BANK_SENT',
    end: 'ENDED',
  },
  BANK_REQUESTED: { formSent: 'BANK_SENT', refreshed: 'BANK_REQUESTED', end: 'ENDED' },
  BANK_SENT: { formAccepted: 'BANK_ACCEPTED', formRefused: 'BANK_REQUESTED', end: 'ENDED' },
  BANK_ACCEPTED: { init: 'INITIATED', end: 'ENDED' },
  LIEN_REQUESTED: page('LIEN_REQUESTED', 'LIEN_DONE'),
  LIEN_DONE: { init: 'INITIATED', refreshed: 'LIEN_DONE', end: 'ENDED' },
  MANDATE_REQUESTED: page('MANDATE_REQUESTED', 'MANDATE_DONE'),
  MANDATE_DONE: { init: 'INITIATED', refreshed: 'MANDATE_DONE', end: 'ENDED' },
  // `confirm` is allowed unsigned: some lenders never report the signature (FIS12 §19.3).
  AGREEMENT_REQUESTED: { ...page('AGREEMENT_REQUESTED', 'AGREEMENT_DONE'), confirm: 'CONFIRM_SENT' },
  AGREEMENT_DONE: { confirm: 'CONFIRM_SENT', init: 'INITIATED', refreshed: 'AGREEMENT_DONE', end: 'ENDED' },
  CONFIRM_SENT: {
    confirmed: 'CONFIRMED',
    notConfirmed: 'AGREEMENT_DONE',
    consentRequested: 'MONITORING_REQUESTED',
    disbursed: 'DISBURSED',
    unsigned: 'AGREEMENT_REQUESTED',
    pageDone: 'AGREEMENT_DONE',
    confirm: 'CONFIRM_SENT',
    end: 'ENDED',
  },
  CONFIRMED: {
    consentRequested: 'MONITORING_REQUESTED',
    disbursed: 'DISBURSED',
    completed: 'ENDED',
    refreshed: 'CONFIRMED',
    end: 'ENDED',
  },
  MONITORING_REQUESTED: {
    consentRequested: 'MONITORING_REQUESTED',
    approve: 'MONITORING_GIVEN',
    disbursed: 'DISBURSED',
    refreshed: 'MONITORING_REQUESTED',
    end: 'ENDED',
  },
  // Until the lender has processed the approval, its status repeats the consent request.
  MONITORING_GIVEN: {
    consentRequested: 'MONITORING_GIVEN',
    approve: 'MONITORING_GIVEN',
    disbursed: 'DISBURSED',
    refreshed: 'MONITORING_GIVEN',
    end: 'ENDED',
  },
  DISBURSED: { refreshed: 'DISBURSED', completed: 'ENDED' },
  ENDED: {},
}

/** Stages in which the lender may cancel: from its final terms until disbursal (FIS12 §11.3). */
const cancellable = stageNames.slice(stageNames.indexOf('TERMS_GIVEN'), stageNames.indexOf('DISBURSED'))

export const stages: Table<ConversationStage, ConversationMove> = {
  ...moves,
  ...Object.fromEntries(cancellable.map((stage) => [stage, { ...moves[stage], cancelled: 'ENDED' }])),
}
