// Applies a provider's report on KYC, the mandate or the signature: stores it, and rechecks the case (D3 §1.1 rule 5, §6).

import { next } from '@lendloom/foundation/machine'
import { mandateMachine } from '@lendloom/wire/exchange/event/mandate'
import type { TxContext } from '#partner/context.ts'
import type { EsignFacts, KycFacts, MandateFacts } from './checks.ts'
import type { Case } from './lifecycle.ts'
import { recheckAfterReport } from './recheck-case.ts'
import { type CheckReport, checksOf, isUnconfirmedSuccess, requireReportAllowed, storeCheck } from './stored-checks.ts'

export interface KycReport extends CheckReport {
  facts: KycFacts
}
export interface MandateReport extends CheckReport {
  facts: MandateFacts
}
export interface EsignReport extends CheckReport {
  facts: EsignFacts
}

/**
 * Stores a KYC, unless it is an approval that the provider did not confirm. Its mode and the lender's policy determine
 * whether the lender must review the KYC.
 */
export async function applyKycReport(ctx: TxContext, loanCase: Case, { report }: { report: KycReport }): Promise<Case> {
  const { tx, at } = ctx
  const checks = await checksOf(tx, ctx.seal, loanCase.caseRef)
  const { providerReferenceId, mode, provider } = report.facts
  requireReportAllowed(loanCase, checks, 'kyc', { status: report.status, providerReferenceId })
  if (isUnconfirmedSuccess('kyc', report)) return recheckAfterReport(ctx, loanCase)
  await storeCheck(tx, ctx.seal, loanCase, { name: 'kyc', report, at })
  const previousReview = checks.lenderKycReview.facts
  if (previousReview?.providerReferenceId !== providerReferenceId || checks.lenderKycReview.status === 'NOT_REQUIRED') {
    const isReviewRequired = mode === 'VIDEO_AND_MANUAL_REVIEW' || ctx.config.PARTNER_KYC_REVIEW === 'always'
    const review = {
      status: isReviewRequired ? 'NOT_STARTED' : 'NOT_REQUIRED',
      verified: false,
      facts: { provider, providerReferenceId, reviewerReference: '', reasonCode: '' },
      happenedAt: report.happenedAt,
    }
    await storeCheck(tx, ctx.seal, loanCase, { name: 'lender_kyc_review', report: review, at })
  }
  return recheckAfterReport(ctx, loanCase)
}

/**
 * Stores a mandate or a signature, unless it is a success that the provider did not confirm. The borrower may replace
 * the mandate even while the loan is running.
 */
export async function applyReport(
  ctx: TxContext,
  loanCase: Case,
  checkReport: { name: 'mandate'; report: MandateReport } | { name: 'esign'; report: EsignReport },
): Promise<Case> {
  const { name, report } = checkReport
  const checks = await checksOf(ctx.tx, ctx.seal, loanCase.caseRef)
  const { providerReferenceId } = report.facts
  requireReportAllowed(loanCase, checks, name, { status: report.status, providerReferenceId })
  if (isUnconfirmedSuccess(name, report)) return recheckAfterReport(ctx, loanCase)
  const stored = storeCheck(ctx.tx, ctx.seal, loanCase, { ...checkReport, at: ctx.at })
  const [recheckedCase] = await Promise.all([recheckAfterReport(ctx, loanCase), stored])
  return recheckedCase
}

/** Records that the bank cancelled a mandate at our request. Does nothing if the mandate was replaced or has ended. */
export async function recordMandateCancelled(
  { tx, at, seal }: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  loanCase: Case,
  { umrn, happenedAt }: { umrn: string; happenedAt: Date },
): Promise<void> {
  const { status: before, facts } = (await checksOf(tx, seal, loanCase.caseRef)).mandate
  if (facts?.umrn !== umrn || before === 'NOT_STARTED') return
  const status = next(mandateMachine, before, 'CANCELLED')
  if (!status) return
  const report = { status, verified: false, facts: { ...facts, reasonCode: 'CANCELLED_BY_LENDER' }, happenedAt }
  await storeCheck(tx, seal, loanCase, { name: 'mandate', report, at })
}
