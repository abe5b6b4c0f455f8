// Builds and reads update, status and their callbacks: the disbursal, and requests after it (FIS12 §10.2 row 14, §11.1).

import { invalid } from '@lendloom/foundation/refusal'
import * as common from '#wire/network/v203/update-and-status.ts'
import type { ConfirmedOrder } from './select-to-confirm.ts'
import { type DraftWith, type OrderDraft, writeLenderOrder } from './write-order.ts'

/** Requests a payment link. Unconfirmed: the generic shape of 2.3.0, because this product has no official flow for it. */
export const update = (request: { orderId: string } & common.PaymentUpdate) =>
  common.update({ target: 'payments', ...request })

/** Reads an `update` (the lender's side). Throws `invalid` with the path. */
export function readUpdate(message: unknown): { orderId: string } & common.PaymentUpdate {
  const request = common.readUpdate(message)
  if (request.target !== 'payments') throw invalid({ path: 'message.update_target', message: 'must be payments' })
  const { orderId, label } = request
  return label === 'PRE_PART_PAYMENT' ? { orderId, label, amount: request.amount } : { orderId, label }
}

/** An unsolicited DISBURSED; and, in the unconfirmed shape, a requested or completed payment. */
export const onUpdate = (order: ConfirmedOrder & DraftWith<'state' | 'orderStatus' | 'updatedAt'>) => ({
  order: writeLenderOrder(order),
})

/** Status and on_status: the complete loan, on request or unsolicited after a completed page (FIS12 §7.7, §10.2, §11.2). */
export { readStatus, status } from '#wire/network/v203/update-and-status.ts'

/** A requested or unsolicited status. After a page, `result` is SUCCESS or REJECTED. Both instants are equal (FIS12 §7.6). */
export const onStatus = (draft: OrderDraft) => ({ order: writeLenderOrder({ ...draft, updatedAt: draft.createdAt }) })
