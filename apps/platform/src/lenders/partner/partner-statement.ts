// An attempt to get the borrower's bank statement before the lead (D3 §2.3 banking).

const statementSources = ['STATEMENT_UPLOAD', 'ACCOUNT_AGGREGATOR'] as const
export type StatementSource = (typeof statementSources)[number]

/** An attempt to get the borrower's bank statement before the lead (D3 §2.3 banking). */
export interface PartnerStatement {
  tenantId: string
  caseRef: string
  attempt: number
  source: StatementSource
  status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'DECLINED'
  /** The adapter that started the request and must finish it. */
  adapter: string
  /** The analyser's id of the request; null when the borrower continued without a statement. */
  providerReference: string | null
  urlSealed: Buffer | null
  /** Failure code of the analyser or of our own check; null without a failure. */
  reason: string | null
  reportSealed: Buffer | null
  /** Expiry of the borrower's page at the analyser. */
  pageEndsAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** The binding context of a statement's sealed values. */
export const statementContext = (
  what: 'url' | 'report',
  { tenantId, caseRef, attempt }: Pick<PartnerStatement, 'tenantId' | 'caseRef' | 'attempt'>,
): string => `partner_statement.${what}:${tenantId}:${caseRef}:${attempt}`
