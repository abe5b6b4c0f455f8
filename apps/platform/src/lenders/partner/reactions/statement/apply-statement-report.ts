// Applies the analyser's report about a bank statement. A valid report is stored, its files are uploaded to the partner,
// and the lead is submitted (D3 §2.3, §4.3).

import { required } from '@lendloom/foundation/required'
import type { TxContext } from '#platform/context.ts'
import { partnerOf } from '#platform/lenders/partner/call-partner.ts'
import { submitWithAccount } from '#platform/lenders/partner/lead-job.ts'
import { type PartnerStatement, statementContext } from '#platform/lenders/partner/partner-statement.ts'
import { endRejectedCase } from '#platform/lenders/partner/reactions/end-application.ts'
import type { CaseAndJourney } from '#platform/lenders/partner/reactions/lock-case.ts'
import { registerFile } from '#platform/lenders/partner/reactions/provider-file.ts'
import { readApplicantAndAccount } from '#platform/lenders/partner/reactions/read-applicant.ts'
import {
  analysisFault,
  maxStatementAttempts,
  requiresStatement,
  type StatementEvidence,
} from '#platform/lenders/partner/statement-evidence.ts'
import { newestStatement, storeStatement } from '#platform/lenders/partner/store.ts'
import { markStepFailed, markStepSucceeded } from '#platform/lending/step/move-step.ts'
import type { StatementStatusReport } from '#platform/providers/bank-statement/port.ts'

/**
 * Applies a final report. Ignores a report about an older attempt, and any report after the lead was sent or the
 * journey ended. The caller holds the journey's lock.
 */
export async function applyStatementReport(
  ctx: TxContext,
  caseAndJourney: CaseAndJourney,
  reported: Pick<PartnerStatement, 'adapter' | 'providerReference'>,
  report: StatementStatusReport,
): Promise<void> {
  const { tx, at } = ctx
  const { loanCase, journey } = caseAndJourney
  const statement = await newestStatement(tx, loanCase)
  if (statement?.adapter !== reported.adapter || statement.providerReference !== reported.providerReference) return
  if (statement.status !== 'PENDING' || report.status === 'PENDING') return
  if (!journey.active || loanCase.stage !== 'CHOSEN') return
  const { account } = await readApplicantAndAccount({ ...ctx, db: tx }, loanCase)
  const fault = report.status === 'FAILED' ? (report.unavailableReason ?? noReason) : analysisFault(report, account, at)
  if (fault !== null) return recordFailure(ctx, caseAndJourney, statement, fault)
  await storeStatement(tx, {
    ...statement,
    status: 'COMPLETED',
    reportSealed: ctx.seal.json(evidenceOf(report), statementContext('report', statement)),
    updatedAt: at,
  })
  const { adapter } = statement
  for (const { fileId, type, contentType, sizeBytes, sha256 } of report.documents) {
    const source = { from: 'bank-statement', adapter, reference: report.reference } as const
    await registerFile(ctx, loanCase, { ...source, fileId, type, contentType, sizeBytes, sha256 })
  }
  await markStepSucceeded(tx, journey, 'bankMandate', at)
  await submitWithAccount(tx, loanCase, at)
}

/** The reason that the partner gets when the analyser gives no reason. */
const noReason = 'NOT_GIVEN_BY_PROVIDER'

const evidenceOf = ({
  reference,
  analyzedAt,
  periodFrom,
  periodTo,
  reportData,
  account,
  figures,
}: StatementStatusReport): StatementEvidence => ({
  reference,
  periodFrom,
  periodTo,
  reportData,
  account,
  figures,
  analyzedAt: required(analyzedAt, 'the time of the analysis').toISOString(),
})

/**
 * Records a failed attempt, which the borrower may repeat. After the last attempt the lead is sent without a statement,
 * or the application ends if the lender requires a statement.
 */
async function recordFailure(
  ctx: TxContext,
  caseAndJourney: CaseAndJourney,
  statement: PartnerStatement,
  reason: string,
): Promise<void> {
  const { tx, at } = ctx
  const { loanCase, journey } = caseAndJourney
  await storeStatement(tx, { ...statement, status: 'FAILED', reason: reason.slice(0, 300), updatedAt: at })
  if (statement.attempt < maxStatementAttempts) {
    const problem = reason === 'CONSENT_DENIED' ? 'STATEMENT_NOT_SHARED' : 'STATEMENT_TRY_AGAIN'
    return void (await markStepFailed(tx, journey, { name: 'bankMandate', problem, retryable: true, at }))
  }
  if (requiresStatement(await partnerOf(ctx, tx, loanCase)))
    return void (await endRejectedCase(ctx, caseAndJourney, `no usable statement: ${reason}`, 'STATEMENT_MISSING'))
  await markStepSucceeded(tx, journey, 'bankMandate', at)
  await submitWithAccount(tx, loanCase, at)
}
