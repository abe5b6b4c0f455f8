// The replay worker: replays journeys one by one at the configured rate, each in one transaction.

import { secondsAfter } from '@lendloom/foundation/clock'
import { schedule } from '@lendloom/foundation/schedule'
import type { Db, Tx } from '@lendloom/postgres/sql'
import { finish, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import type { WorkerDeps } from '#platform/integrators/webhook/deliver-updates.ts'
import { deliveryQueue, leaseSeconds } from '#platform/integrators/webhook/delivery.ts'
import { replayQueue } from './replay.ts'
import {
  endTurn,
  lockReplay,
  lockTurn,
  makeDue,
  nextTurn,
  nextTurnAt,
  postponeTurn,
  type ReplayTurn,
  setReplayState,
  type TurnDelivery,
} from './store.ts'

/** Pause after the updates of one second. */
const ratePauseSeconds = 1
/** Pause before the retry of a journey with an update in flight. */
const retrySeconds = 0.5
/** Longest lease of another worker, whose clock may be up to ten seconds ahead. */
const maxLeaseSeconds = leaseSeconds + 10
/** The pause after an error does not grow, because each second of a replay is an attempt of its job. */
export const replayErrorSchedule = schedule(['PT5S'], 'repeat')

type ReplayJob = Job<{ replayId: string }>

/** Locks a journey, so that no update is added until the transaction ends. */
type HoldJourney = (tx: Tx, journey: { tenantId: string; journeyId: string }) => Promise<void>

/** Runs replays. When a process dies, the worker that claims its job continues with the uncommitted turns. */
export const bulkReplayWorker = (
  { db, clock, log }: Pick<WorkerDeps, 'db' | 'clock' | 'log'>,
  holdJourney: HoldJourney,
  pollMs?: number,
): Worker =>
  work({
    kind: replayQueue,
    db,
    clock,
    log,
    pollMs,
    schedule: replayErrorSchedule,
    async handle(job: ReplayJob) {
      const seconds = await runForOneSecond(db, job, clock(), holdJourney)
      if (seconds !== null) throw new RetryLater(seconds, 'the next journeys are not due yet')
    },
  })

async function runForOneSecond(db: Db, job: ReplayJob, at: Date, holdJourney: HoldJourney): Promise<number | null> {
  for (let updates = 0; ; ) {
    const step = await db.tx((tx) => runTurn(tx, job, at, holdJourney))
    if (step.waitSeconds !== undefined) return step.waitSeconds
    updates += step.updates
    if (updates >= step.perSecond) return ratePauseSeconds
  }
}

/** `waitSeconds`: seconds until the next turn; null when the replay is done or stopped. */
type ReplayStep = { waitSeconds: number | null } | { waitSeconds?: undefined; updates: number; perSecond: number }

async function runTurn(tx: Tx, job: ReplayJob, at: Date, holdJourney: HoldJourney): Promise<ReplayStep> {
  const key = { tenantId: job.tenantId, replayId: job.payload.replayId }
  const replay = await lockReplay(tx, key)
  if (replay?.state !== 'RUNNING') {
    // A resume waits for this transaction; while this job exists, the resume would add none.
    await finish(tx, job)
    return { waitSeconds: null }
  }
  const turn = await nextTurn(tx, key, at)
  if (turn) {
    await holdJourney(tx, turn)
    return { updates: await replayJourney(tx, turn, at), perSecond: replay.perSecond }
  }
  if (await nextTurnAt(tx, key)) return { waitSeconds: retrySeconds }
  await setReplayState(tx, key, 'DONE', at)
  return { waitSeconds: null }
}

/**
 * Makes a journey's updates from the first match due, and returns their number. Postpones the journey if a later update
 * is in flight, because that update would arrive first. The caller holds the journey.
 */
async function replayJourney(tx: Tx, turn: ReplayTurn, at: Date): Promise<number> {
  const turnDeliveries = await lockTurn(tx, turn)
  const leaseUntil = secondsAfter(at, maxLeaseSeconds)
  if (turnDeliveries.slice(1).some((each) => mayBeInFlight(each, at, leaseUntil))) {
    await postponeTurn(tx, turn, secondsAfter(at, retrySeconds))
    return 0
  }
  const updates = turnDeliveries.every(({ isReachable }) => isReachable) ? turnDeliveries.length : 0
  if (updates > 0) await makeDue(tx, turn, at, leaseUntil)
  await endTurn(tx, turn, updates)
  tx.wake(deliveryQueue)
  return updates
}

/** A claimed delivery is due at the end of its lease. */
const mayBeInFlight = ({ state, dueAt }: TurnDelivery, at: Date, leaseUntil: Date): boolean =>
  state === 'PENDING' && dueAt !== null && dueAt > at && dueAt <= leaseUntil
