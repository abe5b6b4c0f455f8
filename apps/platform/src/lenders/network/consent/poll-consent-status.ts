// Polls the aggregator's server for the consent status of open sessions, at growing intervals.

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, finish, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { aggregatorNamed } from '#platform/providers/account-aggregator/adapters.ts'
import { type AaSession, isOver, stateAfter } from './aa-session.ts'
import { applyConsentStatus, resendApproval } from './apply-consent-status.ts'
import { changeAaSession, findStoredAaSession } from './store.ts'

const kind = 'aa-look'

/**
 * A job with `series` repeats its poll until a newer link starts the next series; `series` is the number of links of the
 * session. A job with `occasion` polls once; `occasion` only identifies the job.
 */
type PollTrigger = { series: number } | { occasion: string }
type ReconcileJob = { journeyId: string; aaSessionId: string } & PollTrigger

type AaSessionKey = Pick<AaSession, 'tenantId' | 'journeyId' | 'aaSessionId'>

/** Schedules an immediate poll, which the trigger identifies and continues or not. */
export const scheduleReconcile = (
  tx: Tx,
  { tenantId, journeyId, aaSessionId }: AaSessionKey,
  trigger: PollTrigger,
  at: Date,
): Promise<void> =>
  enqueue(tx, {
    tenantId,
    kind,
    key: `${aaSessionId}:${'series' in trigger ? trigger.series : trigger.occasion}`,
    payload: { journeyId, aaSessionId, ...trigger } satisfies ReconcileJob,
    dueAt: at,
  })

/**
 * Schedules an immediate poll of the aggregator or, after an approval, another notification of the lender (D2 §4
 * reconcile). Returns an ended session unchanged.
 */
export async function reconcileAaSession(tx: Tx, journey: Journey, session: AaSession, at: Date): Promise<AaSession> {
  if (isOver(session.state)) return session
  const changed = await changeAaSession(
    tx,
    session,
    { state: stateAfter(session.state, 'linkOpened', 'checkRequired') },
    at,
  )
  await updateJourney(tx, journey, {}, at)
  await scheduleReconcile(tx, session, { occasion: at.toISOString() }, at)
  return changed
}

export const consentReconcileWorker = (ctx: Context): Worker =>
  work<ReconcileJob>({ kind, ...ctx, handle: (job) => reconcile(ctx, job) })

/** Pause before the next poll while the aggregator is unavailable. */
const unavailablePauseSeconds = 10
/** Pause before the next poll while the lender is switched off. */
const switchedOffPauseSeconds = 300

async function reconcile(ctx: Context, job: Job<ReconcileJob>): Promise<void> {
  const { journeyId, aaSessionId, ...trigger } = job.payload
  const journeyKey = { tenantId: job.tenantId, journeyId }
  const unlockedSession = await findStoredAaSession(ctx.db, journeyKey, aaSessionId)
  if (!unlockedSession?.consentHandle || isOver(unlockedSession.state)) return
  if (unlockedSession.isWithheld) throw new RetryLater(switchedOffPauseSeconds, 'the lender is switched off')
  if (unlockedSession.dispatchedAt !== null) return 'occasion' in trigger ? notifyLenderAgain(ctx, job) : undefined
  if ('series' in trigger && trigger.series !== unlockedSession.redirects) return
  const aggregator = aggregatorNamed(unlockedSession.adapter)
  const report = await aggregator.fetchConsentStatus(ctx, unlockedSession.consentHandle).catch((error) => {
    if (error instanceof Refusal) throw new RetryLater(unavailablePauseSeconds, error.message)
    throw error
  })
  const retrySeconds = await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const journey = await lockJourney(tx, job.tenantId, journeyId)
    const session = journey?.active ? await findStoredAaSession(tx, journeyKey, aaSessionId) : undefined
    if (session?.isWithheld) return switchedOffPauseSeconds
    const openSession =
      journey &&
      session &&
      !isOver(session.state) &&
      (await applyConsentStatus({ ...ctx, tx, at }, journey, session, report))
    if (openSession && 'series' in trigger && trigger.series === openSession.redirects)
      return secondsUntilNext(openSession, at)
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
    if (session && !isOver(session.state)) await resendApproval({ ...ctx, tx, at: ctx.clock() }, session)
    await finish(tx, job)
  })
}

/** Returns the pause before the next poll: short while the link is valid, and longer as time passes after its expiry. */
function secondsUntilNext({ createdAt, expiresAt }: AaSession, at: Date): number {
  const linkEnd = expiresAt ?? createdAt
  if (expiresAt !== null && at < linkEnd) return 2
  if (at < secondsAfter(linkEnd, 600)) return 10
  return at < secondsAfter(linkEnd, 3600) ? 60 : 1800
}
