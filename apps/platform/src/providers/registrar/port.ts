// Port to the registrars of mutual funds. The investor consents on the registrar's page; the registrar then returns
// the statement of the investor's funds.
import type { ProviderContext } from '#platform/providers/provider-client.ts'

interface FundStatementRequest {
  /** Our id of the request. A registrar rejects an id that was used before. */
  clientReference: string
  pan: string
  /** The ten-digit mobile number that the fund houses have registered for the investor. */
  mobile: string
  /** The registrar redirects the investor to this URL afterwards. */
  returnUrl: string
}

export interface StartedFundStatement {
  reference: string
  /** The registrar's page for the investor. */
  url: string
  expiresAt: Date
}

export type NoStatementReason = 'NO_FUNDS' | 'DECLINED' | 'EXPIRED'

/** `statement` has the registrar's own format, which `readPortfolio` parses. */
export type FundStatementReport =
  | { status: 'PENDING' }
  | { status: 'FAILED'; reason: NoStatementReason }
  | { status: 'READY'; statement: Record<string, unknown> }

export interface RegistrarPort {
  name: string
  /** Whether the settings contain our credentials at the registrar. Always true in the sandbox. */
  isConfigured(ctx: Pick<ProviderContext, 'config'>): boolean
  /**
   * Starts a request. Returns null if the registrar does not know this PAN with this mobile number. Throws `upstream`
   * when the registrar is unavailable.
   */
  begin(ctx: ProviderContext, request: FundStatementRequest): Promise<StartedFundStatement | null>
  /** Returns the status of a request. Throws `upstream` if the registrar sends no validly signed response. */
  fetch(ctx: ProviderContext, reference: string): Promise<FundStatementReport>
}
