// The text of each dedupe result; the exchange has one language (D3 §4.1).
import type { DedupePolicy, DedupeReason } from './dedupe.ts'

export const dedupeMessages: Record<DedupeReason, (policy: DedupePolicy) => string> = {
  IDENTITY_UNCLEAR: () => 'The applicant resembles a known one with another PAN or date of birth',
  LENDER_POLICY: () => 'The lender does not lend to this applicant',
  UNDER_AGE: ({ leastAge }) => `The applicant is younger than ${leastAge}`,
  IDENTITY_OF_ANOTHER: () => 'The identity is that of another person',
  LOAN_OVERDUE: () => 'The applicant has an overdue loan',
  TOO_MANY_LOANS: () => 'The applicant has as many loans and applications as one borrower may have',
  TOO_MUCH_OWED: () => 'The applicant owes, or has been offered, as much as one borrower may',
  KNOWN_BORROWER: () => 'A permitted record exists',
  NO_RECORD: () => 'No record exists',
}
