// The stages of a conversation with one lender (FIS12 §8.1 personal loans, §9.1 gold loans, §10.2 mutual-fund loans).
import type { Table } from '@lendloom/foundation/machine'

export const conversationStageNames = [
  'DISCOVERED', // the catalogue lists the lender
  'DEDUPE_SENT', // we asked whether the lender takes the borrower
  'PROFILE_SENT', // we submitted the profile form
  'PROFILED', // the lender accepted the profile form
  'SELECTED', // we requested an offer; a mutual-fund loan has no profile form before it
  'CONSENT_REQUESTED', // the borrower must share bank data
  'CONSENT_GIVEN', // we requested the offer again, after the consent
  'OFFERED',
  'AMOUNT_SENT', // we submitted the form for the chosen amount
  'AMOUNT_ACCEPTED',
  'RESELECTED', // we requested the final terms; for a mutual-fund loan the request has the units to pledge
  'TERMS_GIVEN', // mutual-fund loan: the terms arrived, and `init` submits the bank account before the KYC page
  'FINAL_TERMS', // the KYC page is due, or for a gold loan the visit to the branch
  'KYC_DONE',
  'INITIATED', // we requested the next page
  'BANK_REQUESTED', // the lender sent the form for the bank account
  'BANK_SENT',
  'BANK_ACCEPTED',
  'LIEN_REQUESTED', // the lender sent the page for pledging units
  'LIEN_DONE',
  'MANDATE_REQUESTED',
  'MANDATE_DONE',
  'AGREEMENT_REQUESTED',
  'AGREEMENT_DONE',
  'CONFIRM_SENT', // we asked for the order; a mutual-fund loan with stops asks by another select
  'CONFIRMED', // the loan is sanctioned and has an order
  'MONITORING_REQUESTED', // the borrower must consent to monitoring of the account
  'MONITORING_GIVEN', // the lender was notified of the consent
  'DISBURSED',
  'ENDED',
] as const
export type ConversationStage = (typeof conversationStageNames)[number]

export type PlatformMove =
  | 'formSent'
  | 'apply'
  | 'dedupe'
  | 'select'
  | 'pledge'
  | 'chooseBranch' // the offer is final except for the branch
  | 'openPage' // the lender's page came with its offer
  | 'leavePage' // all is done on the lender's one page
  | 'init'
  | 'confirm'
  | 'approve'
  | 'end'

/** Transitions that a form result or a lender's message causes. */
export type InboundMove =
  | 'formAccepted'
  | 'formRefused'
  | 'borrowerTaken' // the lender takes an application of this borrower
  | 'borrowerNotTaken'
  | 'consentRequested' // the borrower must approve a consent at the account aggregator
  | 'offered'
  | 'finalTerms'
  | 'pledgeTerms' // the terms for the pledged units arrived, without a page
  | 'kycRequested'
  | 'lienRequested'
  | 'pageDone'
  | 'reportedLate' // the lender reports the page after which we went on without a report (FIS12 §24)
  | 'pageFailed'
  | 'pageWaiting'
  | 'bankRequested'
  | 'mandateRequested'
  | 'agreementRequested'
  | 'unsigned' // the lender withdraws a signature that it had reported
  | 'pageTaken' // the lender took note that its page is done, and will place the order unasked
  | 'ordered' // the lender placed the order before we told that its page is done
  | 'paidOut' // the lender has paid out, and the loan has no order yet
  | 'sanctioned' // gold loan: the branch visit included the signature
  | 'allSigned'
  | 'confirmed'
  | 'notConfirmed' // the lender's status answer has no order
  | 'disbursed'
  | 'completed'
  | 'cancelled' // the lender cancels the sanctioned loan
  | 'refreshed' // the message keeps the stage

export type ConversationMove = PlatformMove | InboundMove

/** The transitions of a stage in which the borrower must complete a page of the lender. */
const pageMoves = (due: ConversationStage, done: ConversationStage) =>
  ({ pageDone: done, pageFailed: due, pageWaiting: due, refreshed: due, end: 'ENDED' }) as const

