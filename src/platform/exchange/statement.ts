// A try to get a bank statement of a borrower before the lead, as the platform keeps it; pure (D3 §2.3 banking).
const statementSources = ['STATEMENT_UPLOAD', 'ACCOUNT_AGGREGATOR'] as const
export type StatementSource = (typeof statementSources)[number]

export interface PartnerStatement {
  tenantId: string
  caseRef: string
  attempt: number
  source: StatementSource
  status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'DECLINED'
  /** Which adapter it was begun with; the same one finishes it. */
  adapter: string
  /** The analyser's name of it; null where the borrower went on without a statement. */
  providerReference: string | null
  urlSealed: Buffer | null
  /** Why it failed, in the word of the analyser or of our own check; null otherwise. */
  reason: string | null
  reportSealed: Buffer | null
  /** Until when the borrower's page at the analyser is open. */
  pageEndsAt: Date | null
  createdAt: Date
  updatedAt: Date
}

type Place = Pick<PartnerStatement, 'tenantId' | 'caseRef' | 'attempt'>

/** Where what is sealed of a statement belongs to. */
export const statementContext = (what: 'url' | 'report', { tenantId, caseRef, attempt }: Place): string =>
  `partner_statement.${what}:${tenantId}:${caseRef}:${attempt}`
