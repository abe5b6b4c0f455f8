// What makes one product different from another. Each product exports one such descriptor; nothing else asks which product it is.

import type { Dialect } from '#contract/network/context.ts'
import type { AnyRequest } from '#contract/network/igm/actions.ts'
import type { FormResult } from '#contract/network/v203/page.ts'
import type { Assessment } from '#contract/network/v203/search.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import type { Html } from '#kit/http/markup.ts'
import type { Table } from '#kit/runtime/machine.ts'
import { required } from '#kit/runtime/record.ts'
import type { Context } from '#sandbox/core/context.ts'
import type { BorrowerPage, PledgedUnits } from './borrower-page.ts'
import type { LenderRequest, News, ReplyContent } from './buyer-request.ts'
import type { Conversation, LoanMove, LoanProduct, LoanStatus } from './conversation.ts'
import type { Form } from './form.ts'
import type { Purpose } from './link.ts'
import type { LoanFile } from './order.ts'
import { type LenderPolicy, policyOf, type RateBand } from './policy.ts'
import type { Security } from './security.ts'
import type { LenderStep } from './step.ts'
import type { ConversationFacts } from './store.ts'

/** What the steps of a conversation depend on; they are ordinary unless the sandbox's rules ask for something else. */
export type StepsOf = Pick<Conversation, 'lender'> & Partial<Pick<Conversation, 'scenario'>>

export interface LendingProduct {
  id: LoanProduct
  /** The version of the protocol that its messages are written in. */
  dialect: Dialect
  /** Which moves are possible in a conversation about it. */
  moves: Table<LoanStatus, LoanMove>
  /** The status in which the first of its steps waits. */
  begins: LoanStatus
  /** In the order in which they are done. */
  steps(of: StepsOf): readonly LenderStep[]
  /** What differs from the lender's own policy; null where the lender does not lend this. */
  lending(lender: string): Partial<LenderPolicy> | null
  /** Whether it is a credit line, which is drawn on later. */
  isLine(policy: LenderPolicy): boolean
  /** The item under which a lender that judges in this way lends it. */
  itemId(policy: LenderPolicy, assessment: Assessment | null): string

  /** Whether a search in its dialect, which went to everybody, is for it. */
  isSought(message: unknown): boolean
  /** What the lender learns before it answers a request, from others; asked while nothing is locked. */
  learn(ctx: Context, policy: ProductPolicy, conversation: Conversation, request: LenderRequest): Promise<News>
  answerers: Answerers
  /** The messages of on_status after a page, and of on_update. */
  onStatus(tx: Tx, file: LoanFile<ProductPolicy>, result: FormResult): Promise<object>
  onUpdate(tx: Tx, file: LoanFile<ProductPolicy>, at: Date): Promise<object>

  /** The effect of disbursal beside the status, its message, and whether it may follow the last message. */
  disbursal: Disbursal

  /** The form with which a borrower applies, where there is a page of it. */
  profileForm: Form | null
  /** The pages that a borrower completes, by the last part of their path. */
  pages: Partial<Record<Purpose, BorrowerPage>>
  /** Pledged units of mutual funds, by stage; null without any. */
  units(db: Run, seal: Seal, conversationId: string): Promise<PledgedUnits | null>
  /** The kind and security of a loan in its key facts statement. */
  security(
    policy: LenderPolicy,
    conversation: Conversation,
    stage: 'offer' | 'final',
    units: PledgedUnits | null,
  ): Security
  /** Whether its agreement requires the account. */
  needsAccount: boolean
  /** A lender's public text on this product; null without one. */
  publicPart(policy: LenderPolicy): Html | null
  /** Its lenders, for the page on which the sandbox explains itself. */
  overview: ProductOverview
}

interface Disbursal {
  facts(policy: LenderPolicy, conversation: Conversation, at: Date): ConversationFacts
  action: 'on_status' | 'on_update'
  /** Whether an unsolicited message may follow this action. */
  mayFollow(last: string | undefined): boolean
  message(tx: Tx, file: LoanFile<ProductPolicy>, at: Date): Promise<object>
  /** The effect after the message was sent. */
  after?(tx: Tx, ctx: Context, conversation: Conversation, at: Date): Promise<void>
}

export interface ProductOverview {
  id: string
  title: string
  about: Html | null
  columns: string[]
  rows(): Html[]
}

/** A lender's policy for one product: its own, with what differs for the product. */
export type ProductPolicy<Product extends LendingProduct = LendingProduct> = LenderPolicy & { product: Product }

/** A request with its conversation locked; the news were asked for before that. */
export interface ProductRequest<Policy = ProductPolicy> extends LenderRequest, News {
  ctx: Context
  policy: Policy
  conversation: Conversation
  /** How an answer to it is addressed. */
  request: { messageId: string; ttl: string }
  at: Date
}

/** The answer, and the conversation as it is after it. */
export interface Reply {
  conversation: Conversation
  content: ReplyContent
}

export const failedReply = ({ conversation }: ProductRequest, code: string, message: string): Reply => ({
  conversation,
  content: { error: { code, message } },
})

interface RequestHandler {
  /** Null when the lender is silent. */
  answer(tx: Tx, request: ProductRequest): Promise<Reply | null>
}

type Answerers = Partial<Record<AnyRequest, RequestHandler['answer']>>

/** The discount per year for sharing bank data: two percent. */
const bankDataBps = 200n

/** The policy of a conversation; a lender's second kind of assessment is cheaper. */
export function policyUnder<Product extends LendingProduct>(
  product: Product,
  { lender, assessment = null }: Pick<Conversation, 'lender'> & Partial<Pick<Conversation, 'assessment'>>,
): ProductPolicy<Product> {
  const own = required(policyOf(lender), `lender ${lender}`)
  const policy = { ...own, ...product.lending(lender), product }
  if (assessment === null) return policy
  const cheaper = (band: RateBand): RateBand => ({ ...band, annualBps: band.annualBps - bankDataBps })
  const [first, ...more] = policy.rates
  return { ...policy, assessment, rates: [cheaper(first), ...more.map(cheaper)] }
}
