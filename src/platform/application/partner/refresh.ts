// Asks the partner for a case's status and applies it, which makes up for a lost event (D3 §4.4).

import { isFresh, type SnapshotStatus } from '#contract/exchange/snapshot.ts'
import { type Job, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { doubling, pauseSeconds, type Schedule } from '#kit/runtime/schedule.ts'
import type { Context, TxContext } from '#platform/context.ts'
import { NoAnswer, WrongAnswer, withPartner } from '#platform/exchange/call.ts'
import type { PartnerCase } from '#platform/exchange/case.ts'
import {
  fetchStatus,
  followUpPartner,
  keepStatus,
  type StatusJob,
  staleBecause,
  statusKind,
} from '#platform/exchange/status.ts'
import { findCase } from '#platform/exchange/store.ts'
import { type CaseAndJourney, underCase } from './case-job.ts'
import { takeStatus } from './take-status.ts'

/** When a partner is asked again for a status that was not taken. */
export const statusSchedule = ({ config }: { config: Pick<Context['config'], 'PARTNER_STATUS_SECONDS'> }): Schedule =>
  doubling(config.PARTNER_STATUS_SECONDS, 3600)

export const refreshing = (ctx: Context): Worker =>
  work<StatusJob>({ kind: statusKind, ...ctx, handle: (job) => refresh(ctx, job) })

async function refresh(ctx: Context, job: Job<StatusJob>): Promise<void> {
  const { caseRef, followUp } = job.payload
  const application = await findCase(ctx.db, { tenantId: job.tenantId, caseRef })
  // No follow-up after progress.
  if (!application || application.stage === 'ENDED' || (followUp && application.stage !== followUp.stage)) return
  const status = await retrying(ctx, job, () => freshStatus(ctx, application))
  await underCase(ctx, job, async (tx, concerned, at) => {
    const now = status === null ? concerned : await taken({ ...ctx, tx, at }, concerned, status)
    if (followUp && now.application.stage === followUp.stage)
      await followUpPartner({ ...ctx, tx, at }, now.application, followUp.round + 1)
  })
}

/** After a payment only a snapshot of the last fifteen minutes counts: a later one is awaited (D3 §4.4, §8). */
async function freshStatus(ctx: Context, application: PartnerCase): Promise<SnapshotStatus | null> {
  const status = await fetchStatus(await withPartner(ctx, application), application)
  if (status?.case_status === 'DISBURSED' && !isFresh(status, ctx.clock()))
    throw new WrongAnswer(`the snapshot is of ${status.snapshot_at}, which is too old for money`)
  return status
}

/** A snapshot that contradicts itself is not believed; a later one may be whole (D3 §4.4). */
async function retrying<T>({ log, config }: Context, job: Job<StatusJob>, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof WrongAnswer)) throw error
    log.warn({ caseRef: job.payload.caseRef, why: error.message }, 'the status of a case was not taken')
    const requested = error instanceof NoAnswer ? error.retryAfterSeconds : 0
    const own = pauseSeconds(statusSchedule({ config }), job.attempt)
    throw new RetryLater(Math.max(own, requested), error.message)
  }
}

async function taken(
  ctx: TxContext,
  { application, journey }: CaseAndJourney,
  status: SnapshotStatus,
): Promise<CaseAndJourney> {
  const stale = staleBecause(application, status)
  if (stale !== null) {
    ctx.log.info({ caseRef: application.caseRef, stale }, 'an older snapshot was not taken')
    return { application, journey }
  }
  const kept = await keepStatus(ctx, application, status)
  return takeStatus(ctx, { application: kept, journey }, status)
}
