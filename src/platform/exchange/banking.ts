// What the lead says of the borrower's bank data, and when an analysis may be told; pure (D3 §2.3 banking).
import type { PartnerRules } from '#contract/console/lending-partners.ts'
import type { DataOf } from '#contract/exchange/envelope.ts'
import type { StatementStatusReport } from '#platform/provider/bank-statement/port.ts'
import type { Applicant } from './applicant.ts'
import type { PartnerStatement } from './statement.ts'
import { noStatement, notShared } from './text-en.ts'

/** An analysis as it is kept: instants as text. */
export type StatementEvidence = Pick<
  StatementStatusReport,
  'reference' | 'periodFrom' | 'periodTo' | 'reportData' | 'account' | 'figures'
> & { analyzedAt: string | null }

/** What became of asking the borrower; null where nobody asked. */
export type Statement =
  | (Pick<PartnerStatement, 'status' | 'source' | 'providerReference' | 'reason'> & {
      evidence: StatementEvidence | null
    })
  | null

type Lends = { rules: Pick<PartnerRules, 'bankStatement'> }

/** Whether the partner's product wants bank data, and whether it lends to nobody without. */
export const wantsStatement = ({ rules }: Lends): boolean => rules.bankStatement !== 'OFF'
export const needsStatement = ({ rules }: Lends): boolean => rules.bankStatement === 'REQUIRED'

/** How often a borrower may try; after that the lead says that it failed, or is not sent where a statement is required. */
export const mostStatementTries = 3

const daysOfClockSkew = 1
/** An analysis whose last day is longer ago says too little of today. */
const oldestDays = 100

/**
 * Why an analysis cannot be told to the partner, in one word; null when it can. It must be of the account that the loan is
 * paid to, of days that have passed, and not of a time long ago.
 */
export function analysisFault(
  {
    account,
    analyzedAt,
    periodFrom,
    periodTo,
  }: Pick<StatementStatusReport, 'account' | 'periodFrom' | 'periodTo' | 'analyzedAt'>,
  known: Pick<NonNullable<Applicant['account']>, 'accountNumber' | 'ifsc'>,
  at: Date,
): 'ANALYSIS_INCOMPLETE' | 'ACCOUNT_MISMATCH' | 'PERIOD_NOT_PLAUSIBLE' | 'STATEMENT_TOO_OLD' | null {
  if (analyzedAt === null || periodFrom === null || periodTo === null) return 'ANALYSIS_INCOMPLETE'
  if (account !== null && (account.accountNumber !== known.accountNumber || account.ifsc !== known.ifsc))
    return 'ACCOUNT_MISMATCH'
  const daysSince = (day: string): number => (at.getTime() - Date.parse(day)) / 86_400_000
  if (
    periodTo < periodFrom ||
    daysSince(periodTo) < -daysOfClockSkew ||
    daysSince(analyzedAt.toISOString()) < -daysOfClockSkew
  )
    return 'PERIOD_NOT_PLAUSIBLE'
  return daysSince(periodTo) > oldestDays ? 'STATEMENT_TOO_OLD' : null
}

type Banking = DataOf<'LEAD_SUBMITTED'>['banking']

const nothing = {
  analysis_reference_id: null,
  analyzed_at: null,
  period_from: null,
  period_to: null,
  report_data: null,
} as const

/** What a lead says of it. `fitsEvent` tells whether the native report fits into the event; else it goes as its file alone (D3 §8). */
export function bankingOf(
  statement: Statement,
  account: Banking['account'],
  fitsEvent: (report: object | null) => boolean,
): Banking {
  if (statement === null)
    return { status: 'NOT_PROVIDED', source: 'BUYER_APP', ...nothing, unavailable_reason: noStatement, account }
  const { status, source, providerReference, reason, evidence } = statement
  if (status === 'COMPLETED' && evidence !== null) {
    const { reference, analyzedAt, periodFrom, periodTo, reportData } = evidence
    return {
      status,
      source,
      analysis_reference_id: reference,
      analyzed_at: analyzedAt,
      period_from: periodFrom,
      period_to: periodTo,
      report_data: fitsEvent(reportData) ? reportData : null,
      unavailable_reason: null,
      account,
    }
  }
  if (status === 'FAILED')
    return { status, source, ...nothing, analysis_reference_id: providerReference, unavailable_reason: reason, account }
  return { status: 'NOT_PROVIDED', source: 'BUYER_APP', ...nothing, unavailable_reason: notShared, account }
}
