// PAYMENT_CLAIM_SUBMITTED: the borrower says that they paid; no balance changes by it (D3 §6 rule 4).

import { BusinessDate, Currency, Id, Ids, PositiveMoney, Reference } from '#contract/exchange/fields.ts'
import { OneOf, type Static, Type } from '#kit/http/schema.ts'

export const PaymentClaimSubmitted = Type.Object({
  claim_reference: Id,
  service_type: OneOf(['MISSED_EMI', 'PRE_PART_PAYMENT']),
  amount: PositiveMoney,
  currency: Currency,
  payment_date: BusinessDate,
  method: OneOf(['NEFT', 'RTGS', 'IMPS', 'UPI']),
  transaction_reference: Reference,
  /** Empty when there is no proof file. */
  document_ids: Ids,
})
export type PaymentClaimSubmitted = Static<typeof PaymentClaimSubmitted>
