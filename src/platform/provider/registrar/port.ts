// Port to the registrars of mutual funds: the investor consents on their page, and they return the statement.
import type { ProviderContext } from '#platform/provider/client.ts'

interface FundStatementRequest {
  /** A new id for each call, because a registrar rejects a repeated id. */
  clientReference: string
  pan: string
  /** The ten-digit number that is registered with the fund houses. */
  mobile: string
  /** The URL that the investor returns to. */
  returnUrl: string
}

/** A started request: its reference at the registrar, and the investor's page. */
export interface StartedFundStatement {
  reference: string
  url: string
  expiresAt: Date
}

/** The reason for a missing statement. */
export type NoStatement = 'NO_FUNDS' | 'DECLINED' | 'EXPIRED'

/** The statement is in the registrar's own format, which `readPortfolio` parses. */
export type FundStatementReport =
  | { status: 'PENDING' }
  | { status: 'FAILED'; reason: NoStatement }
  | { status: 'READY'; statement: Record<string, unknown> }

export interface RegistrarPort {
  /** The registrar's name, as shown to the investor. */
  name: string
  /** Whether the settings have the credentials agreed with the registrar; a sandbox needs none. */
  isAgreed(ctx: Pick<ProviderContext, 'config'>): boolean
  /** Null if the registrar does not know this PAN with this number. Throws `upstream` when it is unavailable. */
  begin(ctx: ProviderContext, request: FundStatementRequest): Promise<StartedFundStatement | null>
  /** Returns the status or the statement; throws `upstream` without a validly signed response. */
  fetch(ctx: ProviderContext, reference: string): Promise<FundStatementReport>
}
