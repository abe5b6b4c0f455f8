// Confirm and on_confirm: both parties' terms, and the order that comes of it (FIS12 §10.2 rows 12–13).
import { type BuyerDraft, buyerOrder } from './buyer-order.ts'
import { lenderOrder, type OrderDraft, type With } from './order.ts'

export const confirm = (
  draft: Required<Omit<BuyerDraft, 'answer' | 'lenderTerms'>> & Pick<BuyerDraft, 'lenderTerms'>,
) => ({ order: buyerOrder(draft) })

export type ConfirmedOrder = With<
  'orderId' | 'customer' | 'disbursal' | 'cancellationTerms' | 'contractTerms' | 'documents' | 'createdAt'
> &
  Pick<OrderDraft, 'installments' | 'utilization'>

/** The loan is SANCTIONED and has its order id; both instants are the same here (FIS12 §7.6). */
export const onConfirm = (order: ConfirmedOrder) => ({
  order: lenderOrder({ ...order, orderStatus: 'ACTIVE', state: 'SANCTIONED', updatedAt: order.createdAt }),
})
