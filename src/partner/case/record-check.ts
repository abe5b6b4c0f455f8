// A provider's word is recorded, and the case looks again at what it waits for (D3 §1.1 rule 5, §6).
import type { Tx } from '#kit/db/sql.ts'
import type { Context } from '#partner/context.ts'
import type { Case } from './case.ts'
import type { EsignFacts, KycFacts, MandateFacts } from './check.ts'
import { checkAgain } from './check-again.ts'
import { type CheckReport, checksOf, keepCheck, mayRecord } from './checks.ts'
import { noteChange } from './note-change.ts'

export interface KycReport extends CheckReport {
  facts: KycFacts
}
export interface MandateReport extends CheckReport {
  facts: MandateFacts
}
export interface EsignReport extends CheckReport {
  facts: EsignFacts
}

/** A provider's word, and when it is recorded. */
interface Recorded<Report extends CheckReport> {
  report: Report
  at: Date
}

/** Records KYC. Whether the lender has to review it too depends on how it was done and on the lender's policy. */
export async function recordKyc(
  tx: Tx,
  ctx: Context,
  loanCase: Case,
  { report, at }: Recorded<KycReport>,
): Promise<Case> {
  const checks = await checksOf(tx, ctx.seal, loanCase.caseRef)
  const { providerReferenceId, mode, provider } = report.facts
  mayRecord(loanCase, checks, 'kyc', { status: report.status, providerReferenceId })
  await keepCheck(tx, ctx.seal, loanCase, { name: 'kyc', report, at })
  const reviewed = checks.lenderKycReview.facts
  if (reviewed?.providerReferenceId !== providerReferenceId || checks.lenderKycReview.status === 'NOT_REQUIRED') {
    const needed = mode === 'VIDEO_AND_MANUAL_REVIEW' || ctx.config.PARTNER_KYC_REVIEW === 'always'
    const review = {
      status: needed ? 'NOT_STARTED' : 'NOT_REQUIRED',
      verified: false,
      facts: { provider, providerReferenceId, reviewerReference: '', reasonCode: '' },
      happenedAt: report.happenedAt,
    }
    await keepCheck(tx, ctx.seal, loanCase, { name: 'lender_kyc_review', report: review, at })
  }
  return settled(tx, ctx, loanCase, at)
}

/** Records the mandate: a replacement may be registered at any time, also while the loan runs. */
export async function recordMandate(
  tx: Tx,
  ctx: Context,
  loanCase: Case,
  { report, at }: Recorded<MandateReport>,
): Promise<Case> {
  const checks = await checksOf(tx, ctx.seal, loanCase.caseRef)
  mayRecord(loanCase, checks, 'mandate', {
    status: report.status,
    providerReferenceId: report.facts.providerReferenceId,
  })
  await keepCheck(tx, ctx.seal, loanCase, { name: 'mandate', report, at })
  return settled(tx, ctx, loanCase, at)
}

export async function recordEsign(
  tx: Tx,
  ctx: Context,
  loanCase: Case,
  { report, at }: Recorded<EsignReport>,
): Promise<Case> {
  const checks = await checksOf(tx, ctx.seal, loanCase.caseRef)
  mayRecord(loanCase, checks, 'esign', { status: report.status, providerReferenceId: report.facts.providerReferenceId })
  await keepCheck(tx, ctx.seal, loanCase, { name: 'esign', report, at })
  return settled(tx, ctx, loanCase, at)
}

async function settled(tx: Tx, ctx: Context, loanCase: Case, at: Date): Promise<Case> {
  await noteChange(tx, loanCase.caseRef, at)
  return checkAgain(tx, ctx, loanCase, at)
}
