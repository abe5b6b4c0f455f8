// The worker of replays: journey by journey, at the replay's rate, each journey in one transaction.
import type { Db, Tx } from '#kit/db/sql.ts'
import { type Job, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { WorkerDeps } from '#platform/webhook/deliver.ts'
import { deliveries, leaseSeconds } from '#platform/webhook/delivery.ts'
import { type ReplayKey, replays } from './replay.ts'
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

/** The worker yields after a second's worth of updates. */
const pauseSeconds = 1
/** A journey with an update in flight is retried after this time. */
const patienceSeconds = 0.5
/** Leases of workers whose clocks are ahead by less than ten seconds are still seen as leases. */
const longestLeaseSeconds = leaseSeconds + 10

/**
 * Runs replays. A dead process leaves the turns that are not committed; the worker that claims its job continues with
 * exactly those.
 */
export const replaying = ({ db, clock, log }: Pick<WorkerDeps, 'db' | 'clock' | 'log'>, pollMs?: number): Worker =>
  work<{ replayId: string }>({
    kind: replays,
    db,
    clock,
    log,
    pollMs,
    async handle({ tenantId, payload }: Job<{ replayId: string }>) {
      const seconds = await oneSecondsWorth(db, { tenantId, replayId: payload.replayId }, clock())
      if (seconds !== null) throw new RetryLater(seconds, 'the next journeys have their turn later')
    },
  })

/** After how many seconds there is more to do; null when the replay is done, or was stopped. */
async function oneSecondsWorth(db: Db, key: ReplayKey, at: Date): Promise<number | null> {
  for (let updates = 0; ; ) {
    const step = await db.tx((tx) => oneTurn(tx, key, at))
    if (step.rest !== undefined) return step.rest
    updates += step.updates
    if (updates >= step.perSecond) return pauseSeconds
  }
}

/** `rest` is how long to wait before the next turn, null when there is none. */
type ReplayStep = { rest: number | null } | { rest?: undefined; updates: number; perSecond: number }

async function oneTurn(tx: Tx, key: ReplayKey, at: Date): Promise<ReplayStep> {
  const replay = await lockReplay(tx, key)
  if (replay?.state !== 'RUNNING') return { rest: null }
  const turn = await nextTurn(tx, key, at)
  if (turn) return { updates: await take(tx, turn, at), perSecond: replay.perSecond }
  if (await nextTurnAt(tx, key)) return { rest: patienceSeconds }
  await setReplayState(tx, key, 'DONE', at)
  return { rest: null }
}

/**
 * Makes everything of a journey from its first match on due, and returns the number of updates. While a later one is in
 * flight nothing is put before it, because it would arrive first.
 */
async function take(tx: Tx, turn: ReplayTurn, at: Date): Promise<number> {
  const found = await lockTurn(tx, turn)
  const leaseUntil = secondsAfter(at, longestLeaseSeconds)
  if (found.slice(1).some((each) => mayBeInFlight(each, at, leaseUntil))) {
    await postponeTurn(tx, turn, secondsAfter(at, patienceSeconds))
    return 0
  }
  const updates = found.every(({ isReachable }) => isReachable) ? found.length : 0
  if (updates > 0) await makeDue(tx, turn, at, leaseUntil)
  await endTurn(tx, turn, updates)
  tx.wake(deliveries)
  return updates
}

/** A worker that holds a delivery has moved the time when it is due to the end of its lease. */
const mayBeInFlight = ({ state, dueAt }: TurnDelivery, at: Date, leaseUntil: Date): boolean =>
  state === 'PENDING' && dueAt !== null && dueAt > at && dueAt <= leaseUntil
