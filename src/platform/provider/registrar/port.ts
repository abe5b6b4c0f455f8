// What the platform needs of the mutual funds' registrars: the investor agrees on their page, and they give the statement.
import type { ProviderContext } from '#platform/provider/client.ts'

interface FundStatementRequest {
  /** New for each call: a registrar rejects a repeated one. */
  clientReference: string
  pan: string
  /** Ten digits: the number that the fund houses know the investor by. */
  mobile: string
  /** Where the investor's browser comes back to. */
  returnUrl: string
}

/** What was begun: all that names it at the registrar, and the investor's page. */
export interface FundStatementBegun {
  reference: string
  url: string
  expiresAt: Date
}

/** The reason for a missing statement. */
export type NoStatement = 'NO_FUNDS' | 'DECLINED' | 'EXPIRED'

/** A statement is free-form, as the registrar gives it: `readPortfolio` understands it. */
export type FundStatementReport =
  | { status: 'PENDING' }
  | { status: 'FAILED'; reason: NoStatement }
  | { status: 'READY'; statement: Record<string, unknown> }

export interface RegistrarPort {
  /** Whom the investor deals with, by its name. */
  name: string
  /** Whether statements can be asked for with these settings. */
  isAgreed(ctx: Pick<ProviderContext, 'config'>): boolean
  /** Null where the registrar knows no investor with this PAN and number. Refused `upstream` when it is away. */
  begin(ctx: ProviderContext, request: FundStatementRequest): Promise<FundStatementBegun | null>
  /** What became of it. Refused `upstream` when no answer came that its signature proves. */
  fetch(ctx: ProviderContext, reference: string): Promise<FundStatementReport>
}
