// Confirm and on_confirm: the signed agreement, and the order that comes of it (FIS12 §8.1 rows 16–17).
import { type BuyerDraft, buyerOrder } from './buyer-order.ts'
import { lenderOrder, type With } from './order.ts'

export const confirm = (draft: BuyerDraft & Required<Pick<BuyerDraft, 'settlement'>>) => ({ order: buyerOrder(draft) })

export type ConfirmedOrder = With<
  'orderId' | 'customer' | 'settlement' | 'installments' | 'cancellationTerms' | 'documents' | 'createdAt' | 'updatedAt'
>

/** The loan is SANCTIONED and has its order id. */
export const onConfirm = (order: ConfirmedOrder) => ({ order: lenderOrder({ ...order, state: 'SANCTIONED' }) })

/** A gold loan is paid out with its confirmation (FIS12 §9.1 row 8). */
export const onConfirmDisbursed = (order: ConfirmedOrder & With<'branches'>) => ({
  order: lenderOrder({ ...order, state: 'DISBURSED', stateName: 'Loan Disbursed' }),
})
