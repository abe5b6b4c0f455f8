// The statement analyser's interface: a borrower hands in a bank statement, and figures come of it.
import { AnyObject, Nullable, OneOf, type Static, Type } from '#kit/http/schema.ts'
import { Applicant, Day, Instant, Rupees, reportFields, requestFields } from './request.ts'

const statementStates = [
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

const Count = Type.Integer({ minimum: 0 })

/** The figures of an analysis, over its whole months; what an analyser cannot tell is left out. */
export const StatementInsights = Type.Object({
  /** What came in and went out in a month, on average. */
  average_monthly_credits: Type.Optional(Rupees),
  average_monthly_debits: Type.Optional(Rupees),
  average_closing_balance: Type.Optional(Rupees),
  lowest_balance: Type.Optional(Rupees),
  /** Credits of a month that were a salary, on average. */
  average_monthly_salary: Type.Optional(Rupees),
  /** Instalments of loans and cards that were debited in a month, on average. */
  average_monthly_obligations: Type.Optional(Rupees),
  /** Debits that the bank returned for want of funds, in all months. */
  returned_debits: Type.Optional(Count),
  /** The oldest first. */
  months: Type.Optional(
    Type.Array(
      Type.Object({
        month: Type.String({ pattern: '^\\d{4}-(?:0[1-9]|1[0-2])$', 'x-says': 'must be YYYY-MM' }),
        credits: Rupees,
        debits: Rupees,
        closing_balance: Rupees,
        credit_count: Type.Optional(Count),
        returned_debits: Type.Optional(Count),
      }),
      { maxItems: 36 },
    ),
  ),
})
export type StatementInsights = Static<typeof StatementInsights>

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
