// A request of a buyer app, what the lender learned for it, and the reply to it.
import type { Portfolio } from '#contract/hosted/read-portfolio.ts'
import type { NetworkError } from '#contract/network/context.ts'
import type { AnyRequest } from '#contract/network/igm/actions.ts'
import type { Denial } from './decide.ts'

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

/** The reply: its content, or an error in its place (FIS12 §3.2). */
export type ReplyContent = { message: object } | { error: NetworkError }
