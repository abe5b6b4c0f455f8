// Polls the provider of a pending check with growing pauses, because a callback may be lost (D3 §6).

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { pauseSeconds } from '@lendloom/foundation/schedule'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, type Job, type Worker, work } from '@lendloom/queue/queue'
import type { Context, TxContext } from '#platform/context.ts'
import type { CheckKind, PartnerCheck } from '#platform/lenders/partner/partner-check.ts'
import { type CaseAndJourney, runCaseJob } from '#platform/lenders/partner/reactions/lock-case.ts'
import { providerSchedule } from '#platform/lenders/partner/reactions/provider-schedule.ts'
import { findCase, listChecks } from '#platform/lenders/partner/store.ts'
import { adapterNamed } from '#platform/providers/adapters.ts'
import { applyStatusReport } from './apply-check-report.ts'
import { type CheckStatusReport, checkResultOf } from './check-report.ts'

const kind = 'partner-check'

interface PollJob {
  caseRef: string
  check: CheckKind
  attempt: number
  round: number
}

/** Schedules the next poll of one attempt; `round` counts its polls from 1. */
export function scheduleCheckPoll(
  tx: Tx,
  { tenantId, caseRef, kind: check, attempt }: PartnerCheck,
  round: number,
  at: Date,
): Promise<void> {
  const payload: PollJob = { caseRef, check, attempt, round }
  const seconds = pauseSeconds(providerSchedule, round)
  return enqueue(tx, {
    tenantId,
    kind,
    key: `${caseRef}:${check}:${attempt}:${round}`,
    payload,
    dueAt: secondsAfter(at, seconds),
    isForLater: seconds > 1,
  })
}

export const checkPollWorker = (ctx: Context): Worker =>
  work<PollJob>({ kind, ...ctx, handle: (job) => poll(ctx, job) })

async function poll(ctx: Context, job: Job<PollJob>): Promise<void> {
  const { tenantId, payload } = job
  const loanCase = await findCase(ctx.db, { tenantId, caseRef: payload.caseRef })
  const check = await findCheckOfJob(ctx, job)
  if (!loanCase || !check || loanCase.stage === 'ENDED' || checkResultOf(check.kind, check) !== null) return
  const report = await fetchCheckReport(ctx, check).catch((error) => {
    if (error instanceof Refusal) return null
    throw error
  })
  await runCaseJob(ctx, job, async (tx, caseAndJourney, at) => {
    if (report) await applyPolledReport({ ...ctx, tx, at }, caseAndJourney, check, report)
    await scheduleCheckPoll(tx, check, payload.round + 1, at)
  })
}

const findCheckOfJob = async (
  { db }: Context,
  { tenantId, payload }: Job<PollJob>,
): Promise<PartnerCheck | undefined> =>
  (await listChecks(db, { tenantId, caseRef: payload.caseRef })).find(
    (check) => check.kind === payload.check && check.attempt === payload.attempt,
  )

/** Applies a polled report to the stored check, which may have changed since the poll began. */
export async function applyPolledReport(
  ctx: TxContext,
  caseAndJourney: CaseAndJourney,
  { kind, attempt }: Pick<PartnerCheck, 'kind' | 'attempt'>,
  report: Awaited<ReturnType<typeof fetchCheckReport>>,
): Promise<void> {
  const { tx } = ctx
  const current = (await listChecks(tx, caseAndJourney.loanCase)).find(
    (each) => each.kind === kind && each.attempt === attempt,
  )
  if (current) await applyStatusReport(ctx, caseAndJourney, current, { report, providerEventId: null })
}

/** Fetches the provider's current report. Only a fetched report or a signed callback proves a result. */
export async function fetchCheckReport(
  ctx: Context,
  { kind, adapter, providerReference }: Pick<PartnerCheck, 'kind' | 'adapter' | 'providerReference'>,
): Promise<CheckStatusReport> {
  switch (kind) {
    case 'kyc':
      return { kind, ...(await adapterNamed(kind, adapter).fetch(ctx, providerReference)) }
    case 'mandate':
      return { kind, ...(await adapterNamed(kind, adapter).fetch(ctx, providerReference)) }
    case 'esign':
      return { kind, ...(await adapterNamed(kind, adapter).fetch(ctx, providerReference)) }
  }
}
