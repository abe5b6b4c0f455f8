// Takes the analyser's report: stores a valid one, prepares its files for the partner, and continues the lead (D3 §2.3,
// §4.3).

import { required } from '#kit/runtime/record.ts'
import { accountOfLead } from '#platform/application/partner/account.ts'
import type { CaseAndJourney } from '#platform/application/partner/case-job.ts'
import { reject } from '#platform/application/partner/take-status.ts'
import { expectFile } from '#platform/application/partner/uploading.ts'
import type { TxContext } from '#platform/context.ts'
import {
  analysisFault,
  mostStatementTries,
  needsStatement,
  type StatementEvidence,
} from '#platform/exchange/applicant.ts'
import { partnerOf } from '#platform/exchange/call.ts'
import { type PartnerStatement, statementContext } from '#platform/exchange/case.ts'
import { submitWithAccount } from '#platform/exchange/channel.ts'
import { keepStatement, newestStatement } from '#platform/exchange/store.ts'
import type { StatementStatusReport } from '#platform/provider/bank-statement/port.ts'
import { stepFailed, stepSucceeded } from '#platform/step/move.ts'

/**
 * Takes an ending; news of an older try, or after the lead or the end of the journey, changes nothing: a consent that was
 * withdrawn with the journey stops it here. The caller holds the journey's lock.
 */
export async function takeStatement(
  ctx: TxContext,
  concerned: CaseAndJourney,
  of: Pick<PartnerStatement, 'adapter' | 'providerReference'>,
  report: StatementStatusReport,
): Promise<void> {
  const { tx, at } = ctx
  const { application, journey } = concerned
  const statement = await newestStatement(tx, application)
  if (statement?.adapter !== of.adapter || statement.providerReference !== of.providerReference) return
  if (statement.status !== 'PENDING' || report.status === 'PENDING') return
  if (!journey.active || application.stage !== 'CHOSEN') return
  const { account } = await accountOfLead({ ...ctx, db: tx }, application)
  const fault = report.status === 'FAILED' ? (report.unavailableReason ?? notGiven) : analysisFault(report, account, at)
  if (fault !== null) return failed(ctx, concerned, statement, fault)
  await keepStatement(tx, {
    ...statement,
    status: 'COMPLETED',
    reportSealed: ctx.seal.json(evidenceOf(report), statementContext('report', statement)),
    updatedAt: at,
  })
  const { adapter } = statement
  for (const { fileId, type, contentType, sizeBytes, sha256 } of report.documents) {
    const source = { from: 'bank-statement', adapter, reference: report.reference } as const
    await expectFile(ctx, application, { ...source, fileId, type, contentType, sizeBytes, sha256 })
  }
  await stepSucceeded(tx, journey, 'bankMandate', at)
  await submitWithAccount(tx, application, at)
}

/** The reason for the partner when the analyser gives none. */
const notGiven = 'NOT_GIVEN_BY_PROVIDER'

const evidenceOf = ({
  reference,
  analyzedAt,
  periodFrom,
  periodTo,
  reportData,
  account,
  figures,
}: StatementStatusReport): StatementEvidence => ({
  ...{ reference, periodFrom, periodTo, reportData, account, figures },
  analyzedAt: required(analyzedAt, 'when it was analysed').toISOString(),
})

/**
 * The borrower may retry a few times; then the lead reports the failure, or is not sent when the lender requires a
 * statement.
 */
async function failed(
  ctx: TxContext,
  concerned: CaseAndJourney,
  statement: PartnerStatement,
  reason: string,
): Promise<void> {
  const { tx, at } = ctx
  const { application, journey } = concerned
  await keepStatement(tx, { ...statement, status: 'FAILED', reason: reason.slice(0, 300), updatedAt: at })
  if (statement.attempt < mostStatementTries) {
    const problem = reason === 'CONSENT_DENIED' ? 'STATEMENT_NOT_SHARED' : 'STATEMENT_TRY_AGAIN'
    return void (await stepFailed(tx, journey, { name: 'bankMandate', problem, retryable: true, at }))
  }
  if (needsStatement(await partnerOf(ctx, tx, application)))
    return void (await reject(ctx, concerned, `no usable statement: ${reason}`, 'STATEMENT_MISSING'))
  await stepSucceeded(tx, journey, 'bankMandate', at)
  await submitWithAccount(tx, application, at)
}
