// Payments of a loan: debits under a mandate, the borrower's claims, receipts and reversals, with their state machine.

import { next, type Table } from '@lendloom/foundation/machine'
import { required } from '@lendloom/foundation/required'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { PaymentStatusReport as PaymentWire } from '@lendloom/wire/exchange/account'

/**
 * Internal statuses (D3 §2.5). `PREPARED`: a debit that was not presented yet. `DROPPED`: a debit that will never be
 * presented. `UNKNOWN`: a debit that was sent, but may not have reached the bank. `TAKEN_BACK`: a posted payment that
 * was reversed; a separate payment with the status `REVERSED` records the reversal.
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
  | 'sent' // recorded just before the request to the bank
  | 'acknowledged' // the bank has the debit
  | 'notFoundAtBank' // the bank never received the debit
  | 'inconclusive' // the bank's result is inconclusive
  | 'dropped' // the debit will not be presented
  | 'held' // the money arrived, and waits for an officer
  | 'confirmed' // the money arrived
  | 'refused' // the money will not arrive
  | 'returned' // the borrower's bank returned the debit, or an officer reversed the receipt

/** The status to which a move leads from each status. Other moves are refused, or without effect. */
export const paymentLifecycle: Table<PaymentStatus, PaymentMove> = {
  PREPARED: { sent: 'UNKNOWN', dropped: 'DROPPED', refused: 'FAILED', confirmed: 'POSTED', returned: 'FAILED' },
  // Money that arrived is posted in any state.
  DROPPED: { confirmed: 'POSTED' },
  UNKNOWN: {
    acknowledged: 'SUBMITTED',
    notFoundAtBank: 'PREPARED',
    inconclusive: 'UNKNOWN',
    refused: 'FAILED',
    confirmed: 'POSTED',
    returned: 'FAILED',
  },
  SUBMITTED: { inconclusive: 'UNKNOWN', confirmed: 'POSTED', returned: 'FAILED' },
  PENDING_VERIFICATION: { held: 'PENDING_VERIFICATION', confirmed: 'POSTED', refused: 'FAILED' },
  // The bank may confirm a debit after it failed (D3 §6 rule 7).
  FAILED: { held: 'PENDING_VERIFICATION', confirmed: 'POSTED', returned: 'FAILED' },
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
  /** Present only for a debit (D3 §2.5, internal collection record), as are the other fields of the `Debit` type. */
  collectionId: string | null
  umrn: string | null
  mandateReference: string | null
  attemptNumber: number | null
  /** `YYYY-MM-DD`, the date of the debit. */
  collectionOn: string | null
  submittedAt: Date | null
  providerReference: string | null
  /** The platform's reference of the claim, which identifies repeated claims; null without a claim. */
  claimReference: string | null
  /** The bank reference that the borrower reported, as `normalizeReference` writes it. */
  claimedReference: string | null
  /** `YYYY-MM-DD`, the payment date that the borrower reported. */
  claimedOn: string | null
  receiptId: string | null
  /** The bank's reference; null until the bank reported it. */
  bankReference: string | null
  valueOn: string | null
  reasonCode: string | null
  /** Sequence number of the last applied bank result; 0 before the first. */
  resultSequence: number
  reversalOfPaymentId: string | null
  /** Whether the borrower requested a part payment. It then prepays principal, however small the amount. */
  isPartPayment: boolean
  createdAt: Date
  updatedAt: Date
}

type NewPayment = Pick<Payment, 'caseRef' | 'paymentId' | 'status' | 'method' | 'amountPaise'> & Partial<Payment>

/** Returns a new payment. Fields without a value are null, empty, zero or false. */
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

/** Returns the status that a move leads to; undefined if the current status does not allow the move. */
export const statusAfterMove = ({ status }: Pick<Payment, 'status'>, move: PaymentMove): PaymentStatus | undefined =>
  next(paymentLifecycle, status, move)

/** Returns the status that a move leads to. Throws if the current status does not allow the move. */
export const requireStatusAfter = (payment: Pick<Payment, 'status'>, move: PaymentMove): PaymentStatus =>
  required(statusAfterMove(payment, move), `a move "${move}" from ${payment.status}`)

/** A payment that the bank collects under a mandate. */
export type Debit = Payment &
  Record<'collectionId' | 'umrn' | 'mandateReference' | 'collectionOn', string> & {
    attemptNumber: number
  }

export const isDebit = (payment: Payment): payment is Debit => payment.collectionId !== null

/** A payment that the borrower says to have made. */
export type ClaimedPayment = Payment & Record<'claimReference' | 'claimedReference' | 'claimedOn', string>

export const isClaim = (payment: Payment): payment is ClaimedPayment => payment.claimReference !== null

/** Whether the payment's result is still pending. Until then its instalments are not debited again. */
export const isOpen = ({ status }: Pick<Payment, 'status'>): boolean =>
  status === 'PREPARED' || status === 'UNKNOWN' || status === 'SUBMITTED' || status === 'PENDING_VERIFICATION'

/** Whether a failed debit may still succeed at the bank. */
export const canStillSucceed = (payment: Payment): payment is Debit => payment.status === 'FAILED' && isDebit(payment)

/** The status on the exchange; null for an internal one. */
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
 * Returns the payment as reported to the platform; null while its status is internal. A debit that was reported before
 * and is prepared again, because the bank never received it, is reported as PROCESSING.
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
