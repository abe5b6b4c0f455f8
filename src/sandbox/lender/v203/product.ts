// What a product in dialect 2.0.3 adds to a product: the words and acts in which personal loans and gold loans differ.
import type { OrderDraft } from '#contract/network/v203/order.ts'
import type { Product } from '#contract/network/v203/product.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { Applicant, Decision } from '#sandbox/lender/core/decide.ts'
import type { Loan } from '#sandbox/lender/core/loan.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'
import type { LendingProduct, ProductPolicy } from '#sandbox/lender/core/product.ts'

export interface ProductIn203 extends LendingProduct {
  id: Product
  itemName: string
  /** The lender's honest decision on an applicant, on the day `on` (in India). */
  decide(policy: Policy, conversation: Conversation, applicant: Applicant, on: string): Decision
  /** The branches of a lender that takes in what is pledged; null where nothing is brought anywhere. */
  branches(lender: string): OrderDraft['branches'] | null
  /** The branches that a message names; once the choice is `quoted`, the chosen one and who waits there. */
  branchesFor(conversation: Conversation, quoted: boolean): Pick<OrderDraft, 'branches' | 'agent'>
  /** The loan to the value of what is pledged; null where nothing is. */
  ltvRatio(conversation: Conversation, loan: Loan): string | null
  /** Whether the confirmation pays out, since all was seen to at the branch (FIS12 §9.1 row 8). */
  paysOutOnConfirm: boolean
  /** Whether it is concluded by `init` alone, so that its confirmation answers no form of its own (FIS12 §19.3). */
  isOffline(conversation: Pick<Conversation, 'scenario'>): boolean
}

export type Policy203 = ProductPolicy<ProductIn203>
