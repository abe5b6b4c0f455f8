// The steps of a loan against mutual funds; the next init answers each page (FIS12 §10.2 rows 6–11).

import type { LenderStep, StepHeading } from '#sandbox/lender/core/step.ts'
import { isOnOnePage } from './lenders.ts'

const page = {
  mimeType: 'application/html',
  headings: ['KYC', 'LIEN_MARKING', 'EMANDATE', 'LOAN_AGREEMENT'] satisfies StepHeading[],
  success: 'SUCCESS',
  request: 'init',
  callback: 'on_init',
} as const

const separateSteps: readonly LenderStep[] = [
  {
    ...page,
    heading: 'KYC',
    formId: 'FORM-LAMF-KYC',
    completionMove: 'identify',
    move: 'pledge',
    statusAfter: 'PLEDGING',
  },
  {
    ...page,
    heading: 'LIEN_MARKING',
    formId: 'FORM-LIEN',
    completionMove: 'mark',
    move: 'verify',
    statusAfter: 'MANDATING',
  },
  {
    ...page,
    heading: 'EMANDATE',
    formId: 'FORM-LAMF-MANDATE',
    completionMove: 'mandate',
    move: 'draft',
    statusAfter: 'AGREEING',
  },
  {
    ...page,
    heading: 'LOAN_AGREEMENT',
    formId: 'FORM-LAMF-ESIGN',
    completionMove: 'sign',
    move: 'makeReady',
    statusAfter: 'READY',
  },
]

/** The single step of a lender with one combined page (FIS12 §10.2, offline journey). */
const combinedSteps: readonly LenderStep[] = [
  {
    ...page,
    heading: 'JOURNEY_OFFLINE',
    headings: ['JOURNEY_OFFLINE'],
    formId: 'FORM-LAMF-PAGE',
    pageLink: { path: 'pages/line', purpose: 'line' },
    completionMove: 'completeAll',
    move: 'makeReady',
    statusAfter: 'READY',
  },
]

/** Returns the steps at a lender. */
export const lamfSteps = (lender: string): readonly LenderStep[] =>
  isOnOnePage({ slug: lender }) ? combinedSteps : separateSteps
