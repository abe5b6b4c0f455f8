// A request of a buyer app as its answerer sees it, what the lender learned for it, and what is said to it.
import type { Portfolio } from '#contract/hosted/read-portfolio.ts'
import type { AnyRequest } from '#contract/network/igm/actions.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Context } from '#sandbox/core/context.ts'
import type { Conversation } from './conversation.ts'
import type { Denial } from './decide.ts'
import type { ProductPolicy } from './product.ts'
import type { Content } from './send-callback.ts'

export interface LenderRequest {
  action: AnyRequest
  message: unknown
}

/** Bank data was read, or a consent for it stands open; or nothing will come of it. */
export type BankNews = { handle: string; isRead: boolean } | { denial: Denial }

/** What the borrower holds; or the consent that is to be given first; or why it cannot be known, which may end all. */
export type PortfolioNews =
  | Pick<Portfolio, 'pan' | 'holdings'>
  | { handle: string }
  | { denial: Denial; ends?: boolean }

/** Null where the answer does not depend on it. */
export interface News {
  /** What the account aggregator says. */
  bank: BankNews | null
  /** What the borrower holds. */
  portfolio: PortfolioNews | null
}

/** A request with its conversation locked; the news were asked for before that. */
export interface BuyerRequest<Policy = ProductPolicy> extends LenderRequest, News {
  ctx: Context
  policy: Policy
  conversation: Conversation
  /** How an answer to it is addressed. */
  request: { messageId: string; ttl: string }
  at: Date
}

/** What is said, and the conversation as it is after it. */
export interface Reply {
  conversation: Conversation
  content: Content
}

interface Answering {
  /** Null where the lender says nothing. */
  answer(tx: Tx, asked: BuyerRequest): Promise<Reply | null>
}

export type Answerers = Partial<Record<AnyRequest, Answering['answer']>>
