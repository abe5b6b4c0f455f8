// The descriptor of a product in dialect 2.0.3, with the moves and steps that personal and gold loans share.

import type { Table } from '@lendloom/foundation/machine'
import type { CatalogProduct } from '@lendloom/wire/network/v203/variant'
import type { OrderDraft } from '@lendloom/wire/network/v203/write-order'
import { type Conversation, type LoanMove, type LoanStatus, noMoves } from '#sandbox/lender/core/conversation.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import type { CreditDecision, Loan, LoanApplicant } from '#sandbox/lender/core/lending-decision.ts'
import type { LendingProduct, ProductPolicy } from '#sandbox/lender/core/product.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'

export interface ProductIn203 extends LendingProduct {
  id: CatalogProduct
  itemName: string
  /** The lender's decision on an applicant; `today` is the date in India. */
  decide(policy: LenderPolicy, conversation: Conversation, applicant: LoanApplicant, today: string): CreditDecision
  /** The lender's branches; null for a product without branches. */
  branches(lender: string): OrderDraft['branches'] | null
  /** The branches in a message: all branches, or once `isQuoted` the chosen branch and its agent. */
  branchesFor(conversation: Conversation, isQuoted: boolean): Pick<OrderDraft, 'branches' | 'agent' | 'visitAt'>
  /** Loan to value of the pledge; null for an unsecured loan. */
  ltvRatio(conversation: Conversation, loan: Loan): string | null
  /** Whether `confirm` disburses, because the branch completed all steps (FIS12 §9.1 row 8). */
  disbursesOnConfirm: boolean
  /** Whether `init` completes the loan, so that `confirm` answers no form (FIS12 §19.3). */
  isOffline(conversation: Pick<Conversation, 'scenario'>): boolean
  /** How the lender tells its progress by stops, on one page after its offer; null with a page per step (FIS12 §26). */
  stops: StopsShape | null
}

/** How the borrower goes on after the offer: on the lender's page, or with its people. */
export type Way = 'ONLINE' | 'SEMI_ONLINE'

/** How a lender with stops goes on after its offer (FIS12 §26). */
export interface StopsShape {
  /** The ways that the catalogue lists. */
  ways: readonly [Way, ...Way[]]
  wayOf(conversation: Pick<Conversation, 'scenario'>): Way
  /** Whether the catalogue lists an item that checks a borrower before the application. */
  checksBorrower: boolean
  /** The form status with which a loan is confirmed; null for that of the lender's last report. */
  confirmedBy: 'SUCCESS' | null
}

export type Policy203 = ProductPolicy<ProductIn203>

/** The moves of a loan in dialect 2.0.3 (FIS12 §8.1, §9.1, §19.3). */
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
  // `draft` and `makeReady`: the lender completes account and mandate offline (FIS12 §19.3).
  IDENTIFIED: { initiate: 'INITIATED', draft: 'AGREEING', makeReady: 'READY', lapse: 'EXPIRED' },
  INITIATED: { account: 'ACCOUNTED' },
  ACCOUNTED: { account: 'ACCOUNTED', verify: 'MANDATING', disprove: 'INITIATED' },
  MANDATING: { mandate: 'MANDATED', reject: 'REJECTED' },
  MANDATED: { draft: 'AGREEING' },
  AGREEING: { sign: 'SIGNED', reject: 'REJECTED' },
  SIGNED: { sanction: 'SANCTIONED' },
  SANCTIONED: { disburse: 'DISBURSED' },
  READY: { sanction: 'SANCTIONED' },
}

/** The moves of a loan with stops: the lender pays it out on its page, before `confirm` (FIS12 §26.2, §26.4). */
export const movesWithStops: Table<LoanStatus, LoanMove> = {
  ...noMoves,
  SEARCHED: { profile: 'PROFILED' },
  // `offer` still needs a branch; `quote` comes with the page.
  PROFILED: { profile: 'PROFILED', ask: 'CONSENTING', offer: 'OFFERED', quote: 'QUOTED', refuse: 'REFUSED' },
  CONSENTING: { ask: 'CONSENTING', offer: 'OFFERED', quote: 'QUOTED', refuse: 'REFUSED' },
  OFFERED: { quote: 'QUOTED', lapse: 'EXPIRED' },
  QUOTED: {
    quote: 'QUOTED',
    identify: 'IDENTIFIED',
    sign: 'SIGNED',
    book: 'BOOKED',
    reject: 'REJECTED',
    lapse: 'EXPIRED',
  },
  IDENTIFIED: { sign: 'SIGNED' },
  SIGNED: { disburse: 'DISBURSED' },
  BOOKED: { visit: 'VISITED', reject: 'REJECTED', lapse: 'EXPIRED' },
  VISITED: { disburse: 'DISBURSED' },
}

const bySelect = { request: 'select', callback: 'on_select' } as const
export const byInit = { request: 'init', callback: 'on_init' } as const
export const choiceHeadings = ['SET_LOAN_AMOUNT', 'KYC'] as const

export const applicationStep: LenderStep = {
  heading: 'PERSONAL_INFORMATION',
  formId: 'FORM-PROFILE',
  mimeType: 'text/html',
  headings: ['PERSONAL_INFORMATION'],
  completionMove: 'profile',
  success: 'SUCCESS',
  ...bySelect,
  move: 'offer',
  statusAfter: 'OFFERED',
}

/** What the pages of lenders with stops have in common: the lender pays out on them, and `confirm` follows. */
export const payoutPage = {
  mimeType: 'application/html',
  success: 'COMPLETED',
  endsWithPayout: true,
  request: 'confirm',
  callback: 'on_confirm',
  move: 'disburse',
  statusAfter: 'DISBURSED',
} as const satisfies Partial<LenderStep>

export const choiceStep: LenderStep = {
  heading: 'SET_LOAN_AMOUNT',
  formId: 'FORM-AMOUNT',
  mimeType: 'text/html',
  headings: choiceHeadings,
  completionMove: 'amount',
  success: 'SUCCESS',
  ...bySelect,
  move: 'quote',
  statusAfter: 'QUOTED',
}

/** Accepting one of two offers asks for the identity again (FIS12 §19.1). */
export const customerPageLink = {
  pageLink: { path: 'forms/customer', purpose: 'customer' },
} as const satisfies Pick<LenderStep, 'pageLink'>
