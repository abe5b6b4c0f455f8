// A payment: a debit under a mandate, a borrower's claim, a receipt, or the taking back of one; its states and its moves.

import type { PaymentStatusReport as PaymentWire } from '#contract/exchange/account.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import { next, type Table } from '#kit/runtime/machine.ts'
import { required } from '#kit/runtime/record.ts'

/**
 * `PREPARED`, `DROPPED` and `UNKNOWN` are ours alone (D3 §2.5): a debit that is not asked for yet, one that never will be,
 * and one that was sent and of which we do not know whether it arrived. `TAKEN_BACK` is a posted receipt that a later
 * record, the one that is `REVERSED`, took back.
 */
export type PaymentStatus =
  | 'PREPARED'
  | 'DROPPED'
  | 'UNKNOWN'
  | 'SUBMITTED'
  | 'PENDING_VERIFICATION'
  | 'FAILED'
  | 'POSTED'
  | 'TAKEN_BACK'
  | 'REVERSED'

export type PaymentMove =
  | 'sent' // on its way to the bank; from now on it is never resent automatically
  | 'acknowledged' // the bank has it
  | 'unseen' // the bank never received it
  | 'unsure' // the bank has an answer that is none
  | 'dropped' // there is nothing to collect any more
  | 'confirmed' // the money is here
  | 'refused' // the money is not coming
  | 'returned' // the bank of the borrower sent it back

export const lifecycle: Table<PaymentStatus, PaymentMove> = {
  PREPARED: { sent: 'UNKNOWN', dropped: 'DROPPED', refused: 'FAILED', confirmed: 'POSTED', returned: 'FAILED' },
  // Money that arrived is posted in any state.
  DROPPED: { confirmed: 'POSTED' },
  UNKNOWN: {
    acknowledged: 'SUBMITTED',
    unseen: 'PREPARED',
    unsure: 'UNKNOWN',
    refused: 'FAILED',
    confirmed: 'POSTED',
    returned: 'FAILED',
  },
  SUBMITTED: { unsure: 'UNKNOWN', confirmed: 'POSTED', returned: 'FAILED' },
  PENDING_VERIFICATION: { confirmed: 'POSTED', refused: 'FAILED' },
  // A success may come late (D3 §6 rule 7).
  FAILED: { confirmed: 'POSTED', returned: 'FAILED' },
  POSTED: { returned: 'TAKEN_BACK' },
  TAKEN_BACK: {},
  REVERSED: {},
}

export interface Payment {
  caseRef: string
  paymentId: string
  status: PaymentStatus
  method: string
  amountPaise: Paise
  installmentIds: string[]
  /** One attempt at a debit (D3 §2.5, internal collection record): all of these, or none of them. */
  collectionId: string | null
  umrn: string | null
  mandateReference: string | null
  attemptNumber: number | null
  /** `YYYY-MM-DD`, the date of the debit. */
  collectionOn: string | null
  submittedAt: Date | null
  providerReference: string | null
  /** The borrower's claim. */
  claimReference: string | null
  claimedReference: string | null
  claimedOn: string | null
  /** The bank's receipt that it was matched with. */
  receiptId: string | null
  /** The bank's record. */
  bankReference: string | null
  valueOn: string | null
  reasonCode: string | null
  /** The number of the newest result of the bank that was applied; 0 before any. */
  resultSequence: number
  reversalOfPaymentId: string | null
  /** The borrower asked for it to repay principal, however small it is. */
  isPartPayment: boolean
  createdAt: Date
  updatedAt: Date
}

type NewPayment = Pick<Payment, 'caseRef' | 'paymentId' | 'status' | 'method' | 'amountPaise'> & Partial<Payment>

/** A new payment; missing values are not known yet. */
export const newPayment = <Given extends NewPayment>(given: Given, at: Date): Payment & Given => ({
  installmentIds: [],
  collectionId: null,
  umrn: null,
  mandateReference: null,
  attemptNumber: null,
  collectionOn: null,
  submittedAt: null,
  providerReference: null,
  claimReference: null,
  claimedReference: null,
  claimedOn: null,
  receiptId: null,
  bankReference: null,
  valueOn: null,
  reasonCode: null,
  resultSequence: 0,
  reversalOfPaymentId: null,
  isPartPayment: false,
  createdAt: at,
  updatedAt: at,
  ...given,
})

/** The status after a move, or undefined when there is none. */
export const moved = ({ status }: Pick<Payment, 'status'>, move: PaymentMove): PaymentStatus | undefined =>
  next(lifecycle, status, move)

/** The status after a move that the table has: where it has none, the caller is wrong about the status. */
export const movedBy = (payment: Pick<Payment, 'status'>, move: PaymentMove): PaymentStatus =>
  required(moved(payment, move), `a move "${move}" from ${payment.status}`)

/** One attempt at a debit. */
export type Debit = Payment &
  Record<'collectionId' | 'umrn' | 'mandateReference' | 'collectionOn', string> & {
    attemptNumber: number
  }

export const isDebit = (payment: Payment): payment is Debit => payment.collectionId !== null

/** A payment that the borrower claims. */
export type ClaimedPayment = Payment & Record<'claimReference' | 'claimedReference' | 'claimedOn', string>

export const isClaim = (payment: Payment): payment is ClaimedPayment => payment.claimReference !== null

/** The result is unknown: until it is known, the same instalments are not debited again. */
export const isOpen = ({ status }: Pick<Payment, 'status'>): boolean =>
  status === 'PREPARED' || status === 'UNKNOWN' || status === 'SUBMITTED' || status === 'PENDING_VERIFICATION'

/** A debit that failed but may still succeed at the bank. */
export const isUndecided = (payment: Payment): payment is Debit => payment.status === 'FAILED' && isDebit(payment)

const wireStatuses: Record<PaymentStatus, PaymentWire['status'] | null> = {
  PREPARED: null,
  DROPPED: null,
  UNKNOWN: 'PROCESSING',
  SUBMITTED: 'SUBMITTED',
  PENDING_VERIFICATION: 'PENDING_VERIFICATION',
  FAILED: 'FAILED',
  POSTED: 'POSTED',
  TAKEN_BACK: 'POSTED',
  REVERSED: 'REVERSED',
}

/**
 * As reported to the platform; null while it is internal. A reported payment stays reported, even if it never arrived.
 */
export function wirePayment(payment: Payment): PaymentWire | null {
  const wasReported = payment.status === 'PREPARED' && payment.submittedAt !== null
  const status = wasReported ? wireStatuses.UNKNOWN : wireStatuses[payment.status]
  if (status === null) return null
  return {
    payment_id: payment.paymentId,
    claim_reference: payment.claimReference,
    collection_id: payment.collectionId,
    mandate_reference: payment.mandateReference,
    installment_ids: payment.installmentIds,
    method: payment.method,
    status,
    amount: rupees(payment.amountPaise),
    currency: 'INR',
    bank_reference: payment.bankReference,
    provider_reference: payment.providerReference,
    value_date: payment.valueOn,
    updated_at: payment.updatedAt.toISOString(),
    reason_code: payment.reasonCode,
    reversal_of_payment_id: payment.reversalOfPaymentId,
  }
}
