// The kind and security of a loan in its key facts statement.
import type { Loan } from './lending-decision.ts'

export interface Security {
  kind: string
  disbursalSchedule: string
  title: string
  /** Empty for an unsecured loan. */
  rows(loan: Loan): [label: string, value: string][]
}

/** The disbursal schedule of a loan that is paid in one sum after an event such as `the agreement is signed`. */
export const paidUpfrontAfter = (event: string): string => `100% upfront, to your own bank account, after ${event}`
