// A loan account: the agreed terms, the payout and its state; its money is in the ledger.
import type { Paise } from '#kit/money/money.ts'
import { next, type Table } from '#kit/runtime/machine.ts'
import type { PaymentChoice } from '#partner/ledger/store.ts'
import type { AssetClass } from './class/asset-class.ts'
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
  /** The current instalment, which a part payment may have lowered. */
  installmentPaise: Paise
  /** The borrower's choice for part payments. */
  partPaymentKeeps: Keep
  /** Until when money closes the loan without the fee; null unless the borrower asked to leave in the cooling-off period. */
  exitUntil: string | null
  /** The day on which they asked, and the number of the complaint or message in which they did. */
  exitRequestedOn: string | null
  exitReference: string | null
  /** The date of the write-off; the borrower still owes the claim. */
  writtenOffOn: string | null
  assetClass: AssetClass
  /** The business day at whose end it became non-performing; null while it performs. */
  npaOn: string | null
  scheduleVersion: number
  scheduleUpdatedAt: Date
  openedAt: Date
  updatedAt: Date
}

/** The states of a loan and the moves between them (D3 §3); what is absent cannot happen. */
export type LoanStatus = 'NOT_CREATED' | 'ACTIVE' | 'OVERDUE' | 'CLOSED' | 'CANCELLED'

/** `current`, `overdue` and `repaid` are the account's state after an act; an unchanged loan does not move. */
export type LoanMove = 'opened' | 'cancelled' | LoanCondition
export type LoanCondition = 'current' | 'overdue' | 'repaid'

export const lifecycle: Table<LoanStatus, LoanMove> = {
  NOT_CREATED: { opened: 'ACTIVE', cancelled: 'CANCELLED' },
  ACTIVE: { current: 'ACTIVE', overdue: 'OVERDUE', repaid: 'CLOSED' },
  OVERDUE: { current: 'ACTIVE', overdue: 'OVERDUE', repaid: 'CLOSED' },
  // A reversed receipt opens a closed account again.
  CLOSED: { repaid: 'CLOSED', current: 'ACTIVE', overdue: 'OVERDUE' },
  CANCELLED: {},
}

/** The status a status leads to. Throws when the table has no such move: an account that was cancelled has no status. */
export function statusAfter(status: LoanStatus, move: LoanMove): LoanStatus {
  const after = next(lifecycle, status, move)
  if (!after) throw new Error(`a loan that is ${status} cannot be ${move}`)
  return after
}
