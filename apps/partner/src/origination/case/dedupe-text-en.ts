// Messages of the dedupe results. The exchange uses only English (D3 §4.1).
import type { DedupePolicy, DedupeReason } from './dedupe-decision.ts'

export const dedupeMessages: Record<DedupeReason, (policy: DedupePolicy) => string> = {
  IDENTITY_UNCLEAR: () => 'The applicant resembles a known applicant with another PAN or date of birth',
  LENDER_POLICY: () => 'The lender does not lend to this applicant',
  UNDER_AGE: ({ minAge }) => `The applicant is younger than ${minAge}`,
  IDENTITY_OF_ANOTHER: () => 'The PAN belongs to another person',
  LOAN_OVERDUE: () => 'The applicant has an overdue loan',
  TOO_MANY_LOANS: () => 'The applicant already has the maximum number of loans and applications',
  TOO_MUCH_OWED: () => 'The applicant already owes, or has been offered, the maximum amount for one borrower',
  KNOWN_BORROWER: () => 'A permitted record exists',
  NO_RECORD: () => 'No record exists',
}
