// The interface of the lender's own bank: transfers, account checks, debits by mandate, receipts (D3 §4.5).

import { Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { BusinessDate, Currency, Instant, PositiveMoney } from '#wire/exchange/fields.ts'
import { mandateNumberPattern, storedIfscPattern } from '#wire/identifier.ts'

/** The reference of an order, chosen by its author: a repeated reference is the same order. */
const Reference = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9-]+$' })
export const MandateNumber = Type.String({ pattern: mandateNumberPattern })
const Pan = Type.Optional(Type.String({ pattern: '^[A-Z]{5}\\d{4}[A-Z]$' }))

export const PayeeAccount = Closed({
  holder_name: Type.String({ minLength: 1, maxLength: 140 }),
  account_number: Type.String({ pattern: '^[A-Za-z0-9]{5,35}$' }),
  ifsc: Type.String({ pattern: storedIfscPattern }),
})
export type PayeeAccount = Static<typeof PayeeAccount>

export const TransferRequest = Closed({
  client_reference: Reference,
  mode: OneOf(['IMPS', 'NEFT']),
  amount: PositiveMoney,
  currency: Currency,
  beneficiary: PayeeAccount,
  pan: Pan,
})
export type TransferRequest = Static<typeof TransferRequest>

/** `bank_reference` proves that the money arrived; it is set if and only if the status is `SUCCESS`. */
export const Transfer = Type.Object({
  client_reference: Reference,
  status: OneOf(['PENDING', 'SUCCESS', 'FAILED']),
  amount: PositiveMoney,
  currency: Currency,
  bank_reference: orNull(Type.String()),
  reason_code: orNull(Type.String()),
  updated_at: Instant,
})
export type Transfer = Static<typeof Transfer>

/** A penny drop: one rupee is sent, and the account's bank returns the holder's name. */
export const AccountCheckRequest = Closed({ reference: Reference, account: PayeeAccount, pan: Pan })
export type AccountCheckRequest = Static<typeof AccountCheckRequest>

export const AccountCheck = Type.Object({
  reference: Reference,
  status: OneOf(['VALID', 'INVALID']),
  registered_name: orNull(Type.String()),
  bank_reference: orNull(Type.String()),
  reason_code: orNull(Type.String()),
})
export type AccountCheck = Static<typeof AccountCheck>

/** One debit under a mandate. `reference` names its collection. */
export const DebitRequest = Closed({
  reference: Reference,
  umrn: MandateNumber,
  amount: PositiveMoney,
  currency: Currency,
  collection_date: BusinessDate,
  debtor: PayeeAccount,
  pan: Pan,
})
export type DebitRequest = Static<typeof DebitRequest>

/** A notice to the borrower of a debit under a UPI mandate, which the borrower's bank sends. */
export const DebitNoticeRequest = Closed({
  umrn: MandateNumber,
  amount: PositiveMoney,
  currency: Currency,
  collection_date: BusinessDate,
})
export type DebitNoticeRequest = Static<typeof DebitNoticeRequest>

export const DebitNotice = Type.Object({
  status: OneOf(['SENT', 'REFUSED']),
  reason_code: orNull(Type.String()),
  at: Instant,
})
export type DebitNotice = Static<typeof DebitNotice>

export const BorrowerMandate = Type.Object({ umrn: MandateNumber, status: OneOf(['ACTIVE', 'PAUSED']) })

/** A cancelled mandate: the lender takes no further debits under it. */
export const CancelledMandate = Type.Object({
  umrn: Type.String(),
  status: Type.Literal('CANCELLED'),
  updated_at: Instant,
})
export type CancelledMandate = Static<typeof CancelledMandate>

/**
 * A result of a debit. A debit can have several: a return after a confirmation, or a confirmation after a return that
 * only meant a timeout. `sequence` orders them; they may arrive in any order, and twice.
 */
export const DebitResult = Type.Object({
  result_id: Type.String(),
  reference: Reference,
  sequence: Type.Integer({ minimum: 1 }),
  status: OneOf(['CONFIRMED', 'RETURNED']),
  return_code: orNull(Type.String()),
  bank_reference: orNull(Type.String()),
  value_date: BusinessDate,
  at: Instant,
})
export type DebitResult = Static<typeof DebitResult>

export const BankDebit = Type.Object({
  reference: Reference,
  provider_reference: Type.String(),
  amount: PositiveMoney,
  currency: Currency,
  results: Type.Array(DebitResult),
})
export type BankDebit = Static<typeof BankDebit>

/** Why the bank gives a transfer back after it had reported it as a success: the order's reference, and the reason. */
const ReturnOfTransfer = Type.Object({ client_reference: Reference, reason_code: orNull(Type.String()) })

/**
 * Money that arrived in the lender's account; `remark` is the payer's text. `return_of` names the lender's own transfer
 * whose money the bank gives back; a bank that cannot tell leaves it out.
 */
export const BankCredit = Type.Object({
  receipt_id: Type.String(),
  method: OneOf(['NEFT', 'RTGS', 'IMPS', 'UPI']),
  transaction_reference: Type.String(),
  amount: PositiveMoney,
  currency: Currency,
  value_date: BusinessDate,
  payer_name: Type.String(),
  remark: orNull(Type.String()),
  return_of: Type.Optional(orNull(ReturnOfTransfer)),
  at: Instant,
})
export type BankCredit = Static<typeof BankCredit>

/** The cursor of an append-only list: the next request passes `next`. */
export const After = Type.Object({ after: Type.Optional(Type.String({ pattern: '^\\d{1,18}$' })) })
export const DebitResults = Type.Object({ items: Type.Array(DebitResult), next: Type.String() })
export const Receipts = Type.Object({ items: Type.Array(BankCredit), next: Type.String() })

/** A borrower's payment in their own bank's app into the lender's account. */
export const BorrowerPayment = Closed({
  method: OneOf(['NEFT', 'RTGS', 'IMPS', 'UPI']),
  amount: PositiveMoney,
  payer_name: Type.String({ minLength: 1, maxLength: 140 }),
  remark: Type.Optional(orNull(Type.String({ maxLength: 140 }))),
  /** The receiving account's name at the bank; by default the first lender's account. */
  account: Type.Optional(Type.String({ maxLength: 50 })),
})
export type BorrowerPayment = Static<typeof BorrowerPayment>

/** The sandbox's bank plays that a successful transfer comes back; by default because the account is closed. */
export const TransferReturn = Closed({
  client_reference: Reference,
  reason_code: Type.Optional(Type.String({ pattern: '^[A-Z][A-Z0-9_]{1,63}$' })),
})

export const BankError = Type.Object({ error: Type.Object({ code: Type.String(), message: Type.String() }) })
