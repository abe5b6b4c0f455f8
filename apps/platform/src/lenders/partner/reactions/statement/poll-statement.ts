// Polls the analyser with growing pauses until the analysis ends, because a callback may be lost (D3 §2.3).

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { pauseSeconds } from '@lendloom/foundation/schedule'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, type Job, type Worker, work } from '@lendloom/queue/queue'
import type { Context } from '#platform/context.ts'
import type { PartnerStatement } from '#platform/lenders/partner/partner-statement.ts'
import { runCaseJob } from '#platform/lenders/partner/reactions/lock-case.ts'
import { providerSchedule } from '#platform/lenders/partner/reactions/provider-schedule.ts'
import { findCase, newestStatement } from '#platform/lenders/partner/store.ts'
import { adapterNamed } from '#platform/providers/adapters.ts'
import type { StatementStatusReport } from '#platform/providers/bank-statement/port.ts'
import { applyStatementReport } from './apply-statement-report.ts'

const kind = 'partner-statement'

interface PollJob {
  caseRef: string
  attempt: number
  round: number
}

export function scheduleStatementPoll(
  tx: Tx,
  { tenantId, caseRef, attempt }: Pick<PartnerStatement, 'tenantId' | 'caseRef' | 'attempt'>,
  round: number,
  at: Date,
): Promise<void> {
  const payload: PollJob = { caseRef, attempt, round }
  const dueAt = secondsAfter(at, pauseSeconds(providerSchedule, round))
  return enqueue(tx, { tenantId, kind, key: `${caseRef}:${attempt}:${round}`, payload, dueAt })
}

/** Fetches the analyser's current report. Only a fetched report or a signed callback proves a result. */
export const fetchStatementReport = (
  ctx: Context,
  { adapter, providerReference }: Pick<PartnerStatement, 'adapter' | 'providerReference'>,
): Promise<StatementStatusReport> =>
  adapterNamed('bank-statement', adapter).fetch(ctx, required(providerReference, 'the reference of a statement'))

export const statementPollWorker = (ctx: Context): Worker =>
  work<PollJob>({ kind, ...ctx, handle: (job) => poll(ctx, job) })

async function poll(ctx: Context, job: Job<PollJob>): Promise<void> {
  const { tenantId, payload } = job
  const caseKey = { tenantId, caseRef: payload.caseRef }
  const [loanCase, statement] = await Promise.all([findCase(ctx.db, caseKey), newestStatement(ctx.db, caseKey)])
  const isObsolete = loanCase?.stage !== 'CHOSEN' || statement?.attempt !== payload.attempt
  if (isObsolete || statement.status !== 'PENDING') return
  const report = await fetchStatementReport(ctx, statement).catch((error) => {
    if (error instanceof Refusal) return null
    throw error
  })
  await runCaseJob(ctx, job, async (tx, caseAndJourney, at) => {
    if (report) await applyStatementReport({ ...ctx, tx, at }, caseAndJourney, statement, report)
    await scheduleStatementPoll(tx, statement, payload.round + 1, at)
  })
}
