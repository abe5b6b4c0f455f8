// The kind and security of a loan in its key facts statement.
import type { Loan } from './decide.ts'

export interface Security {
  kind: string
  /** When it is paid out. */
  paidOut: string
  title: string
  /** Empty where nothing secures the loan. */
  rows(loan: Loan): [label: string, value: string][]
}

/** Where and when the money goes, as the statement begins it. */
export const upfront = '100 % upfront, to your own bank account, after the'
