// Polls the aggregator's server about the consents of open sessions, with growing pauses.

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { enqueue, finish, type Job, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lockJourney, updateJourney } from '#platform/journey/store.ts'
import { aggregatorNamed } from '#platform/provider/account-aggregator/adapters.ts'
import { applyConsentStatus, repeatReport } from './prove.ts'
import { type AaSession, isOver, stateAfter } from './session.ts'
import { changeAaSession, findStoredAaSession } from './store.ts'

const kind = 'aa-look'

/** A series repeats polls until a newer link starts another series; an occasion is a single poll. */
type ReconcileReason = { series: number } | { occasion: string }
type ReconcileJob = { journeyId: string; aaSessionId: string } & ReconcileReason

type AaSessionKey = Pick<AaSession, 'tenantId' | 'journeyId' | 'aaSessionId'>

export const scheduleReconcile = (
  tx: Tx,
  { tenantId, journeyId, aaSessionId }: AaSessionKey,
  reason: ReconcileReason,
  at: Date,
): Promise<void> =>
  enqueue(tx, {
    tenantId,
    kind,
    key: `${aaSessionId}:${'series' in reason ? reason.series : reason.occasion}`,
    payload: { journeyId, aaSessionId, ...reason } satisfies ReconcileJob,
    dueAt: at,
  })

/** Polls the aggregator, or notifies the lender again, at once (D2 §4 reconcile). Does not change an ended session. */
export async function reconcileAaSession(tx: Tx, journey: Journey, session: AaSession, at: Date): Promise<AaSession> {
  if (isOver(session.state)) return session
  const changed = await changeAaSession(tx, session, { state: stateAfter(session.state, 'seen', 'doubted') }, at)
  await updateJourney(tx, journey, {}, at)
  await scheduleReconcile(tx, session, { occasion: at.toISOString() }, at)
  return changed
}

export const consentReconcileWorker = (ctx: Context): Worker =>
  work<ReconcileJob>({ kind, ...ctx, handle: (job) => reconcile(ctx, job) })

const secondsWhileUnavailable = 10
/** Pause before the next poll while the lender is switched off. */
const secondsWhileOff = 300

async function reconcile(ctx: Context, job: Job<ReconcileJob>): Promise<void> {
  const { journeyId, aaSessionId, ...reason } = job.payload
  const journeyKey = { tenantId: job.tenantId, journeyId }
  const unlocked = await findStoredAaSession(ctx.db, journeyKey, aaSessionId)
  if (!unlocked?.consentHandle || isOver(unlocked.state)) return
  if (unlocked.isWithheld) throw new RetryLater(secondsWhileOff, 'the lender is switched off')
  if (unlocked.dispatchedAt !== null) return 'occasion' in reason ? notifyLenderAgain(ctx, job) : undefined
  if ('series' in reason && reason.series !== unlocked.redirects) return
  const aggregator = aggregatorNamed(unlocked.adapter)
  const report = await aggregator.fetchConsentStatus(ctx, unlocked.consentHandle).catch((error) => {
    if (error instanceof Refusal) throw new RetryLater(secondsWhileUnavailable, error.message)
    throw error
  })
  const retrySeconds = await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const journey = await lockJourney(tx, job.tenantId, journeyId)
    const session = journey?.active ? await findStoredAaSession(tx, journeyKey, aaSessionId) : undefined
    if (session?.isWithheld) return secondsWhileOff
    const open =
      journey &&
      session &&
      !isOver(session.state) &&
      (await applyConsentStatus({ ...ctx, tx, at }, journey, session, report))
    if (open && 'series' in reason && reason.series === open.redirects) return secondsUntilNext(open, at)
    await finish(tx, job)
    return null
  })
  if (retrySeconds !== null) throw new RetryLater(retrySeconds, 'the consent is not decided yet')
}

async function notifyLenderAgain(ctx: Context, job: Job<ReconcileJob>): Promise<void> {
  const { journeyId, aaSessionId } = job.payload
  await ctx.db.tx(async (tx) => {
    const journey = await lockJourney(tx, job.tenantId, journeyId)
    const session = journey?.active && (await findStoredAaSession(tx, journey, aaSessionId))
    if (session && !isOver(session.state)) await repeatReport({ ...ctx, tx, at: ctx.clock() }, session)
    await finish(tx, job)
  })
}

/** Seconds between two polls: a borrower spends minutes at the aggregator, and may return after days. */
function secondsUntilNext({ createdAt, expiresAt }: AaSession, at: Date): number {
  const since = expiresAt ?? createdAt
  if (expiresAt !== null && at < since) return 2
  if (at < secondsAfter(since, 600)) return 10
  return at < secondsAfter(since, 3600) ? 60 : 1800
}
