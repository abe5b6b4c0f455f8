// Applies a provider's report about a check (D3 §6 rule 1): stores the report, notifies the partner, uploads the files and
// updates the borrower's step.

import { required } from '@lendloom/foundation/required'
import type { StepReason } from '@lendloom/lending/reason/reason'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import type { TxContext } from '#platform/context.ts'
import { sendEvent } from '#platform/lenders/partner/deliver-events.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'
import { type CheckKind, checkContext, type PartnerCheck } from '#platform/lenders/partner/partner-check.ts'
import { documentContext, type PartnerDocument } from '#platform/lenders/partner/partner-document.ts'
import { endRejectedCase } from '#platform/lenders/partner/reactions/end-application.ts'
import type { CaseAndJourney } from '#platform/lenders/partner/reactions/lock-case.ts'
import { type FileSource, registerFile } from '#platform/lenders/partner/reactions/provider-file.ts'
import { scheduleUploads } from '#platform/lenders/partner/reactions/upload-files.ts'
import { followUpPartner } from '#platform/lenders/partner/status-snapshot.ts'
import {
  type ListedDocument,
  listDocuments,
  newestCheck,
  storeCheck,
  storeReport,
} from '#platform/lenders/partner/store.ts'
import { markStepFailed, markStepReady, markStepSucceeded, skipSteps } from '#platform/lending/step/move-step.ts'
import type { StepName } from '#platform/lending/step/step.ts'
import { findStep } from '#platform/lending/step/store.ts'
import { urlOfCheck } from './check-link.ts'
import { type CheckEvent, type CheckStatusReport, checkEventOf, checkResultOf, isNewerReport } from './check-report.ts'

/** A provider's report. `providerEventId` is the id of the callback, or null for a polled report. */
export interface ReceivedReport {
  report: CheckStatusReport
  providerEventId: string | null
}

/** Applies a report that is newer than the stored report. Ignores any other report. */
export async function applyStatusReport(
  ctx: TxContext,
  caseAndJourney: CaseAndJourney,
  check: PartnerCheck,
  { report, providerEventId }: ReceivedReport,
): Promise<void> {
  const { tx, at } = ctx
  const { status, providerUpdatedAt } = check
  const isNew = isNewerReport(providerUpdatedAt && { status, providerUpdatedAt }, report)
  if (isNew || providerEventId !== null)
    await storeReport(tx, { ...check, status: report.status, providerEventId, isApplied: isNew, at })
  if (!isNew) return
  const { loanCase } = caseAndJourney
  const known = await listDocuments(tx, loanCase)
  const added = await registerFiles(ctx, loanCase, known, { ...report, adapter: check.adapter })
  const dated = { ...report, providerUpdatedAt: report.providerUpdatedAt ?? at }
  const event = checkEventOf(dated, providerEventId, storedDocumentIds(known, report.reference))
  const updated: PartnerCheck = {
    ...check,
    status: report.status,
    verified: report.verified,
    resultSealed: ctx.seal.json(event, checkContext('result', check)),
    providerUpdatedAt: dated.providerUpdatedAt,
    updatedAt: at,
  }
  await Promise.all([
    storeCheck(tx, updated),
    sendCheckEvent(ctx, caseAndJourney, event),
    scheduleUploads(tx, loanCase, at, [...known, ...added]),
  ])
  await updateStep(ctx, caseAndJourney, updated)
}

/** Notifies the partner of a check, unless the case is not registered yet or has ended. */
async function sendCheckEvent(ctx: TxContext, { loanCase }: CaseAndJourney, event: CheckEvent): Promise<void> {
  if (loanCase.leadId === null || loanCase.stage === 'ENDED') return
  await sendEvent(ctx, loanCase, event)
}

/** Returns the document ids of the provider session's files that the partner has stored. */
const storedDocumentIds = (known: ListedDocument[], reference: string): string[] =>
  known.flatMap(({ providerReference, documentId }) => (providerReference === reference ? (documentId ?? []) : []))

async function registerFiles(
  ctx: TxContext,
  loanCase: PartnerCase,
  known: ListedDocument[],
  { kind, adapter, reference, documents }: CheckStatusReport & Pick<PartnerCheck, 'adapter'>,
): Promise<PartnerDocument[]> {
  const knownIds = known.flatMap((document) =>
    document.sourceSealed
      ? [ctx.seal.openJson<FileSource>(document.sourceSealed, documentContext('source', document)).fileId]
      : [],
  )
  const from: CheckKind = kind
  const added = documents.filter(({ fileId }) => !knownIds.includes(fileId))
  return Promise.all(
    added.map(({ fileId, type, contentType, sizeBytes, sha256 }) =>
      registerFile(ctx, loanCase, { from, adapter, reference, fileId, type, contentType, sizeBytes, sha256 }),
    ),
  )
}

/** The borrower's step for each check (D3 §1.1 rule 5). */
export const stepOfCheck: Record<CheckKind, StepName> = { kyc: 'kyc', mandate: 'eMandate', esign: 'loanAgreement' }

