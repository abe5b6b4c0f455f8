// Pulls the bureau report with the borrower's consent, and makes an indicative offer from the recommendation (D3 §2.3).

import { daysAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { type Job, type Worker, work } from '@lendloom/queue/queue'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { Context, TxContext } from '#platform/context.ts'
import { partnerOf } from '#platform/lenders/partner/call-partner.ts'
import type { Evidence } from '#platform/lenders/partner/lead.ts'
import type { CaseJob } from '#platform/lenders/partner/lead-job.ts'
import { caseContext, stageAfter } from '#platform/lenders/partner/loan-case.ts'
import { indicativeTerms, recommendLoan, rulesVersion } from '#platform/lenders/partner/recommend-loan.ts'
import { changeCase, findCase } from '#platform/lenders/partner/store.ts'
import { termsOf } from '#platform/lenders/partner/terms.ts'
import { findJourney } from '#platform/lending/journey/store.ts'
import { recordTerms } from '#platform/lending/offer/lender-answers.ts'
import { adapterNamed } from '#platform/providers/adapters.ts'
import type { BureauStatusReport } from '#platform/providers/bureau/port.ts'
import { adapterFor } from '#platform/providers/settings.ts'
import { adapterScopeOf } from './adapter-scope.ts'
import { clientReferenceOf } from './client-reference.ts'
import { endBeforeLead } from './end-application.ts'
import { indicativeLinks } from './indicative-link.ts'
import { type CaseAndJourney, canReceiveOffers, runCaseJob } from './lock-case.ts'
import { registerFile } from './provider-file.ts'
import { readApplicantAndConsents } from './read-applicant.ts'

/** The kind of the jobs of cases in the stage WEIGHING. */
export const preUnderwriteKind = 'partner-weigh'

export const preUnderwriteWorker = (ctx: Context): Worker =>
  work<CaseJob>({ kind: preUnderwriteKind, ...ctx, handle: (job) => preUnderwrite(ctx, job) })

/**
 * Maximum attempts while the bureau is unavailable. All attempts use the same reference, so that the borrower's credit
 * history records only one pull.
 */
const maxAttempts = 5

async function preUnderwrite(ctx: Context, job: Job<CaseJob>): Promise<void> {
  const loanCase = await findCase(ctx.db, { tenantId: job.tenantId, caseRef: job.payload.caseRef })
  if (loanCase?.stage !== 'WEIGHING') return
  const journey = await findJourney(ctx.db, loanCase.tenantId, loanCase.journeyId)
  // Every pull is recorded in the borrower's credit history, so the bureau is not asked for an unusable report.
  if (!journey || !canReceiveOffers(journey))
    return runCaseJob(ctx, job, (tx, caseAndJourney, at) => endTooLate({ ...ctx, tx, at }, caseAndJourney))
  const { applicant, consents } = await readApplicantAndConsents(ctx, loanCase)
  if (consents.bureau === null) throw new Error(`case ${loanCase.caseRef} has no consent to the bureau pull`)
  const { name: fullName, pan, bornOn: dateOfBirth, mobile } = applicant
  const person = { fullName, pan, dateOfBirth, mobile }
  const pull = {
    clientReference: clientReferenceOf(ctx, loanCase, `bureau:${loanCase.dedupeRequestId}`, person),
    person,
    consentedAt: consents.bureau,
  }
  const adapter = adapterFor(ctx.config, 'bureau', adapterScopeOf(journey, await partnerOf(ctx, ctx.db, loanCase)))
  const bureau = await adapterNamed('bureau', adapter)
    .pull(ctx, pull)
    .catch((error) => {
      if (error instanceof Refusal && error.kind === 'upstream' && job.attempt >= maxAttempts) return null
      throw error
    })
  await runCaseJob(ctx, job, (tx, caseAndJourney, at) =>
    bureau === null
      ? endBeforeLead({ ...ctx, tx, at }, caseAndJourney, 'the bureau is unavailable', 'CREDIT_REPORT_MISSING')
      : applyReport({ ...ctx, tx, at }, caseAndJourney, { bureau, adapter, income: applicant.work.income ?? null }),
  )
}

const endTooLate = (ctx: TxContext, caseAndJourney: CaseAndJourney): Promise<void> =>
  endBeforeLead(ctx, caseAndJourney, 'the borrower has already chosen', 'LENDER_SILENT')

async function applyReport(
  ctx: TxContext,
  caseAndJourney: CaseAndJourney,
  { bureau, adapter, income }: { bureau: BureauStatusReport; adapter: string; income: number | null },
): Promise<void> {
  const { tx, at } = ctx
  const { loanCase, journey } = caseAndJourney
  if (loanCase.stage !== 'WEIGHING') return
  const { rules } = await partnerOf(ctx, tx, loanCase)
  const { decision, maxPaise, reason } = recommendLoan(rules, { income, bureau })
  const referenceId = uuidv7(at.getTime(), bucketOf(loanCase.caseRef))
  const evidence: Evidence = {
    bureau: { ...bureau, pulledAt: bureau.pulledAt.toISOString() },
    recommendation: { referenceId, ruleReference: `${rulesVersion}:${referenceId}`, decision },
  }
  const evidenceSealed = ctx.seal.json(evidence, caseContext(loanCase, 'evidence'))
  const updated = await changeCase(tx, loanCase, { evidenceSealed }, at)
  if (maxPaise === null)
    return endBeforeLead(
      ctx,
      { loanCase: updated, journey },
      decision,
      required(reason, 'the reason for no recommendation'),
    )
  if (!canReceiveOffers(journey)) return endTooLate(ctx, { loanCase: updated, journey })
  const recommended = await changeCase(tx, updated, { stage: stageAfter(updated, 'recommended') }, at)
  for (const { fileId, type, contentType, sizeBytes, sha256 } of bureau.documents)
    await registerFile(ctx, recommended, {
      from: 'bureau',
      adapter,
      reference: bureau.reference,
      fileId,
      type,
      contentType,
      sizeBytes,
      sha256,
    })
  const validUntil = daysAfter(at, rules.offerDays)
  const quote = { id: referenceId, validUntil, ...indicativeLinks(ctx, loanCase, referenceId) }
  const terms = termsOf(indicativeTerms(rules, maxPaise), quote, rules, at)
  await recordTerms(
    ctx,
    journey,
    { conversationId: loanCase.caseRef, lenderId: required(loanCase.lenderId, 'the lender of a case') },
    terms,
  )
}
