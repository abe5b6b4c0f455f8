// What a product in dialect 2.0.3 adds to a product: its words, acts, moves and steps, in which personal loans and gold loans differ.
import type { OrderDraft } from '#contract/network/v203/order.ts'
import type { CatalogProduct } from '#contract/network/v203/search.ts'
import type { Table } from '#kit/runtime/machine.ts'
import { type Conversation, type LoanMove, type LoanStatus, noMoves } from '#sandbox/lender/core/conversation.ts'
import type { CreditDecision, Loan, LoanApplicant } from '#sandbox/lender/core/decide.ts'
import type { LenderPolicy } from '#sandbox/lender/core/policy.ts'
import type { LendingProduct, ProductPolicy } from '#sandbox/lender/core/product.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'

export interface ProductIn203 extends LendingProduct {
  id: CatalogProduct
  itemName: string
  /** The lender's honest decision on an applicant, on the day `on` (in India). */
  decide(policy: LenderPolicy, conversation: Conversation, applicant: LoanApplicant, on: string): CreditDecision
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

/** The order of the messages of a loan in dialect 2.0.3, as a table (FIS12 §8.1, §9.1, §19.3). */
export const moves: Table<LoanStatus, LoanMove> = {
  ...noMoves,
  SEARCHED: { profile: 'PROFILED' },
  PROFILED: { profile: 'PROFILED', ask: 'CONSENTING', offer: 'OFFERED', refuse: 'REFUSED' },
  CONSENTING: { ask: 'CONSENTING', offer: 'OFFERED', refuse: 'REFUSED' },
  OFFERED: { amount: 'CHOSEN', lapse: 'EXPIRED' },
  CHOSEN: { amount: 'CHOSEN', quote: 'QUOTED', refuse: 'REFUSED', lapse: 'EXPIRED' },
  QUOTED: { amount: 'CHOSEN', identify: 'IDENTIFIED', book: 'BOOKED', reject: 'REJECTED', lapse: 'EXPIRED' },
  BOOKED: { visit: 'VISITED', reject: 'REJECTED', lapse: 'EXPIRED' },
  VISITED: { sanction: 'SANCTIONED' },
  // Two more ways, where the lender sees to account and mandate itself: only the agreement is left, or nothing is (FIS12 §19.3).
  IDENTIFIED: { initiate: 'INITIATED', draft: 'AGREEING', conclude: 'READY', lapse: 'EXPIRED' },
  INITIATED: { account: 'ACCOUNTED' },
  ACCOUNTED: { account: 'ACCOUNTED', verify: 'MANDATING', disprove: 'INITIATED' },
  MANDATING: { mandate: 'MANDATED', reject: 'REJECTED' },
  MANDATED: { draft: 'AGREEING' },
  AGREEING: { sign: 'SIGNED', reject: 'REJECTED' },
  SIGNED: { sanction: 'SANCTIONED' },
  SANCTIONED: { disburse: 'DISBURSED' },
  READY: { sanction: 'SANCTIONED' },
}

/** The common steps of loans in dialect 2.0.3: the applicant, and the requested terms (FIS12 §8.1, §9.1, §19.1). */
const select = { request: 'select', callback: 'on_select' } as const
export const init = { request: 'init', callback: 'on_init' } as const
export const choosing = ['SET_LOAN_AMOUNT', 'KYC'] as const

export const applying: LenderStep = {
  heading: 'PERSONAL_INFORMATION',
  formId: 'FORM-PROFILE',
  mimeType: 'text/html',
  headings: ['PERSONAL_INFORMATION'],
  completionMove: 'profile',
  success: 'SUCCESS',
  ...select,
  move: 'offer',
  statusAfter: 'OFFERED',
}

export const choosingAmount: LenderStep = {
  heading: 'SET_LOAN_AMOUNT',
  formId: 'FORM-AMOUNT',
  mimeType: 'text/html',
  headings: choosing,
  completionMove: 'amount',
  success: 'SUCCESS',
  ...select,
  move: 'quote',
  statusAfter: 'QUOTED',
}

/** Taking an offer asks for the identity again, then for the terms (FIS12 §19.1). */
export const customer = { opens: { path: 'forms/customer', purpose: 'customer' } } as const
