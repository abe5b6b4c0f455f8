// The pages of a loan against mutual funds, each answered in the next init; the registrar's marks the lien (FIS12 §10.2 rows 6–11).
import type { Step, StepHeading } from '#sandbox/lender/core/step.ts'
import { isOnOnePage } from './lending.ts'

const page = {
  mimeType: 'application/html',
  headings: ['KYC', 'LIEN_MARKING', 'EMANDATE', 'LOAN_AGREEMENT'] satisfies StepHeading[],
  success: 'SUCCESS',
  request: 'init',
  callback: 'on_init',
} as const

/** In the order in which they are done. */
const several: readonly Step[] = [
  { ...page, heading: 'KYC', formId: 'FORM-LAMF-KYC', filled: 'identify', move: 'pledge', after: 'PLEDGING' },
  { ...page, heading: 'LIEN_MARKING', formId: 'FORM-LIEN', filled: 'mark', move: 'verify', after: 'MANDATING' },
  { ...page, heading: 'EMANDATE', formId: 'FORM-LAMF-MANDATE', filled: 'mandate', move: 'draft', after: 'AGREEING' },
  { ...page, heading: 'LOAN_AGREEMENT', formId: 'FORM-LAMF-ESIGN', filled: 'sign', move: 'conclude', after: 'READY' },
]

/** The whole of it on the lender's own page (FIS12 §10.2, offline journey). */
const single: readonly Step[] = [
  {
    ...page,
    heading: 'JOURNEY_OFFLINE',
    headings: ['JOURNEY_OFFLINE'],
    formId: 'FORM-LAMF-PAGE',
    opens: { path: 'pages/line', purpose: 'line' },
    filled: 'finish',
    move: 'conclude',
    after: 'READY',
  },
]

export const lamfSteps = (lender: string): readonly Step[] => (isOnOnePage({ slug: lender }) ? single : several)
