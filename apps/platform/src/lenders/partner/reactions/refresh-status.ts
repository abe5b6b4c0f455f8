// Requests the status of a case from the partner and applies the snapshot, which replaces lost events (D3 §4.4).

import { doublingPauses, pauseSeconds, type Schedule } from '@lendloom/foundation/schedule'
import { type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { isFresh, type SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import type { Context, TxContext } from '#platform/context.ts'
import { lookAtLoan } from '#platform/integrators/webhook/loan-watch.ts'
import { RetryablePartnerError, UnusableAnswer, withPartner } from '#platform/lenders/partner/call-partner.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'
import {
  fetchStatus,
  followUpPartner,
  type StatusJob,
  staleBecause,
  statusKind,
  storeStatus,
} from '#platform/lenders/partner/status-snapshot.ts'
import { findCase } from '#platform/lenders/partner/store.ts'
import { applyStatus } from './apply-status.ts'
import { takeKycReview } from './checks/apply-check-report.ts'
import { type CaseAndJourney, runCaseJob } from './lock-case.ts'

/** Pauses between attempts to get a valid status. */
export const statusSchedule = ({ config }: { config: Pick<Context['config'], 'PARTNER_STATUS_SECONDS'> }): Schedule =>
  doublingPauses(config.PARTNER_STATUS_SECONDS, 3600)

export const statusWorker = (ctx: Context): Worker =>
  work<StatusJob>({ kind: statusKind, ...ctx, handle: (job) => refresh(ctx, job) })

async function refresh(ctx: Context, job: Job<StatusJob>): Promise<void> {
  const { caseRef, followUp } = job.payload
  const loanCase = await findCase(ctx.db, { tenantId: job.tenantId, caseRef })
  // A follow-up is obsolete once the case has progressed.
  if (!loanCase || loanCase.stage === 'ENDED' || (followUp && loanCase.stage !== followUp.stage)) return
  const status = await withRetry(ctx, job, () => freshStatus(ctx, loanCase))
  await runCaseJob(ctx, job, async (tx, caseAndJourney, at) => {
    const current = status === null ? caseAndJourney : await applySnapshot({ ...ctx, tx, at }, caseAndJourney, status)
    if (followUp && current.loanCase.stage === followUp.stage)
      await followUpPartner({ ...ctx, tx, at }, current.loanCase, followUp.round + 1)
  })
}

/** Fetches the status. After disbursal, a snapshot over fifteen minutes old is `UnusableAnswer` (D3 §4.4, §8). */
async function freshStatus(ctx: Context, loanCase: PartnerCase): Promise<SnapshotStatus | null> {
  const status = await fetchStatus(await withPartner(ctx, loanCase), loanCase)
  if (status?.case_status === 'DISBURSED' && !isFresh(status, ctx.clock()))
    throw new UnusableAnswer(`the snapshot of ${status.snapshot_at} is too old to use after disbursal`)
  return status
}

/** Schedules a retry after a missing or invalid answer (D3 §4.4). */
async function withRetry<T>({ log, config }: Context, job: Job<StatusJob>, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof RetryablePartnerError || error instanceof UnusableAnswer)) throw error
    log.warn({ caseRef: job.payload.caseRef, why: error.message }, 'the status of a case was not applied')
    const requested = error instanceof RetryablePartnerError ? error.retryAfterSeconds : 0
    const scheduled = pauseSeconds(statusSchedule({ config }), job.attempt)
    throw new RetryLater(Math.max(scheduled, requested), error.message)
  }
}

async function applySnapshot(
  ctx: TxContext,
  { loanCase, journey }: CaseAndJourney,
  status: SnapshotStatus,
): Promise<CaseAndJourney> {
  const stale = staleBecause(loanCase, status)
  if (stale !== null) {
    ctx.log.info({ caseRef: loanCase.caseRef, stale }, 'an older snapshot was ignored')
    return { loanCase, journey }
  }
  const updated = await storeStatus(ctx, loanCase, status)
  const current = await applyStatus(ctx, { loanCase: updated, journey }, status)
  await takeKycReview(ctx, current, status)
  if (journey.status === 'DISBURSED') await lookAtLoan(ctx.tx, journey, ctx.at)
  return current
}
