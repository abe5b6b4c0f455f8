// The steps that loans in dialect 2.0.3 have in common: who applies, and what is wanted of the offer (FIS12 §8.1, §9.1, §19.1).
import type { Step } from '#sandbox/lender/core/step.ts'

const select = { request: 'select', callback: 'on_select' } as const
export const init = { request: 'init', callback: 'on_init' } as const
export const choosing = ['SET_LOAN_AMOUNT', 'KYC'] as const

export const applying: Step = {
  heading: 'PERSONAL_INFORMATION',
  formId: 'FORM-PROFILE',
  mimeType: 'text/html',
  headings: ['PERSONAL_INFORMATION'],
  filled: 'profile',
  success: 'SUCCESS',
  ...select,
  move: 'offer',
  after: 'OFFERED',
}

export const choosingAmount: Step = {
  heading: 'SET_LOAN_AMOUNT',
  formId: 'FORM-AMOUNT',
  mimeType: 'text/html',
  headings: choosing,
  filled: 'amount',
  success: 'SUCCESS',
  ...select,
  move: 'quote',
  after: 'QUOTED',
}

/** Taking an offer asks once more who it is, and then what is wanted of it (FIS12 §19.1). */
export const customer = { opens: { path: 'forms/customer', purpose: 'customer' } } as const
