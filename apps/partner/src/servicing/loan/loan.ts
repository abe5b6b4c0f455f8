// A loan account: agreed terms, disbursement and state. Its amounts are in the ledger.

import { next, type Table } from '@lendloom/foundation/machine'
import type { Paise } from '@lendloom/lending/money'
import type { PaymentChoice } from '#partner/books/ledger/entry.ts'
import type { LoanTerms } from '#partner/origination/terms/terms.ts'
import type { AssetClass } from './class/asset-class.ts'

/** What a part payment leaves unchanged: the instalment amount (fewer instalments) or the term (lower ones). */
export type PartPaymentKeeps = PaymentChoice['keeps']

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
  partPaymentKeeps: PartPaymentKeeps
  /** Last value date for the payment of a cooling-off exit; null if the borrower did not request an exit. */
  exitUntil: string | null
  exitRequestedOn: string | null
  /** The number of the complaint or message that contains the exit request. */
  exitReference: string | null
  /** The date of the write-off, after which the borrower still owes the claim. */
  writtenOffOn: string | null
  /** The sum for which the loan is settled; null without an agreement. */
  settlementPaise: Paise | null
  settlementAgreedOn: string | null
  /** Last value date for the agreed sum. */
  settlementUntil: string | null
  settlementEarlierIds: string[]
  /** The day on which the lender gave up the rest. */
  settledOn: string | null
  assetClass: AssetClass
  /** The business day whose day-end made the loan non-performing; null while it performs. */
  npaOn: string | null
  scheduleVersion: number
  scheduleUpdatedAt: Date
  openedAt: Date
  updatedAt: Date
}

/** The states of a loan (D3 §3). */
export type LoanStatus = 'NOT_CREATED' | 'ACTIVE' | 'OVERDUE' | 'CLOSED' | 'CANCELLED'

/** Whether the borrower is still repaying the loan. */
export const isRunning = (status: LoanStatus | null | undefined): boolean => status === 'ACTIVE' || status === 'OVERDUE'

/** `current`, `overdue` and `repaid` describe the account after a change of its rows. */
export type LoanMove = 'opened' | 'cancelled' | LoanCondition
export type LoanCondition = 'current' | 'overdue' | 'repaid'

export const loanLifecycle: Table<LoanStatus, LoanMove> = {
  NOT_CREATED: { opened: 'ACTIVE', cancelled: 'CANCELLED' },
  // A paid-out loan is cancelled when the bank gives the payout back.
  ACTIVE: { current: 'ACTIVE', overdue: 'OVERDUE', repaid: 'CLOSED', cancelled: 'CANCELLED' },
  OVERDUE: { current: 'ACTIVE', overdue: 'OVERDUE', repaid: 'CLOSED', cancelled: 'CANCELLED' },
  // A reversed receipt reopens a closed account.
  CLOSED: { repaid: 'CLOSED', current: 'ACTIVE', overdue: 'OVERDUE', cancelled: 'CANCELLED' },
  // Money that arrives for a cancelled account is refundable, and does not reopen it.
  CANCELLED: { repaid: 'CANCELLED', current: 'CANCELLED', overdue: 'CANCELLED' },
}

/** Returns the status after a move. Throws if the table does not allow the move. */
export function statusAfter(status: LoanStatus, move: LoanMove): LoanStatus {
  const after = next(loanLifecycle, status, move)
  if (!after) throw new Error(`a loan that is ${status} cannot be ${move}`)
  return after
}
