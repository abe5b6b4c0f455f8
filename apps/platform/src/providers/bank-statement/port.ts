// Port to an analyser of bank statements, which computes figures from a statement (D3 §2.3 banking).

import type { ProviderRequest, RequestPort } from '#platform/providers/ports.ts'
import type { ProviderContext } from '#platform/providers/provider-client.ts'
import type { ProviderDocument } from '#platform/providers/status-report.ts'

interface BankAccount {
  holderName: string
  accountNumber: string
  ifsc: string
  accountType: string
  bankName: string
}

/** The figures that the recommendation to the lender uses; null if the analyser did not report them. */
export interface StatementFigures {
  /** The number of debits in the statement that were returned for insufficient funds. */
  returnedDebits: number | null
  /** Loan instalments as a percentage of the account's credits, rounded up. */
  obligationsPercent: number | null
}

export interface StatementStatusReport {
  provider: string
  reference: string
  /** COMPLETED and FAILED are statuses of the exchange. PENDING is ours: the borrower or the analyser must act. */
  status: 'PENDING' | 'COMPLETED' | 'FAILED'
  /** The analyser's reason code; null unless FAILED. */
  unavailableReason: string | null
  providerUpdatedAt: Date
  analyzedAt: Date | null
  periodFrom: string | null
  periodTo: string | null
  /** The analysis in the analyser's own format; null unless COMPLETED. */
  reportData: Record<string, unknown> | null
  /** Null unless COMPLETED. */
  figures: StatementFigures | null
  account: BankAccount | null
  documents: ProviderDocument<'BANK_STATEMENT' | 'BANK_ANALYSIS_REPORT'>[]
}

interface BankStatementRequest extends ProviderRequest {
  /** The account of which the borrower must share a statement. */
  account: BankAccount
}

export interface StatementPort extends RequestPort<BankStatementRequest, StatementStatusReport> {
  /** Submits a PDF that the borrower uploaded on our page. Throws the errors of `fetch`. */
  submit(ctx: ProviderContext, reference: string, pdf: Buffer): Promise<StatementStatusReport>
  /** Cancels the analysis, because the borrower continues without a statement. Throws the errors of `fetch`. */
  cancel(ctx: ProviderContext, reference: string): Promise<StatementStatusReport>
}
