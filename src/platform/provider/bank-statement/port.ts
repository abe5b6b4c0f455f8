// The platform's port to a statement analyser: it turns a bank statement into figures (D3 §2.3 banking).
import type { ProviderContext } from '#platform/provider/client.ts'
import type { ProviderRequest, RequestPort } from '#platform/provider/ports.ts'
import type { ProviderDocument } from '#platform/provider/status-report.ts'

interface BankAccount {
  holderName: string
  accountNumber: string
  ifsc: string
  accountType: string
  bankName: string
}

/** The figures for the recommendation; null for unknown ones. */
export interface StatementFigures {
  /** Debits returned for insufficient funds, in all months. */
  returnedDebits: number | null
  /** Loan instalments as a share of the incoming money, in whole percent, rounded up. */
  obligationsPercent: number | null
}

/** `status` in the words of the exchange; PENDING is ours, while the borrower or the analyser is at work. */
export interface StatementStatusReport {
  provider: string
  reference: string
  status: 'PENDING' | 'COMPLETED' | 'FAILED'
  /** Why it failed; the analyser's own word. */
  unavailableReason: string | null
  providerUpdatedAt: Date
  analyzedAt: Date | null
  periodFrom: string | null
  periodTo: string | null
  /** The analyser's native figures; null unless COMPLETED. */
  reportData: Record<string, unknown> | null
  /** Null unless COMPLETED. */
  figures: StatementFigures | null
  account: BankAccount | null
  documents: ProviderDocument<'BANK_STATEMENT' | 'BANK_ANALYSIS_REPORT'>[]
}

interface BankStatementRequest extends ProviderRequest {
  /** The account whose statement is expected. */
  account: BankAccount
}

export interface StatementPort extends RequestPort<BankStatementRequest, StatementStatusReport> {
  /** Hands in a statement that the borrower gave us, a PDF, instead of the analyser's own page. Refused as `fetch` is. */
  submit(ctx: ProviderContext, reference: string, pdf: Buffer): Promise<StatementStatusReport>
  /** Cancels the analysis: the borrower continues without it. Refused as `fetch` is. */
  cancel(ctx: ProviderContext, reference: string): Promise<StatementStatusReport>
}
