// A request of a buyer app, what the lender learned for it, and the reply to it.
import type { Portfolio } from '#contract/hosted/read-portfolio.ts'
import type { NetworkError } from '#contract/network/context.ts'
import type { AnyRequest } from '#contract/network/igm/actions.ts'
import type { Denial } from './decide.ts'

export interface LenderRequest {
  action: AnyRequest
  message: unknown
}

/** Bank data was read, or a consent for it is open; or there will be none. */
export type BankNews = { handle: string; isRead: boolean } | { denial: Denial }

/**
 * The borrower's holdings; or the consent that is needed first; or why they are unavailable, which may end the
 * application.
 */
export type PortfolioNews =
  | Pick<Portfolio, 'pan' | 'holdings'>
  | { handle: string }
  | { denial: Denial; ends?: boolean }

/** Null where the answer does not depend on it. */
export interface News {
  /** The account aggregator's report. */
  bank: BankNews | null
  /** What the borrower holds. */
  portfolio: PortfolioNews | null
}

/** The reply: its content, or an error in its place (FIS12 §3.2). */
export type ReplyContent = { message: object } | { error: NetworkError }
