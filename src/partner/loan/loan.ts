// A loan account: what was agreed and paid out, and where it stands; its money is in the ledger.
import type { Paise } from '#kit/money/money.ts'
import type { PaymentChoice } from '#partner/ledger/entry.ts'
import type { AssetClass } from './class/asset-class.ts'
import type { LoanStatus } from './lifecycle.ts'
import type { LoanTerms } from './terms.ts'

/** The instalment, and so fewer of them, or their number, and so less each time. */
export type Keep = PaymentChoice['keeps']

export interface Loan {
  caseRef: string
  loanId: string
  loanAccountId: string
  status: LoanStatus
  terms: LoanTerms
  disbursedPaise: Paise
  disbursedOn: string
  bankReference: string
  /** The regular instalment as it is now: a part payment may have lowered it. */
  installmentPaise: Paise
  /** What the borrower wants to keep when principal is repaid early. */
  partPaymentKeeps: Keep
  /** Until when money closes the loan without the fee; null unless the borrower asked to leave in the cooling-off period. */
  exitUntil: string | null
  /** The day on which they asked, and the number of the complaint or message in which they did. */
  exitRequestedOn: string | null
  exitReference: string | null
  /** Since when the books count its claim as lost; the borrower owes it all the same. */
  writtenOffOn: string | null
  assetClass: AssetClass
  /** The business day at whose end it became non-performing; null while it performs. */
  npaOn: string | null
  scheduleVersion: number
  scheduleUpdatedAt: Date
  openedAt: Date
  updatedAt: Date
}
