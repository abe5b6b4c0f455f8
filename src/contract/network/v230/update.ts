// Update and status with their answers: the money has been paid out, and the requests after disbursal (FIS12 §10.2 row 14, §11.1).
import * as common from '#contract/network/v203/update.ts'
import { invalid } from '#kit/http/refusal.ts'
import type { ConfirmedOrder } from './buyer-order.ts'
import { type DraftWith, lenderOrder, type OrderDraft } from './order.ts'

/** A link to pay by. Not confirmed: the generic shape of 2.3.0, for which this product has no official flow. */
export const update = (request: { orderId: string } & common.PaymentUpdate) =>
  common.update({ target: 'payments', ...request })

/** A lender's view of `update`. Throws a `Refusal` of kind `invalid` naming the path. */
export function readUpdate(message: unknown): { orderId: string } & common.PaymentUpdate {
  const request = common.readUpdate(message)
  if (request.target !== 'payments') throw invalid({ path: 'message.update_target', message: 'must be payments' })
  const { orderId, label } = request
  return label === 'PRE_PART_PAYMENT' ? { orderId, label, amount: request.amount } : { orderId, label }
}

/** DISBURSED, unsolicited; and, in the unconfirmed shape, a payment that was asked for or has been made. */
export const onUpdate = (order: ConfirmedOrder & DraftWith<'state' | 'orderStatus' | 'updatedAt'>) => ({
  order: lenderOrder(order),
})

/** Status and on_status: the whole loan on request, and pushed when a borrower's page is finished (FIS12 §7.7, §10.2, §11.2). */
export { readStatus, status } from '#contract/network/v203/update.ts'

/** The answer, or the push. After a page: `result` with SUCCESS or REJECTED. Both instants are the same (FIS12 §7.6). */
export const onStatus = (draft: OrderDraft) => ({ order: lenderOrder({ ...draft, updatedAt: draft.createdAt }) })
