// A loan account: what was agreed and paid out, and where it stands; its money is in the ledger.
import type { Paise } from '#kit/money/money.ts'
import type { LoanStatus } from './lifecycle.ts'
import type { LoanTerms } from './terms.ts'

export interface Loan {
  caseRef: string
  loanId: string
  loanAccountId: string
  status: LoanStatus
  terms: LoanTerms
  disbursedPaise: Paise
  disbursedOn: string
  bankReference: string
  scheduleVersion: number
  scheduleUpdatedAt: Date
  openedAt: Date
  updatedAt: Date
}
