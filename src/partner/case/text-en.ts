// What each result of the dedupe reads as, for those who look at an answer; the exchange has one language (D3 §4.1).
import type { DedupeReason, Policy } from './dedupe.ts'

export const dedupeMessages: Record<DedupeReason, (policy: Policy) => string> = {
  IDENTITY_UNCLEAR: () => 'The applicant resembles a known one with another PAN or date of birth',
  LENDER_POLICY: () => 'The lender does not lend to this applicant',
  UNDER_AGE: ({ leastAge }) => `The applicant is younger than ${leastAge}`,
  LOAN_OVERDUE: () => 'The applicant has an overdue loan',
  TOO_MANY_LOANS: () => 'The applicant has as many loans as one borrower may have',
  KNOWN_BORROWER: () => 'A permitted record exists',
  NO_RECORD: () => 'No record exists',
}