/** `select`, `init` and `confirm` may lead back to the same stage, so that an unanswered request can be repeated. */
const moves: Table<ConversationStage, ConversationMove> = {
  DISCOVERED: { formSent: 'PROFILE_SENT', apply: 'SELECTED', dedupe: 'DEDUPE_SENT', end: 'ENDED' },
  // A lender that does not answer its own check still gets the application.
  DEDUPE_SENT: {
    borrowerTaken: 'DISCOVERED',
    borrowerNotTaken: 'ENDED',
    formSent: 'PROFILE_SENT',
    end: 'ENDED',
  },
  PROFILE_SENT: { formAccepted: 'PROFILED', formRefused: 'DISCOVERED', end: 'ENDED' },
  PROFILED: { select: 'SELECTED', end: 'ENDED' },
  // After error 80230 the profile form is sent again, with another aggregator handle.
  SELECTED: {
    offered: 'OFFERED',
    consentRequested: 'CONSENT_REQUESTED',
    select: 'SELECTED',
    apply: 'SELECTED',
    formSent: 'PROFILE_SENT',
    end: 'ENDED',
  },
  // `select` reports the borrower's approval; it repeats the same submission (FIS12 §7.8).
  CONSENT_REQUESTED: {
    offered: 'OFFERED',
    consentRequested: 'CONSENT_REQUESTED',
    select: 'CONSENT_GIVEN',
    end: 'ENDED',
  },
  CONSENT_GIVEN: { offered: 'OFFERED', consentRequested: 'CONSENT_REQUESTED', select: 'CONSENT_GIVEN', end: 'ENDED' },
  // `select` requests an expired quote again with the same submission (FIS12 §3.3).
  // A lender with one page for all later steps has sent it with its offer, or sends it for the branch (FIS12 §26).
  OFFERED: {
    formSent: 'AMOUNT_SENT',
    select: 'SELECTED',
    pledge: 'RESELECTED',
    chooseBranch: 'RESELECTED',
    openPage: 'FINAL_TERMS',
    refreshed: 'OFFERED',
    end: 'ENDED',
  },
  AMOUNT_SENT: { formAccepted: 'AMOUNT_ACCEPTED', formRefused: 'OFFERED', end: 'ENDED' },
  AMOUNT_ACCEPTED: { select: 'RESELECTED', end: 'ENDED' },
  RESELECTED: {
    finalTerms: 'FINAL_TERMS',
    pledgeTerms: 'TERMS_GIVEN',
    select: 'RESELECTED',
    pledge: 'RESELECTED',
    chooseBranch: 'RESELECTED',
    end: 'ENDED',
  },
  TERMS_GIVEN: { init: 'INITIATED', refreshed: 'TERMS_GIVEN', end: 'ENDED' },
  FINAL_TERMS: {
    ...pageMoves('FINAL_TERMS', 'KYC_DONE'),
    paidOut: 'AGREEMENT_DONE',
    leavePage: 'AGREEMENT_DONE',
    ordered: 'CONFIRMED',
  },
  KYC_DONE: { init: 'INITIATED', refreshed: 'KYC_DONE', end: 'ENDED' },
  INITIATED: {
    bankRequested: 'BANK_REQUESTED',
    mandateRequested: 'MANDATE_REQUESTED',
    agreementRequested: 'AGREEMENT_REQUESTED',
    sanctioned: 'AGREEMENT_DONE',
    allSigned: 'AGREEMENT_DONE',
    kycRequested: 'FINAL_TERMS',
    lienRequested: 'LIEN_REQUESTED',
    reportedLate: 'INITIATED',
    init: 'INITIATED',
    // After error 80206 (account rejected) the form is submitted again with another account.
    formSent: 'BANK_SENT',
    end: 'ENDED',
  },
  BANK_REQUESTED: { formSent: 'BANK_SENT', refreshed: 'BANK_REQUESTED', end: 'ENDED' },
  BANK_SENT: { formAccepted: 'BANK_ACCEPTED', formRefused: 'BANK_REQUESTED', end: 'ENDED' },
  BANK_ACCEPTED: { init: 'INITIATED', end: 'ENDED' },
  LIEN_REQUESTED: pageMoves('LIEN_REQUESTED', 'LIEN_DONE'),
  LIEN_DONE: { init: 'INITIATED', refreshed: 'LIEN_DONE', end: 'ENDED' },
  MANDATE_REQUESTED: pageMoves('MANDATE_REQUESTED', 'MANDATE_DONE'),
  MANDATE_DONE: { init: 'INITIATED', refreshed: 'MANDATE_DONE', end: 'ENDED' },
  // `confirm` is allowed without a signature, because some lenders never report it (FIS12 §19.3).
  AGREEMENT_REQUESTED: { ...pageMoves('AGREEMENT_REQUESTED', 'AGREEMENT_DONE'), confirm: 'CONFIRM_SENT' },
  AGREEMENT_DONE: { confirm: 'CONFIRM_SENT', init: 'INITIATED', refreshed: 'AGREEMENT_DONE', end: 'ENDED' },
  CONFIRM_SENT: {
    confirmed: 'CONFIRMED',
    notConfirmed: 'AGREEMENT_DONE',
    consentRequested: 'MONITORING_REQUESTED',
    disbursed: 'DISBURSED',
    unsigned: 'AGREEMENT_REQUESTED',
    pageDone: 'AGREEMENT_DONE',
    reportedLate: 'CONFIRM_SENT',
    pageTaken: 'CONFIRM_SENT',
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
const cancellable = conversationStageNames.slice(
  conversationStageNames.indexOf('TERMS_GIVEN'),
  conversationStageNames.indexOf('DISBURSED'),
)

export const conversationStages: Table<ConversationStage, ConversationMove> = {
  ...moves,
  ...Object.fromEntries(cancellable.map((stage) => [stage, { ...moves[stage], cancelled: 'ENDED' }])),
}
