// The steps of a personal loan: all of them online, or some or all with the lender (FIS12 §8.1, §19).
import type { StepContext } from '#sandbox/lender/core/product.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'
import { applying, choosing, choosingAmount, customer, init } from '#sandbox/lender/v203/product.ts'

const closing = ['ACCOUNT_INFORMATION', 'EMANDATE', 'LOAN_AGREEMENT'] as const

const agreeing: LenderStep = {
  heading: 'LOAN_AGREEMENT',
  formId: 'FORM-ESIGN',
  mimeType: 'application/html',
  headings: closing,
  completionMove: 'sign',
  success: 'APPROVED',
  request: 'confirm',
  callback: 'on_confirm',
  move: 'sanction',
  statusAfter: 'SANCTIONED',
}

const personal: readonly LenderStep[] = [
  applying,
  choosingAmount,
  {
    heading: 'KYC',
    formId: 'FORM-KYC',
    mimeType: 'application/html',
    headings: choosing,
    completionMove: 'identify',
    success: 'APPROVED',
    ...init,
    move: 'initiate',
    statusAfter: 'INITIATED',
  },
  {
    heading: 'ACCOUNT_INFORMATION',
    formId: 'FORM-BANK',
    mimeType: 'text/html',
    headings: closing,
    completionMove: 'account',
    success: 'SUCCESS',
    ...init,
    move: 'verify',
    statusAfter: 'MANDATING',
  },
  {
    heading: 'EMANDATE',
    formId: 'FORM-MANDATE',
    mimeType: 'application/html',
    headings: closing,
    completionMove: 'mandate',
    success: 'COMPLETED',
    ...init,
    move: 'draft',
    statusAfter: 'AGREEING',
  },
  agreeing,
]

const twoOffers: readonly LenderStep[] = personal.map((step) =>
  step.heading === 'SET_LOAN_AMOUNT'
    ? { ...step, ...customer, formId: 'FORM-CUSTOMER', title: 'Customer Information' }
    : step,
)

/** A personal loan that continues with the lender alone, on one page (FIS12 §19.3, offline). */
const offline: readonly LenderStep[] = [
  applying,
  { ...choosingAmount, headings: ['SET_LOAN_AMOUNT', 'JOURNEY_OFFLINE'] },
  {
    heading: 'JOURNEY_OFFLINE',
    formId: 'FORM-OFFLINE',
    mimeType: 'application/html',
    headings: ['SET_LOAN_AMOUNT', 'JOURNEY_OFFLINE'],
    pageLink: { path: 'pages/offline', purpose: 'offline' },
    startsPending: true,
    completionMove: 'identify',
    success: 'APPROVED',
    ...init,
    move: 'conclude',
    statusAfter: 'READY',
  },
]

/** One of which the agreement alone is signed online (FIS12 §19.3, offline-online). */
const offlineOnline: readonly LenderStep[] = [
  applying,
  { ...choosingAmount, headings: ['SET_LOAN_AMOUNT', 'KYC_OFFLINE'] },
  {
    heading: 'KYC_OFFLINE',
    formId: 'FORM-KYC-OFFLINE',
    mimeType: 'application/html',
    headings: ['SET_LOAN_AMOUNT', 'KYC_OFFLINE'],
    completionMove: 'identify',
    success: 'APPROVED',
    ...init,
    move: 'draft',
    statusAfter: 'AGREEING',
  },
  { ...agreeing, headings: ['LOAN_AGREEMENT'] },
]

export function steps({ scenario }: StepContext): readonly LenderStep[] {
  if (scenario === 'two-offers') return twoOffers
  return scenario === 'offline' ? offline : scenario === 'offline-online' ? offlineOnline : personal
}
