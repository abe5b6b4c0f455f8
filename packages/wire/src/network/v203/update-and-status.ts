// Builds and reads update, status and their callbacks (FIS12 §7.7, §7.8, §8.1 rows 18–20, §11.1).

import { invalid } from '@lendloom/foundation/refusal'
import { parse } from '@lendloom/foundation/schema'
import { moneyOf, type Paise, rupees } from '@lendloom/lending/money'
import { omitUndefined } from '#wire/network/context.ts'
import { isServicingLabel, type ServicingLabel } from './payments.ts'
import { StatusMessage, UpdateMessage } from './schema.ts'
import type { ConfirmedOrder } from './select-to-confirm.ts'
import { type DraftWith, type FulfillmentState, type OrderDraft, writeLenderOrder } from './write-order.ts'

/**
 * `fulfillment` reports an approved monitoring consent; `payments` requests a payment link. Only a part payment names
 * an amount, in paise: the lender computes the others.
 */
export type UpdateRequest =
  | { target: 'fulfillment'; state: FulfillmentState }
  | ({ target: 'payments' } & PaymentUpdate)

export type PaymentUpdate =
  | { label: 'PRE_PART_PAYMENT'; amount: Paise }
  | { label: Exclude<ServicingLabel, 'PRE_PART_PAYMENT'> }

/** The payment has no `type`: with one, FIS12 §12.1 requires an amount for every label (FIS12 §11.1). */
export const update = ({ orderId, ...request }: { orderId: string } & UpdateRequest) =>
  request.target === 'fulfillment'
    ? {
        update_target: 'fulfillment',
        order: { id: orderId, fulfillments: [{ state: { descriptor: { code: request.state } } }] },
      }
    : {
        update_target: 'payments',
        order: {
          id: orderId,
          payments: [
            {
              time: { label: request.label },
              ...('amount' in request && { params: { amount: rupees(request.amount), currency: 'INR' } }),
            },
          ],
        },
      }

/** The loan in its new state, with the requested or completed payment. */
export const onUpdate = (order: ConfirmedOrder & DraftWith<'state'>) => ({ order: writeLenderOrder(order) })

/** The price of a cancellation that the borrower asked for (SOFT_CANCEL), or the cancelled loan (FIS12 §25). */
export const onCancel = (order: ConfirmedOrder & DraftWith<'state'>, status: 'SOFT_CANCEL' | 'CANCELLED') => ({
  order: { ...writeLenderOrder(order), status },
})

/** Reads an `update` (the lender's side). Throws `invalid` with the path. */
export function readUpdate(message: unknown): { orderId: string } & UpdateRequest {
  const { update_target: target, order } = parse(UpdateMessage, message, 'message')
  const orderId = order.id
  if (target === 'fulfillment') {
    const code = order.fulfillments?.find(({ state }) => state)?.state?.descriptor.code.toUpperCase()
    if (code !== 'APPROVED')
      throw invalid({ path: 'message.order.fulfillments.0.state.descriptor.code', message: 'must be APPROVED' })
    return { orderId, target, state: code }
  }
  if (target !== 'payments')
    throw invalid({ path: 'message.update_target', message: 'must be one of fulfillment, payments' })
  const payment = order.payments?.[0]
  const label = payment?.time?.label
  if (!label || !isServicingLabel(label))
    throw invalid({ path: 'message.order.payments.0.time.label', message: 'must name an action after disbursal' })
  if (label !== 'PRE_PART_PAYMENT') return { orderId, target, label }
  const amount = payment?.params?.amount === undefined ? null : moneyOf(payment.params.amount)
  if (amount === null || amount <= 0n)
    throw invalid({ path: 'message.order.payments.0.params.amount', message: 'must be an amount of rupees above zero' })
  return { orderId, target, label, amount }
}

/** Requests the status of an order, or of the conversation while there is none; `refId` is the transaction id. */
export const status = (reference: { orderId: string } | { refId: string }) =>
  'orderId' in reference ? { order_id: reference.orderId } : { ref_id: reference.refId }

/** Reads a `status` (the lender's side): either the order id or the reference is set. */
export function readStatus(message: unknown): { orderId: string | null; refId: string | null } {
  const { order_id: orderId = null, ref_id: refId = null } = parse(StatusMessage, message, 'message')
  return { orderId, refId }
}

/**
 * A requested or unsolicited status. After a page, `result` is APPROVED (KYC, e-sign), COMPLETED (mandate) or REJECTED; an
 * open page has no result (FIS12 §12.1).
 */
export const onStatus = (draft: OrderDraft) => ({ order: writeLenderOrder(draft) })

/** SOFT_CANCEL asks what leaving costs; CONFIRM_CANCEL leaves (FIS12 §25). */
export const cancelCodes = ['SOFT_CANCEL', 'CONFIRM_CANCEL'] as const
export type CancelCode = (typeof cancelCodes)[number]

const cancelNames: Record<CancelCode, string> = { SOFT_CANCEL: 'Soft Cancel', CONFIRM_CANCEL: 'Confirm Cancel' }

export const cancel = (orderId: string, code: CancelCode) => ({
  order_id: orderId,
  cancellation_reason_id: '000',
  descriptor: { name: cancelNames[code], code },
})

export const support = (orderId: string, borrower: { phone: string; email: string | undefined }) => ({
  support: omitUndefined({ order_id: orderId, ...borrower }),
})

export const track = (orderId: string) => ({ order_id: orderId })
