// Select and on_select: the units that are pledged for an offer, and the quote that comes of them (FIS12 §10.2 row 4).
import { type BuyerDraft, buyerOrder } from './buyer-order.ts'
import { lenderOrder, type With } from './order.ts'

export const select = (draft: Omit<BuyerDraft, 'answer' | 'disbursal' | 'terms' | 'lenderTerms'>) => ({
  order: buyerOrder(draft),
})

export const onSelect = (offer: With<never>) => ({ order: lenderOrder(offer) })
