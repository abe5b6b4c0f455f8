// Port to a statement analyser, which computes figures from a bank statement (D3 §2.3 banking).
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

/** Figures for the recommendation; null if unknown. */
export interface StatementFigures {
  /** Number of debits returned for insufficient funds, over all months. */
  returnedDebits: number | null
  /** Loan instalments as a percentage of incoming money, rounded up. */
  obligationsPercent: number | null
}

/** `status` in the exchange's terms, plus our PENDING while the borrower or the analyser must act. */
export interface StatementStatusReport {
  provider: string
  reference: string
  status: 'PENDING' | 'COMPLETED' | 'FAILED'
  /** The analyser's own reason for a failure. */
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
  /** Submits a PDF that the borrower uploaded here, instead of on the analyser's page. Throws like `fetch`. */
  submit(ctx: ProviderContext, reference: string, pdf: Buffer): Promise<StatementStatusReport>
  /** Cancels the analysis because the borrower continues without it. Throws like `fetch`. */
  cancel(ctx: ProviderContext, reference: string): Promise<StatementStatusReport>
}
