// A provider's word is recorded, and the case looks again at what it waits for (D3 §1.1 rule 5, §6).

import { mandateMachine } from '#contract/exchange/event/mandate.ts'
import { next } from '#kit/runtime/machine.ts'
import type { TxContext } from '#partner/context.ts'
import type { EsignFacts, KycFacts, MandateFacts } from './check.ts'
import { checkAgain } from './check-again.ts'
import { type CheckReport, checksOf, keepCheck, mayRecord } from './checks.ts'
import type { Case } from './lifecycle.ts'
import { noteChange } from './move.ts'

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
interface RecordedReport<Report extends CheckReport> {
  report: Report
}

/** Records KYC. The method and the lender's policy determine whether the lender must review it. */
export async function recordKyc(ctx: TxContext, loanCase: Case, { report }: RecordedReport<KycReport>): Promise<Case> {
  const { tx, at } = ctx
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
  return settled(ctx, loanCase)
}

/** Records the mandate: a replacement may be registered at any time, also while the loan runs. */
export async function recordMandate(
  ctx: TxContext,
  loanCase: Case,
  { report }: RecordedReport<MandateReport>,
): Promise<Case> {
  const { tx, at } = ctx
  const checks = await checksOf(tx, ctx.seal, loanCase.caseRef)
  mayRecord(loanCase, checks, 'mandate', {
    status: report.status,
    providerReferenceId: report.facts.providerReferenceId,
  })
  await keepCheck(tx, ctx.seal, loanCase, { name: 'mandate', report, at })
  return settled(ctx, loanCase)
}

/** The bank ended a mandate at our request. One that was replaced meanwhile, or has ended, stays. */
export async function recordCancelled(
  { tx, at, seal }: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  loanCase: Case,
  { umrn, happenedAt }: { umrn: string; happenedAt: Date },
): Promise<void> {
  const { status: before, facts } = (await checksOf(tx, seal, loanCase.caseRef)).mandate
  if (facts?.umrn !== umrn || before === 'NOT_STARTED') return
  const status = next(mandateMachine, before, 'CANCELLED')
  if (!status) return
  const report = { status, verified: false, facts: { ...facts, reasonCode: 'CANCELLED_BY_LENDER' }, happenedAt }
  await keepCheck(tx, seal, loanCase, { name: 'mandate', report, at })
}

export async function recordEsign(
  ctx: TxContext,
  loanCase: Case,
  { report }: RecordedReport<EsignReport>,
): Promise<Case> {
  const { tx, at } = ctx
  const checks = await checksOf(tx, ctx.seal, loanCase.caseRef)
  mayRecord(loanCase, checks, 'esign', { status: report.status, providerReferenceId: report.facts.providerReferenceId })
  await keepCheck(tx, ctx.seal, loanCase, { name: 'esign', report, at })
  return settled(ctx, loanCase)
}

async function settled(ctx: TxContext, loanCase: Case): Promise<Case> {
  const { tx, at } = ctx
  await noteChange(tx, loanCase.caseRef, at)
  return checkAgain(ctx, loanCase)
}
