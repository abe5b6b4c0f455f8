// Events about the account: disbursement, payments, payment claims, loan status (D3 §2.5, §6 rules 4, 5 and 7).

import { OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { checkDisbursement, checkPayment, Disbursement, PaymentStatusReport } from '#wire/exchange/account.ts'
import {
  BusinessDate,
  Code,
  Currency,
  Id,
  Ids,
  Instant,
  PositiveMoney,
  Reference,
  Version,
} from '#wire/exchange/fields.ts'

export const loanStatuses = ['NOT_CREATED', 'ACTIVE', 'OVERDUE', 'CLOSED', 'CANCELLED'] as const

export const LoanStatusUpdated = Type.Object({
  loan_status: OneOf(loanStatuses),
  snapshot_version: Version,
  updated_at: Instant,
  reason_code: Code,
})
export type LoanStatusUpdated = Static<typeof LoanStatusUpdated>

/** DISBURSEMENT_UPDATED: the transfer to the borrower is pending, failed, or confirmed by the bank (D3 §2.5, §6). */
export const DisbursementUpdated = Disbursement
export type DisbursementUpdated = Static<typeof DisbursementUpdated>
export const checkDisbursementUpdated = checkDisbursement

/** PAYMENT_UPDATED: a collection attempt, a posted receipt or a reversal (D3 §2.5, §6 rule 7). */
export const PaymentUpdated = PaymentStatusReport
export type PaymentUpdated = Static<typeof PaymentUpdated>
export const checkPaymentUpdated = checkPayment

/** PAYMENT_CLAIM_SUBMITTED: the borrower claims a payment; no balance changes (D3 §6 rule 4). */
export const PaymentClaimSubmitted = Type.Object({
  claim_reference: Id,
  service_type: OneOf(['MISSED_EMI', 'PRE_PART_PAYMENT']),
  amount: PositiveMoney,
  currency: Currency,
  payment_date: BusinessDate,
  method: OneOf(['NEFT', 'RTGS', 'IMPS', 'UPI']),
  transaction_reference: Reference,
  /** Empty without a proof. */
  document_ids: Ids,
})
export type PaymentClaimSubmitted = Static<typeof PaymentClaimSubmitted>
