// The statement analyser's interface: a borrower hands in a bank statement, and figures come of it.
import { AnyObject, Nullable, OneOf, type Static, Type } from '#kit/http/schema.ts'
import { Applicant, Day, Instant, reportFields, requestFields } from './request.ts'

export const statementStates = [
  'AWAITING_STATEMENT',
  'PROCESSING',
  'INSIGHTS_READY',
  'PDF_PARSE_FAILED',
  'PDF_FRAUD_DETECTED',
  'STATEMENT_VALIDATION_FAILED',
  'CONSENT_DENIED',
  'LINK_EXPIRED',
] as const
export type StatementState = (typeof statementStates)[number]

const Account = Type.Object({
  holder_name: Type.String(),
  account_number: Type.String(),
  ifsc: Type.String(),
  account_type: Type.String(),
  bank_name: Type.String(),
})
export type StatementAccount = Static<typeof Account>

export const StatementRequest = Type.Object({ ...requestFields, person: Applicant, account: Account })
export type StatementRequest = Static<typeof StatementRequest>

/** Null until there are insights. */
export const StatementStatusReport = Type.Object({
  ...reportFields,
  state: OneOf(statementStates),
  analysed_at: Nullable(Instant),
  period_from: Nullable(Day),
  period_to: Nullable(Day),
  account: Nullable(Account),
  insights: Nullable(AnyObject),
})
export type StatementStatusReport = Static<typeof StatementStatusReport>
