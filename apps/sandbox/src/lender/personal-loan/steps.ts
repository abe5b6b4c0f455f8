// The steps of a personal loan: online, or partly or fully offline with the lender (FIS12 §8.1, §19).
import type { StepContext } from '#sandbox/lender/core/product.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'
import { applicationStep, byInit, choiceHeadings, choiceStep, customerPageLink } from '#sandbox/lender/v203/product.ts'

const closingHeadings = ['ACCOUNT_INFORMATION', 'EMANDATE', 'LOAN_AGREEMENT'] as const

const agreementStep: LenderStep = {
  heading: 'LOAN_AGREEMENT',
  formId: 'FORM-ESIGN',
  mimeType: 'application/html',
  headings: closingHeadings,
  completionMove: 'sign',
  success: 'APPROVED',
  request: 'confirm',
  callback: 'on_confirm',
  move: 'sanction',
  statusAfter: 'SANCTIONED',
}

const onlineSteps: readonly LenderStep[] = [
  applicationStep,
  choiceStep,
  {
    heading: 'KYC',
    formId: 'FORM-KYC',
    mimeType: 'application/html',
    headings: choiceHeadings,
    completionMove: 'identify',
    success: 'APPROVED',
    ...byInit,
    move: 'initiate',
    statusAfter: 'INITIATED',
  },
  {
    heading: 'ACCOUNT_INFORMATION',
    formId: 'FORM-BANK',
    mimeType: 'text/html',
    headings: closingHeadings,
    completionMove: 'account',
    success: 'SUCCESS',
    ...byInit,
    move: 'verify',
    statusAfter: 'MANDATING',
  },
  {
    heading: 'EMANDATE',
    formId: 'FORM-MANDATE',
    mimeType: 'application/html',
    headings: closingHeadings,
    completionMove: 'mandate',
    success: 'COMPLETED',
    ...byInit,
    move: 'draft',
    statusAfter: 'AGREEING',
  },
  agreementStep,
]

/** With two offers, the amount is chosen on the customer page, which asks for the identity again (FIS12 §19.1). */
const twoOfferSteps: readonly LenderStep[] = onlineSteps.map((step) =>
  step.heading === 'SET_LOAN_AMOUNT'
    ? { ...step, ...customerPageLink, formId: 'FORM-CUSTOMER', title: 'Customer Information' }
    : step,
)

/** A personal loan that the lender completes on one page (FIS12 §19.3, offline). */
const offlineSteps: readonly LenderStep[] = [
  applicationStep,
  { ...choiceStep, headings: ['SET_LOAN_AMOUNT', 'JOURNEY_OFFLINE'] },
  {
    heading: 'JOURNEY_OFFLINE',
    formId: 'FORM-OFFLINE',
    mimeType: 'application/html',
    headings: ['SET_LOAN_AMOUNT', 'JOURNEY_OFFLINE'],
    pageLink: { path: 'pages/offline', purpose: 'offline' },
    startsPending: true,
    completionMove: 'identify',
    success: 'APPROVED',
    ...byInit,
    move: 'makeReady',
    statusAfter: 'READY',
  },
]

/** A personal loan of which only the agreement is signed online (FIS12 §19.3, offline-online). */
const offlineOnlineSteps: readonly LenderStep[] = [
  applicationStep,
  { ...choiceStep, headings: ['SET_LOAN_AMOUNT', 'KYC_OFFLINE'] },
  {
    heading: 'KYC_OFFLINE',
    formId: 'FORM-KYC-OFFLINE',
    mimeType: 'application/html',
    headings: ['SET_LOAN_AMOUNT', 'KYC_OFFLINE'],
    completionMove: 'identify',
    success: 'APPROVED',
    ...byInit,
    move: 'draft',
    statusAfter: 'AGREEING',
  },
  { ...agreementStep, headings: ['LOAN_AGREEMENT'] },
]

/** Returns the steps of a conversation, which its scenario selects. */
export function steps({ scenario }: StepContext): readonly LenderStep[] {
  if (scenario === 'two-offers') return twoOfferSteps
  return scenario === 'offline' ? offlineSteps : scenario === 'offline-online' ? offlineOnlineSteps : onlineSteps
}
