// The five steps before the payout, with what the borrower needs for each (D2 §2.3, §4).

import { AnyObject, Closed, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { Text, TextOrNull } from '#wire/basic-schemas.ts'
import { RequiredAction, StepStatus } from './enums.ts'

/** How the borrower's attempts at a step went. */
export const Diagnostics = Closed({
  /** How often the borrower has started the step. */
  attempts: Type.Integer(),
  /** Why the last attempt failed, as a text for the borrower; null if it did not. */
  problem: TextOrNull,
  retryable: Type.Boolean(),
  /** The invalid fields of the form. */
  fields: Type.Optional(Type.Array(Text)),
})

/** What the borrower needs for the step. */
export const StepResource = Closed({
  type: OneOf(['NONE', 'FORM', 'REDIRECT']),
  /** The redirect for the borrower's browser. */
  redirectURL: TextOrNull,
  /** The fields to send, by name; empty without a form. */
  form: AnyObject,
})

export const StepView = Closed({
  status: StepStatus,
  actionRequired: RequiredAction,
  resource: StepResource,
  /** Null until the step is started. */
  diagnostics: Type.Union([Diagnostics, Type.Null()]),
})
export type StepView = Static<typeof StepView>

export const Steps = Closed({
  kyc: StepView,
  bankMandate: StepView,
  eMandate: StepView,
  loanAgreement: StepView,
  disbursal: StepView,
})
export type Steps = Static<typeof Steps>

/** GET steps/kyc/status: the step without its form or redirect. */
export const StepState = Closed({
  status: StepStatus,
  actionRequired: RequiredAction,
  diagnostics: Type.Union([Diagnostics, Type.Null()]),
})
export type StepState = Static<typeof StepState>
