// Select and on_select: the profile or amount that was submitted, and the offer or its revision (FIS12 §8.1 rows 3–8).
import { type BuyerDraft, buyerOrder, type Submission } from './buyer-order.ts'
import { type Lender, providerOf } from './lender.ts'
import { consentInfo, itemDescriptor, type LoanItem, lenderOrder, type OrderDraft, type With } from './order.ts'
import { resultInput } from './page.ts'

/** Any stage: the submission says which form was answered; a gold loan's final choice names a branch as well. */
export const select = (draft: Omit<BuyerDraft, 'settlement'>) => ({ order: buyerOrder(draft) })

/** An offer with the amount form, or the revised offer with the page of what is next: KYC, or the visit to the branch. */
export const onSelect = (offer: With<'page'> & Pick<OrderDraft, 'branches' | 'agent'>) => ({
  order: lenderOrder(offer),
})

export interface ConsentAsk {
  lender: Lender
  item: LoanItem
  /** The profile that was submitted: its answer is still to come. */
  submission: Submission
  /** At the account aggregator; a UUID. */
  consentHandle: string
}

/** No offer yet: the borrower is to share bank data first, then the same submission is sent again (FIS12 §7.8). */
export const onSelectConsent = ({ lender, item, submission, consentHandle }: ConsentAsk) => ({
  order: {
    provider: providerOf(lender),
    items: [
      {
        id: item.id,
        descriptor: itemDescriptor(item),
        tags: [consentInfo(consentHandle)],
        xinput: resultInput({ ...submission, status: 'PENDING' }),
      },
    ],
  },
})
