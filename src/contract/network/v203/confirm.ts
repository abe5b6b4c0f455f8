// Confirm and on_confirm: the signed agreement, and the order that comes of it (FIS12 §8.1 rows 16–17).
import { type BuyerDraft, buyerOrder } from './buyer-order.ts'
import { lenderOrder, type With } from './order.ts'

export const confirm = (draft: Required<BuyerDraft>) => ({ order: buyerOrder(draft) })

export type ConfirmedOrder = With<
  'orderId' | 'customer' | 'settlement' | 'installments' | 'cancellationTerms' | 'documents' | 'createdAt' | 'updatedAt'
>

/** The loan is SANCTIONED and has its order id. */
export const onConfirm = (order: ConfirmedOrder) => ({ order: lenderOrder({ ...order, state: 'SANCTIONED' }) })
