// Speaks with the statement analyser: begins an analysis, hands a statement in, fetches the figures (D3 §2.3 banking).
import { StatementStatusReport as Answered, type StatementState } from '#contract/provider/statement.ts'
import { type Beginning, type Begun, documentsOf, type ProviderContext, postPdf } from './client.ts'
import { lineTo, requestPath, requestsOf } from './requests.ts'
import type { ProviderDocument } from './status-report.ts'

export interface BankAccount {
  holderName: string
  accountNumber: string
  ifsc: string
  accountType: string
  bankName: string
}

/** `status` in the words of the exchange; PENDING is ours, while the borrower or the analyser is at work. */
export interface StatementStatusReport {
  provider: string
  reference: string
  status: 'PENDING' | 'COMPLETED' | 'FAILED'
  /** Of a failure; the analyser's own word. */
  unavailableReason: string | null
  providerUpdatedAt: Date
  analyzedAt: Date | null
  periodFrom: string | null
  periodTo: string | null
  /** The analyser's native figures; null unless COMPLETED. */
  reportData: Record<string, unknown> | null
  account: BankAccount | null
  documents: ProviderDocument<'BANK_STATEMENT' | 'BANK_ANALYSIS_REPORT'>[]
}

export interface StatementBeginning extends Beginning {
  /** Whose statement is expected. */
  account: BankAccount
}

const statuses: Record<StatementState, StatementStatusReport['status']> = {
  AWAITING_STATEMENT: 'PENDING',
  PROCESSING: 'PENDING',
  INSIGHTS_READY: 'COMPLETED',
  PDF_PARSE_FAILED: 'FAILED',
  PDF_FRAUD_DETECTED: 'FAILED',
  STATEMENT_VALIDATION_FAILED: 'FAILED',
  CONSENT_DENIED: 'FAILED',
  LINK_EXPIRED: 'FAILED',
}

function statusOf(told: Answered, provider: string): StatementStatusReport {
  const status = statuses[told.state]
  const { account, analysed_at, period_from, period_to } = told
  return {
    provider,
    reference: told.id,
    status,
    unavailableReason: status === 'FAILED' ? told.state : null,
    providerUpdatedAt: new Date(told.updated_at),
    analyzedAt: analysed_at === null ? null : new Date(analysed_at),
    periodFrom: period_from,
    periodTo: period_to,
    reportData: told.insights as Record<string, unknown> | null,
    account: account && {
      holderName: account.holder_name,
      accountNumber: account.account_number,
      ifsc: account.ifsc,
      accountType: account.account_type,
      bankName: account.bank_name,
    },
    documents: documentsOf(told.files, { statement: 'BANK_STATEMENT', analysis_report: 'BANK_ANALYSIS_REPORT' }),
  }
}

const requests = requestsOf('STATEMENT', Answered, statusOf)

/** Begins an analysis; the same `clientReference` again gives the same one. Refused `upstream`. */
export function createStatement(ctx: ProviderContext, beginning: StatementBeginning): Promise<Begun> {
  const { holderName, accountNumber, ifsc, accountType, bankName } = beginning.account
  const account = {
    holder_name: holderName,
    account_number: accountNumber,
    ifsc,
    account_type: accountType,
    bank_name: bankName,
  }
  return requests.begin(ctx, beginning, { account })
}

/** Hands in a statement that the borrower gave us, instead of the analyser's own page. Refused as `fetchStatement` is. */
export async function submitStatement(
  ctx: ProviderContext,
  reference: string,
  pdf: Buffer,
): Promise<StatementStatusReport> {
  const line = lineTo(ctx, 'STATEMENT')
  return statusOf(await postPdf(ctx, line, `${requestPath(reference)}/statement`, pdf, Answered), line.provider)
}

export const { fetch: fetchStatement, verifyCallback: verifyStatementCallback, download: downloadStatement } = requests