const retryReasons: Record<CheckKind, StepReason> = {
  kyc: 'IDENTITY_TRY_AGAIN',
  mandate: 'MANDATE_TRY_AGAIN',
  esign: 'AGREEMENT_TRY_AGAIN',
}

/** Updates the borrower's step with the result of the check. */
async function updateStep(ctx: TxContext, caseAndJourney: CaseAndJourney, check: PartnerCheck): Promise<void> {
  const { tx, at } = ctx
  const { journey } = caseAndJourney
  const { kind } = check
  const step = await findStep(tx, journey, stepOfCheck[kind])
  if (!journey.active || step.status === 'SUCCESS') return
  const result = checkResultOf(kind, check)
  if (result === 'failed')
    return void (await markStepFailed(tx, journey, {
      name: stepOfCheck[kind],
      problem: retryReasons[kind],
      retryable: true,
      at,
    }))
  if (result === 'refused') return endAfterKycRejection(ctx, caseAndJourney)
  if (result !== 'passed') return
  if (kind === 'kyc') return completeKyc(ctx, caseAndJourney, check)
  await markStepSucceeded(tx, journey, step, at)
  if (kind === 'mandate') return makeStepReady(ctx, caseAndJourney, 'esign')
  // The lender can now disburse. Polls the status until the lender sends an event.
  await followUpPartner(ctx, caseAndJourney.loanCase)
}

interface LenderReview {
  decision: NonNullable<PartnerCheck['lenderReview']>
  /** By the lender's clock. */
  at: Date
}

/**
 * Stores the lender's review of a KYC attempt, which may complete KYC. An event and a snapshot arrive in any order, so
 * an older review than the stored one is ignored.
 */
export async function storeKycReview(
  ctx: TxContext,
  caseAndJourney: CaseAndJourney,
  check: PartnerCheck,
  { decision, at }: LenderReview,
): Promise<void> {
  if (check.lenderReviewedAt !== null && at < check.lenderReviewedAt) return
  const reviewed = { ...check, lenderReview: decision, lenderReviewedAt: at, updatedAt: ctx.at }
  await storeCheck(ctx.tx, reviewed)
  await completeKyc(ctx, caseAndJourney, reviewed)
}

/**
 * Takes the lender's review from a snapshot, because KYC_REVIEW_DECIDED may be lost (D3 §4.4). The snapshot must have the
 * provider's approval, so that it does not report on an earlier attempt.
 */
export async function takeKycReview(
  ctx: TxContext,
  caseAndJourney: CaseAndJourney,
  { checks: { kyc, lender_kyc_review: decision }, snapshot_at }: Pick<SnapshotStatus, 'checks' | 'snapshot_at'>,
): Promise<void> {
  if (kyc !== 'APPROVED' || (decision !== 'APPROVED' && decision !== 'REJECTED')) return
  const check = await newestCheck(ctx.tx, caseAndJourney.loanCase, 'kyc')
  if (check && checkResultOf('kyc', check) === 'passed' && check.lenderReview !== decision)
    await storeKycReview(ctx, caseAndJourney, check, { decision, at: new Date(snapshot_at) })
}

/**
 * Completes KYC if the provider has approved and, for video KYC, the lender has also approved (D3 §6 rule 2). Until
 * then it polls the lender.
 */
async function completeKyc(ctx: TxContext, caseAndJourney: CaseAndJourney, check: PartnerCheck): Promise<void> {
  const { tx, at } = ctx
  const { journey } = caseAndJourney
  if (!journey.active || checkResultOf('kyc', check) !== 'passed') return
  const step = await findStep(tx, journey, 'kyc')
  if (step.status === 'SUCCESS') return
  const { data } = ctx.seal.openJson<CheckEvent & { type: 'KYC_UPDATED' }>(
    required(check.resultSealed, 'the result of an ended check'),
    checkContext('result', check),
  )
  const mustReview = data.mode === 'VIDEO_AND_MANUAL_REVIEW'
  if (check.lenderReview === 'REJECTED' || (mustReview && check.lenderReview === null))
    return followUpPartner(ctx, caseAndJourney.loanCase)
  await markStepSucceeded(tx, journey, step, at)
  // The lead already contains the account.
  await skipSteps(tx, journey, ['bankMandate'], at)
  await makeStepReady(ctx, caseAndJourney, 'mandate')
}

async function makeStepReady(ctx: TxContext, { loanCase, journey }: CaseAndJourney, kind: CheckKind): Promise<void> {
  const { at } = ctx
  await markStepReady(ctx, journey, {
    name: stepOfCheck[kind],
    page: { url: urlOfCheck(ctx, loanCase, kind), formId: kind },
    at,
  })
}

/** Ends the application after the provider rejected the borrower's KYC. */
async function endAfterKycRejection(ctx: TxContext, caseAndJourney: CaseAndJourney): Promise<void> {
  const { tx, at } = ctx
  const reason = 'IDENTITY_REFUSED'
  await markStepFailed(tx, caseAndJourney.journey, { name: 'kyc', problem: reason, retryable: false, at })
  await endRejectedCase(ctx, caseAndJourney, 'KYC was rejected', reason)
}
