// What the key facts statement says of the kind of a loan, and of what secures it.
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
