// What a lead says of the borrower's bank statement, and when a statement is asked for; pure (D3 §2.3 banking).

import type { PartnerRules } from '@lendloom/wire/console/lending-partners'
import type { DataOf } from '@lendloom/wire/exchange/envelope'
import type { StatementStatusReport } from '#platform/providers/bank-statement/port.ts'
import type { ApplicantDetails } from './applicant.ts'
import type { PartnerStatement } from './partner-statement.ts'
import { noStatement, notShared } from './text-en.ts'

/** A stored analysis, whose times are text. */
export type StatementEvidence = Pick<
  StatementStatusReport,
  'reference' | 'periodFrom' | 'periodTo' | 'reportData' | 'account' | 'figures'
> & { analyzedAt: string | null }

/** The result of the request for a statement; null when the borrower was not asked. */
export type StatementBlock =
  | (Pick<PartnerStatement, 'status' | 'source' | 'providerReference' | 'reason'> & {
      evidence: StatementEvidence | null
    })
  | null

type PartnerProduct = { rules: Pick<PartnerRules, 'bankStatement'> }

/** Whether borrowers are asked for a statement. */
export const usesStatement = ({ rules }: PartnerProduct): boolean => rules.bankStatement !== 'OFF'

/** Whether a borrower without a statement gets no loan. */
export const requiresStatement = ({ rules }: PartnerProduct): boolean => rules.bankStatement === 'REQUIRED'

/** Maximum attempts per application. Then the lead reports the failure; if a statement is required, no lead is sent. */
export const maxStatementAttempts = 3

/** The analyser's clock, and its day, may be ahead of ours. */
const daysOfClockSkew = 1

/** Maximum age of an analysis in days, counted from the end of its period. */
const maxAgeDays = 100

/** Returns why an analysis is unusable, or null. A usable analysis covers recent days of the disbursal account. */
export function analysisFault(
  {
    account,
    analyzedAt,
    periodFrom,
    periodTo,
  }: Pick<StatementStatusReport, 'account' | 'periodFrom' | 'periodTo' | 'analyzedAt'>,
  disbursalAccount: Pick<NonNullable<ApplicantDetails['account']>, 'accountNumber' | 'ifsc'>,
  at: Date,
): 'ANALYSIS_INCOMPLETE' | 'ACCOUNT_MISMATCH' | 'PERIOD_NOT_PLAUSIBLE' | 'STATEMENT_TOO_OLD' | null {
  if (analyzedAt === null || periodFrom === null || periodTo === null) return 'ANALYSIS_INCOMPLETE'
  if (
    account !== null &&
    (account.accountNumber !== disbursalAccount.accountNumber || account.ifsc !== disbursalAccount.ifsc)
  )
    return 'ACCOUNT_MISMATCH'
  const daysSince = (day: string): number => (at.getTime() - Date.parse(day)) / 86_400_000
  if (
    periodTo < periodFrom ||
    daysSince(periodTo) < -daysOfClockSkew ||
    daysSince(analyzedAt.toISOString()) < -daysOfClockSkew
  )
    return 'PERIOD_NOT_PLAUSIBLE'
  return daysSince(periodTo) > maxAgeDays ? 'STATEMENT_TOO_OLD' : null
}

type Banking = DataOf<'LEAD_SUBMITTED'>['banking']

const noAnalysis = {
  analysis_reference_id: null,
  analyzed_at: null,
  period_from: null,
  period_to: null,
  report_data: null,
} as const

/** Returns the lead's banking block. A report that does not fit into the event is sent only as a file (D3 §8). */
export function bankingOf(
  statement: StatementBlock,
  account: Banking['account'],
  fitsEvent: (report: object | null) => boolean,
): Banking {
  if (statement === null)
    return { status: 'NOT_PROVIDED', source: 'BUYER_APP', ...noAnalysis, unavailable_reason: noStatement, account }
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
    return {
      status,
      source,
      ...noAnalysis,
      analysis_reference_id: providerReference,
      unavailable_reason: reason,
      account,
    }
  return { status: 'NOT_PROVIDED', source: 'BUYER_APP', ...noAnalysis, unavailable_reason: notShared, account }
}
