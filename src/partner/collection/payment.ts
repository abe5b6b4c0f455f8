// A payment: a debit under a mandate, a borrower's claim, a receipt, or a reversal; its states and moves.

import type { PaymentStatusReport as PaymentWire } from '#contract/exchange/account.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import { next, type Table } from '#kit/runtime/machine.ts'
import { required } from '#kit/runtime/record.ts'

/**
 * `PREPARED`, `DROPPED` and `UNKNOWN` are internal (D3 §2.5): a debit that is not presented yet, one that never will
 * be, and one that was sent but may not have arrived. `TAKEN_BACK` is a posted receipt that was reversed; the reversal
 * itself is `REVERSED`.
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
  | 'sent' // recorded before the request; from now on not resent automatically
  | 'acknowledged' // the bank has the debit
  | 'notFoundAtBank' // the bank never received the debit
  | 'unsure' // the bank's result is inconclusive
  | 'dropped' // nothing is left to collect
  | 'confirmed' // the money arrived
  | 'refused' // the money will not arrive
  | 'returned' // the borrower's bank returned it

export const lifecycle: Table<PaymentStatus, PaymentMove> = {
  PREPARED: { sent: 'UNKNOWN', dropped: 'DROPPED', refused: 'FAILED', confirmed: 'POSTED', returned: 'FAILED' },
  // Money that arrived is posted in any state.
  DROPPED: { confirmed: 'POSTED' },
  UNKNOWN: {
    acknowledged: 'SUBMITTED',
    notFoundAtBank: 'PREPARED',
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
  /** A debit attempt (D3 §2.5, internal collection record): all of the following fields, or none. */
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
  /** The matched bank receipt. */
  receiptId: string | null
  /** The bank's reference and value date. */
  bankReference: string | null
  valueOn: string | null
  reasonCode: string | null
  /** Sequence number of the last applied bank result; 0 before the first. */
  resultSequence: number
  reversalOfPaymentId: string | null
  /** The borrower requested a part payment: principal is prepaid, however small the amount. */
  isPartPayment: boolean
  createdAt: Date
  updatedAt: Date
}

type NewPayment = Pick<Payment, 'caseRef' | 'paymentId' | 'status' | 'method' | 'amountPaise'> & Partial<Payment>

/** Returns a new payment; missing values are unknown. */
export const newPayment = <Values extends NewPayment>(values: Values, at: Date): Payment & Values => ({
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
  ...values,
})

/** Returns the status after a move; undefined if the status does not allow it. */
export const statusAfterMove = ({ status }: Pick<Payment, 'status'>, move: PaymentMove): PaymentStatus | undefined =>
  next(lifecycle, status, move)

/** Returns the status after a move. Throws if the status does not allow it. */
export const requireStatusAfter = (payment: Pick<Payment, 'status'>, move: PaymentMove): PaymentStatus =>
  required(statusAfterMove(payment, move), `a move "${move}" from ${payment.status}`)

/** A debit attempt. */
export type Debit = Payment &
  Record<'collectionId' | 'umrn' | 'mandateReference' | 'collectionOn', string> & {
    attemptNumber: number
  }

export const isDebit = (payment: Payment): payment is Debit => payment.collectionId !== null

/** A payment that the borrower claims. */
export type ClaimedPayment = Payment & Record<'claimReference' | 'claimedReference' | 'claimedOn', string>

export const isClaim = (payment: Payment): payment is ClaimedPayment => payment.claimReference !== null

/** Whether the result is unknown. Until it is known, the same instalments are not debited again. */
export const isOpen = ({ status }: Pick<Payment, 'status'>): boolean =>
  status === 'PREPARED' || status === 'UNKNOWN' || status === 'SUBMITTED' || status === 'PENDING_VERIFICATION'

/** Whether a failed debit may still succeed at the bank. */
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
 * The payment as reported to the platform; null while it is internal. A reported payment stays reported, even if the
 * bank never received it.
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
