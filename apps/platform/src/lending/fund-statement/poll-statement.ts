// Polls the registrar for a statement, because the registrar sends no notification.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, finish, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { readPortfolio } from '@lendloom/wire/hosted/read-portfolio'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { storePortfolio } from '#platform/lending/portfolio/store.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { registrarNamed } from '#platform/providers/registrar/adapters.ts'
import type { FundStatementReport } from '#platform/providers/registrar/port.ts'
import { type FundStatement, isFetchable, secondsUntilNextPoll } from './fund-statement.ts'
import { endFundStatement, findFundStatement } from './store.ts'

const kind = 'fund-statement-look'

/** Part of stored jobs. `series`: polls until there is a result. `occasion`: polls once, when the borrower returns. */
type PollMode = { series: true } | { occasion: string }
type PollJob = { journeyId: string; attempt: number } & PollMode

/** Schedules a poll of one attempt; a poll with the same mode and occasion is scheduled once. */
export const scheduleRegistrarPoll = (
  tx: Tx,
  { tenantId, journeyId, attempt }: Pick<FundStatement, 'tenantId' | 'journeyId' | 'attempt'>,
  mode: PollMode,
  at: Date,
): Promise<void> =>
  enqueue(tx, {
    tenantId,
    kind,
    key: `${journeyId}:${attempt}:${'series' in mode ? 'series' : mode.occasion}`,
    payload: { journeyId, attempt, ...mode } satisfies PollJob,
    dueAt: at,
  })

/** Schedules an immediate poll of the newest attempt if this attempt is pending. */
export async function pollNow(tx: Tx, journey: Journey, at: Date): Promise<void> {
  const newest = await findFundStatement(tx, journey)
  if (newest?.status === 'PENDING') await scheduleRegistrarPoll(tx, newest, { occasion: at.toISOString() }, at)
}

export const fundStatementWorker = (ctx: Context): Worker =>
  work<PollJob>({ kind, ...ctx, handle: (job) => poll(ctx, job) })

const retrySecondsWhileUnavailable = 10

async function poll(ctx: Context, job: Job<PollJob>): Promise<void> {
  const { journeyId, attempt, ...mode } = job.payload
  const journeyKey = { tenantId: job.tenantId, journeyId }
  const before = await findFundStatement(ctx.db, journeyKey)
  if (before?.attempt !== attempt || before.status !== 'PENDING') return
  const report = await registrarNamed(before.adapter)
    .fetch(ctx, before.providerReference)
    .catch((error) => {
      if (error instanceof Refusal) throw new RetryLater(retrySecondsWhileUnavailable, error.message)
      throw error
    })
  const at = ctx.clock()
  const waitSeconds = report.status === 'PENDING' ? secondsUntilNextPoll(before, at) : null
  if (waitSeconds !== null && 'series' in mode) throw new RetryLater(waitSeconds, 'the borrower has not confirmed yet')
  if (waitSeconds !== null) return
  await ctx.db.tx(async (tx) => {
    const journey = await lockJourney(tx, job.tenantId, journeyId)
    const current = journey && (await findFundStatement(tx, journey))
    if (journey && current?.attempt === attempt && current.status === 'PENDING')
      await applyReport({ ...ctx, tx, at }, journey, current, report)
    await finish(tx, job)
  })
}

/** Stores the result of the attempt. A statement that arrives after the start of the search is discarded. */
async function applyReport(
  ctx: TxContext,
  journey: Journey,
  statement: FundStatement,
  report: FundStatementReport,
): Promise<void> {
  const { tx, at } = ctx
  const reason = await failureReasonOf(ctx, journey, report)
  if (report.status === 'READY' && reason === null) await storePortfolio(ctx, journey, { mfc: report.statement })
  await endFundStatement(tx, statement, { status: reason === null ? 'READY' : 'FAILED', reason }, at)
  await updateJourney(tx, journey, {}, at)
}

/** Why the attempt fails; null while the statement can be used. */
async function failureReasonOf(
  ctx: TxContext,
  journey: Journey,
  report: FundStatementReport,
): Promise<FundStatement['reason']> {
  if (report.status === 'PENDING' || !isFetchable(journey)) return 'EXPIRED'
  if (report.status === 'FAILED') return report.reason
  const { pan, holdings } = readPortfolio(report.statement)
  const { person } = await readProfile(ctx.tx, ctx, journey)
  if (pan !== person.personal.pan) return 'OTHER_PAN'
  return holdings.length === 0 ? 'NO_FUNDS' : null
}
