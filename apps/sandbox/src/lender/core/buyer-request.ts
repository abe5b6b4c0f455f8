// A request of a buyer app, the external data that the lender fetched for it, and the reply.
import type { Portfolio } from '@lendloom/wire/hosted/read-portfolio'
import type { NetworkError } from '@lendloom/wire/network/context'
import type { AnyRequest } from '@lendloom/wire/network/igm/actions'
import type { Denial } from './lending-decision.ts'

export interface LenderRequest {
  action: AnyRequest
  message: unknown
}

/** The consent for bank data and whether the data was read, or why there is no data. */
export type BankDataStatus = { handle: string; isRead: boolean } | { denial: Denial }

/** The borrower's holdings, the pending consent for them, or a denial; `isFinal` ends the application. */
export type PortfolioStatus =
  | Pick<Portfolio, 'pan' | 'holdings'>
  | { handle: string }
  | { denial: Denial; isFinal?: boolean }

/** External data. Each part is null if the answer does not depend on it. */
export interface ExternalData {
  /** The account aggregator's report. */
  bank: BankDataStatus | null
  portfolio: PortfolioStatus | null
}

export type ReplyContent = { message: object } | { error: NetworkError }
