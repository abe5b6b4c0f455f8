// PAYMENT_UPDATED: a collection attempt, a posted receipt or a reversal (D3 §2.5, §6 rule 7).

import { checkPayment, Payment } from '#contract/exchange/account.ts'
import type { Static } from '#kit/http/schema.ts'

export const PaymentUpdated = Payment
export type PaymentUpdated = Static<typeof PaymentUpdated>
export const checkPaymentUpdated = checkPayment
