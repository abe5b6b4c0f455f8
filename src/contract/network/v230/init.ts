// Init and on_init: the account, then one page after the other, each answered in the next init (FIS12 §10.2 rows 5–11).
import { type BuyerDraft, buyerOrder } from './buyer-order.ts'
import { lenderOrder, type OrderDraft, type With } from './order.ts'

type Placed = Required<Pick<BuyerDraft, 'disbursal' | 'terms'>>

/** The first has no answer; each later one answers the page that the lender reported as done. */
export const init = (draft: Omit<BuyerDraft, 'lenderTerms'> & Placed) => ({ order: buyerOrder(draft) })

/** The loan is INITIATED; the last on_init has no page. */
export const onInit = (
  draft: With<'customer' | 'disbursal' | 'cancellationTerms' | 'contractTerms'> &
    Pick<OrderDraft, 'page' | 'installments'>,
) => ({ order: lenderOrder({ ...draft, state: 'INITIATED' }) })
