// Select and on_select: the profile or amount that was submitted, and the offer or its revision (FIS12 §8.1 rows 3–8).
import { type BuyerDraft, buyerOrder } from './buyer-order.ts'
import { lenderOrder, type With } from './order.ts'

/** Any stage: the submission says which form was answered. */
export const select = (draft: Omit<BuyerDraft, 'settlement'>) => ({ order: buyerOrder(draft) })

/** An offer with the amount form, or the revised offer with the KYC page. */
export const onSelect = (offer: With<'page'>) => ({ order: lenderOrder(offer) })
