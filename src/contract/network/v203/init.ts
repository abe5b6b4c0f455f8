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

/**
 * The borrower was identified and has signed at the branch, or with the lender by other means: one on_init says that the
 * loan is SANCTIONED (FIS12 §9.1 row 7, §19.3).
 */
export const onInitSanctioned = (draft: Initiated & With<'installments'> & Pick<OrderDraft, 'branches'>) => ({
  order: lenderOrder({ ...draft, state: 'SANCTIONED', fulfillmentType: 'LOAN' }),
})
