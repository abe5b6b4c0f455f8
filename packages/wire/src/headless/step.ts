// The five steps (D2 §2.3, §4), and the form of the bank mandate.

import { AnyObject, Closed, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { MaybeText, Text } from '#wire/atoms.ts'
import { FreeText } from '#wire/hosted/profile.ts'
import { accountNumberPattern, ifscPattern } from '#wire/identifier.ts'
import { RequiredAction, StepStatus } from './fields.ts'

const resourceTypes = ['NONE', 'FORM', 'REDIRECT'] as const

export const Diagnostics = Closed({
  /** How often the borrower has started the step. */
  attempts: Type.Integer(),
  /** Why the last attempt failed, as a text for the borrower; null if it did not. */
  problem: MaybeText,
  retryable: Type.Boolean(),
  /** The invalid fields of the form. */
  fields: Type.Optional(Type.Array(Text)),
})

/** What the borrower needs for the step. */
export const StepResource = Closed({
  type: OneOf([...resourceTypes]),
  /** The redirect for the borrower's browser. */
  redirectURL: MaybeText,
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

/** `saving`, `savings` or `current`, in any case. */
export const AccountType = Type.String({
  pattern: '^\\s*(?:[Ss][Aa][Vv][Ii][Nn][Gg][Ss]?|[Cc][Uu][Rr][Rr][Ee][Nn][Tt])\\s*$',
  maxLength: 20,
  'x-says': 'must be savings or current',
})

export const canonicalAccountType = (input: string): 'saving' | 'current' =>
  /^\s*current/i.test(input) ? 'current' : 'saving'

export const BankMandateRequest = Closed({
  accountHolderName: FreeText(100),
  accountNumber: Type.String({
    pattern: accountNumberPattern,
    'x-says': 'must be an account number of 9 to 18 digits',
  }),
  ifsc: Type.String({ pattern: ifscPattern, 'x-says': 'must be an IFSC, such as HDFC0000001' }),
  accountType: AccountType,
})
export type BankMandateRequest = Static<typeof BankMandateRequest>
