// Init and on_init: KYC done, then the bank account, the mandate and the agreement, one page at a time (FIS12 §8.1 rows 10–14).
import { type BuyerDraft, buyerOrder } from './buyer-order.ts'
import { lenderOrder, type OrderDraft, type With } from './order.ts'

export const init = (draft: Required<BuyerDraft>) => ({ order: buyerOrder(draft) })

/** The steps of this stage in their order: `page.headings`. */
export const initHeadings = ['ACCOUNT_INFORMATION', 'EMANDATE', 'LOAN_AGREEMENT'] as const

/** The loan is INITIATED; the instalments appear with the agreement page. */
export const onInit = (
  draft: With<'page' | 'customer' | 'settlement' | 'cancellationTerms'> & Pick<OrderDraft, 'installments'>,
) => ({ order: lenderOrder({ ...draft, state: 'INITIATED' }) })
