// The kind and security of a loan in its key facts statement.
import type { Loan } from './decide.ts'

export interface Security {
  kind: string
  /** The disbursal schedule, in words. */
  paidOut: string
  title: string
  /** Empty for an unsecured loan. */
  rows(loan: Loan): [label: string, value: string][]
}

/** Start of the disbursal schedule's sentence, which each product completes. */
export const paidUpfrontAfterThe = '100 % upfront, to your own bank account, after the'
