// Init and on_init: KYC done, then the bank account, the mandate and the agreement, one page at a time (FIS12 §8.1 rows 10–14).
import { type BuyerDraft, buyerOrder } from './buyer-order.ts'
import { lenderOrder, type OrderDraft, type With } from './order.ts'

export const init = (draft: BuyerDraft & Required<Pick<BuyerDraft, 'settlement'>>) => ({ order: buyerOrder(draft) })

/** The steps of this stage in their order: `page.headings`. */
export const initHeadings = ['ACCOUNT_INFORMATION', 'EMANDATE', 'LOAN_AGREEMENT'] as const

type Initiated = With<'customer' | 'settlement' | 'cancellationTerms'>

/** The loan is INITIATED; the instalments appear with the agreement page. */
export const onInit = (draft: Initiated & With<'page'> & Pick<OrderDraft, 'installments'>) => ({
  order: lenderOrder({ ...draft, state: 'INITIATED' }),
})

/** A gold loan was identified, appraised and signed for at the branch: one on_init says it is SANCTIONED (FIS12 §9.1 row 7). */
export const onInitSanctioned = (draft: Initiated & With<'installments' | 'branches'>) => ({
  order: lenderOrder({ ...draft, state: 'SANCTIONED' }),
})
