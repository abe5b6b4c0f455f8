// LOAN_STATUS_UPDATED: the account has a newer state; the platform reads Status (D3 §6 rule 5).

import { Code, Instant, Version } from '#contract/exchange/fields.ts'
import { OneOf, type Static, Type } from '#kit/http/schema.ts'

export const loanStatuses = ['NOT_CREATED', 'ACTIVE', 'OVERDUE', 'CLOSED', 'CANCELLED'] as const

export const LoanStatusUpdated = Type.Object({
  loan_status: OneOf(loanStatuses),
  snapshot_version: Version,
  updated_at: Instant,
  reason_code: Code,
})
export type LoanStatusUpdated = Static<typeof LoanStatusUpdated>
