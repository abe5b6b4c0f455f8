// The descriptor of a product. All differences between products are here; no other code branches on the product.

import type { Table } from '@lendloom/foundation/machine'
import { required } from '@lendloom/foundation/required'
import type { Html } from '@lendloom/http/markup'
import type { Assessment } from '@lendloom/lending/terms'
import type { Run, Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import type { Dialect } from '@lendloom/wire/network/context'
import type { AnyCallback, AnyRequest } from '@lendloom/wire/network/igm/actions'
import type { FormResult } from '@lendloom/wire/network/v203/xinput'
import type { Context } from '#sandbox/core/context.ts'
import { dialectOf } from '#sandbox/core/lender-version.ts'
import type { BorrowerPage, PledgedUnits } from './borrower-page.ts'
import type { ExternalData, LenderRequest, ReplyContent } from './buyer-request.ts'
import type { Conversation, LoanMove, LoanProduct, LoanStatus } from './conversation.ts'
import type { Form } from './form.ts'
import { type LenderPolicy, policyOf, type RateBand } from './lender-policies.ts'
import type { LinkPurpose } from './link-token.ts'
import type { Security } from './loan-security.ts'
import type { LoanFile } from './message-parts.ts'
import type { LenderStep } from './step.ts'
import type { ConversationFacts } from './store.ts'

/** The facts that a conversation's steps depend on: the lender, and the fault rule if there is one. */
export type StepContext = Pick<Conversation, 'lender'> & Partial<Pick<Conversation, 'scenario'>>

export interface LendingProduct {
  id: LoanProduct
  dialect: Dialect
  /** The possible moves of its conversations. */
  moves: Table<LoanStatus, LoanMove>
  initialStatus: LoanStatus
  steps(context: StepContext): readonly LenderStep[]
  /** Overrides of the lender's policy; null when the lender does not offer this product. */
  lending(lender: string): Partial<LenderPolicy> | null
  /** Whether the lender's loans of this product are credit lines. */
  isLine(policy: LenderPolicy): boolean
  itemId(policy: LenderPolicy, assessment: Assessment | null): string

  /** Whether a broadcast search in the product's dialect requests this product. */
  matchesSearch(message: unknown): boolean
  /** Fetches external data for the answer to a request. Runs before the conversation is locked. */
  fetchExternalData(
    ctx: Context,
    policy: ProductPolicy,
    conversation: Conversation,
    request: LenderRequest,
  ): Promise<ExternalData>
  handlers: RequestHandlers
  /** The message of on_status after a page. */
  onStatus(tx: Tx, file: LoanFile<ProductPolicy>, result: FormResult): Promise<object>
  onUpdate(tx: Tx, file: LoanFile<ProductPolicy>, at: Date): Promise<object>

  /** The effects of disbursal besides the change of status. */
  disbursal: Disbursal

  /** The application form; null when it travels inside the search. */
  profileForm: Form | null
  /** The pages that a borrower completes, keyed by the last part of their path. */
  pages: Partial<Record<LinkPurpose, BorrowerPage>>
  /** Pledged units of mutual funds, by stage; null without any. */
  units(db: Run, seal: Seal, conversationId: string): Promise<PledgedUnits | null>
  /** The kind and security of a loan in its key facts statement. */
  security(
    policy: LenderPolicy,
    conversation: Conversation,
    stage: 'offer' | 'final',
    units: PledgedUnits | null,
  ): Security
  /** Whether the agreement is available only once the borrower's account is known. */
  agreementNeedsAccount: boolean
  /** The section on this product in a lender's public pages; null without such a section. */
  publicPageSection(policy: LenderPolicy): Html | null
  overview: ProductOverview
}

interface Disbursal {
  facts(policy: LenderPolicy, conversation: Conversation, at: Date): ConversationFacts
  /** What else the payout changes, whether it is reported or not. */
  settle?(tx: Tx, conversation: Conversation, at: Date): Promise<void>
  action: 'on_status' | 'on_update'
  /** Whether the lender may report the disbursal unsolicited after this last action of the conversation. */
  mayReportAfter(lastAction: string | undefined): boolean
  message(tx: Tx, file: LoanFile<ProductPolicy>, at: Date): Promise<object>
  /** Set when the lender reports each due payment unasked. */
  reportsDuePayments?: true
  /** Runs in the same transaction after the message is enqueued. */
  after?(tx: Tx, ctx: Context, conversation: Conversation, at: Date): Promise<void>
}

export interface ProductOverview {
  id: string
  title: string
  about: Html | null
  columns: string[]
  rows(): Html[]
}

/** A lender's policy for a product: its own policy with the product's overrides. */
export type ProductPolicy<Product extends LendingProduct = LendingProduct> = LenderPolicy & {
  product: Product
  /** The version of the conversation. */
  dialect: Dialect
}

/** A request with its locked conversation and the external data fetched before. */
export interface ProductRequest<Policy = ProductPolicy> extends LenderRequest, ExternalData {
  ctx: Context
  policy: Policy
  conversation: Conversation
  /** The request's message id and TTL, which the answer repeats. */
  request: { messageId: string; ttl: string }
  at: Date
}

export interface Reply {
  conversation: Conversation
  content: ReplyContent
  /** A callback that the lender sends right after the answer, unasked. */
  followedBy?: { action: AnyCallback; content: ReplyContent }
}

export const failedReply = (
  { conversation }: Pick<ProductRequest, 'conversation'>,
  code: string,
  message: string,
): Reply => ({
  conversation,
  content: { error: { code, message } },
})

interface RequestHandler {
  /** Null when the lender does not answer. */
  answer(tx: Tx, request: ProductRequest): Promise<Reply | null>
}

type RequestHandlers = Partial<Record<AnyRequest, RequestHandler['answer']>>

/** Two percent less interest a year for shared bank data. */
const bankDataDiscountBps = 200n

type LenderAndTerms = Pick<Conversation, 'lender'> & Partial<Pick<Conversation, 'assessment' | 'version'>>

/** The policy of a conversation; the second assessment gets a discount. */
export function policyUnder<Product extends LendingProduct>(
  product: Product,
  { lender, assessment = null, version = null }: LenderAndTerms,
): ProductPolicy<Product> {
  const lenderPolicy = required(policyOf(lender), `lender ${lender}`)
  const dialect = version === null ? product.dialect : dialectOf(version)
  const policy = { ...lenderPolicy, ...product.lending(lender), product, dialect }
  if (assessment === null) return policy
  const withDiscount = (band: RateBand): RateBand => ({ ...band, annualBps: band.annualBps - bankDataDiscountBps })
  const [first, ...more] = policy.rates
  return { ...policy, assessment, rates: [withDiscount(first), ...more.map(withDiscount)] }
}
