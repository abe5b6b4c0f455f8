// The worker that delivers: claims what is due, posts it, records the answer; one destination's trouble stays its own.
import { setTimeout as sleep } from 'node:timers/promises'
import { groupCommit } from '#kit/db/group-commit.ts'
import { isPassing, type Tx } from '#kit/db/sql.ts'
import { end, giveBack, isReady } from '#kit/messaging/destination.ts'
import { loop, type Worker, wakeSoon } from '#kit/messaging/loop.ts'
import { counter, histogram } from '#kit/runtime/metrics.ts'
import { type Claimed, claim, destinationOf, type Means, newClaims } from './claim.ts'
import {
  type AttemptResult,
  bodyContext,
  callbackContext,
  type DeliveryPolicy,
  type DestinationKey,
  deliveries,
  nextTry,
  sealedAnswer,
} from './delivery.ts'
import { disableEndpoint } from './endpoint/store.ts'
import { secretsOf } from './endpoint.ts'
import { type AttemptOutcome, post } from './post.ts'
import { nextDelivery, recordAttempts, stopDeliveries } from './store.ts'

/** Tries of this process at once; past half of them, every destination gets one at a time. */
const mostAtOnce = 1024
/** Claims keep this distance, so that under load each takes several; the first one after a rest does not wait. */
const gatherMs = 4
/** So many results are recorded by one statement, and each waits so long for company. */
const recording = { concurrency: 1, most: 500, gatherMs: 5 }

const tries = counter('webhook_tries_total', 'Tries to deliver a lifecycle update', ['outcome'])
tries.inc({ outcome: 'EXHAUSTED' }, 0)
const firstTry = histogram(
  'webhook_first_try_seconds',
  'From the commit of an update to its first try',
  [],
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 60],
)

/**
 * Delivers at least once, each journey's updates in their order per destination. Nothing depends on this process: what
 * it holds when it dies is due again at the end of its lease, with the same `webhook-id`. When told to stop it waits for
 * its tries, but not longer than `graceMs`; what is unanswered then is due again at once.
 */
export function deliver(means: Means, policy: DeliveryPolicy, graceMs = 4000): Worker {
  const { db, log, clock, seal } = means
  const claims = newClaims()
  const record = recordingOf(db, claims)
  const interrupts = new Set<() => void>()
  let claimedAt = 0

  async function claimNext(): Promise<Claimed[]> {
    const early = claimedAt + gatherMs - performance.now()
    if (early > 0) await sleep(early)
    claimedAt = performance.now()
    return claim(means, claims, policy, interrupts.size > mostAtOnce / 2)
  }

  async function handle(claimed: Claimed): Promise<void> {
    let answered: AttemptOutcome | null = null
    try {
      answered = await interruptible(interrupts, attempt(means, claimed, policy))
    } finally {
      settle(claimed, answered)
    }
    const result = resultOf({ seal, policy, at: clock() }, claimed, answered)
    if (result.tried) logAttempt(log, result)
    await record(result)
    if (result.dueAt) wakeSoon(db, deliveries, result.dueAt.getTime() - clock().getTime())
  }

  function settle(claimed: Claimed, answered: AttemptOutcome | null): void {
    const destination = destinationOf(claims, claimed)
    const tookMs = performance.now() - claimed.began
    const now = clock().getTime()
    if (answered === null || isUntried(answered)) giveBack(destination)
    else end(destination, { tookMs, now, succeeded: answered.outcome !== 'failed', policy })
    if (isReady(destination, now, policy)) db.wake(deliveries)
    else if (destination.pausedUntil > now) wakeSoon(db, deliveries, destination.pausedUntil - now)
  }

  const due = { clock, next: nextDelivery }
  const worker = loop<Claimed>({ queue: deliveries, db, log, due, concurrency: mostAtOnce, claim: claimNext, handle })
  return {
    async stop() {
      const patience = setTimeout(() => interrupts.forEach((interrupt) => void interrupt()), graceMs)
      await worker.stop()
      clearTimeout(patience)
    },
  }
}

/** Resolves when the result is committed. One that could not be written leads to one more try. */
const recordingOf = (db: Means['db'], claims: ReturnType<typeof newClaims>) =>
  groupCommit(async (results: AttemptResult[]) => {
    const freed = await commit(db, results)
    for (const each of freed) destinationOf(claims, each).hasMore = true
    if (freed.length > 0) db.wake(deliveries)
    return results.map(() => null)
  }, recording)

const nothing = { retryAfter: null, body: null }

/** The outcome of a try, or that it was interrupted when one of `interrupts` is called before it has ended. */
const interruptible = (interrupts: Set<() => void>, answer: Promise<AttemptOutcome>): Promise<AttemptOutcome> =>
  new Promise((resolve, reject) => {
    const interrupt = () => resolve({ outcome: 'interrupted', words: 'the worker was stopped', ...nothing })
    interrupts.add(interrupt)
    answer.then(resolve, reject).finally(() => interrupts.delete(interrupt))
  })

async function attempt({ seal, clock }: Means, claimed: Claimed, policy: DeliveryPolicy): Promise<AttemptOutcome> {
  const at = clock()
  const url = addressOf(seal, claimed)
  if (url === null) return { outcome: 'absent', words: 'the endpoint was removed or disabled', ...nothing }
  const { tenantId, eventId, correlationId, lastBeforeGap } = claimed
  if (claimed.attempt === 0) firstTry.observe((at.getTime() - claimed.createdAt.getTime()) / 1000)
  const secrets = claimed.secrets.flatMap((each) => secretsOf(seal, tenantId, each, at))
  const body = seal.open(claimed.bodySealed, bodyContext(claimed))
  return post({ url, eventId, secrets, body, correlationId, lastBeforeGap }, policy, at)
}

const isUntried = ({ outcome }: AttemptOutcome): boolean => outcome === 'absent' || outcome === 'interrupted'

function addressOf(seal: Means['seal'], { url, callbackUrlSealed, ...update }: Claimed): string | null {
  return callbackUrlSealed === null ? url : seal.open(callbackUrlSealed, callbackContext(update)).toString('utf8')
}

interface Judging {
  seal: Means['seal']
  policy: DeliveryPolicy
  at: Date
}

function resultOf({ seal, policy, at }: Judging, delivery: Claimed, answered: AttemptOutcome): AttemptResult {
  const { outcome, words: answer, retryAfter, body } = answered
  const kept = {
    tookMs: Math.round(performance.now() - delivery.began),
    bodySealed: sealedAnswer(seal, delivery, body),
  }
  const attempt = { delivery, at, answer, tried: !isUntried(answered), dueAt: null, ...kept }
  if (outcome === 'delivered') return { ...attempt, state: 'DELIVERED' }
  if (outcome === 'gone' || outcome === 'absent') return { ...attempt, state: 'STOPPED' }
  if (outcome === 'interrupted') return { ...attempt, state: 'PENDING', dueAt: at }
  const dueAt = nextTry(policy, { attempt: delivery.attempt + 1, at, retryAfter, random: Math.random() })
  return dueAt ? { ...attempt, state: 'PENDING', dueAt } : { ...attempt, state: 'EXHAUSTED' }
}

/** One line a try, found by the event's id. */
function logAttempt(log: Means['log'], { delivery, state, answer, dueAt, tookMs: ms }: AttemptResult): void {
  const { tenantId, eventId, journeyId, destinationId, sequence, status, correlationId } = delivery
  tries.inc({ outcome: state })
  const event = { tenantId, eventId, journeyId, destinationId, sequence, status, correlationId }
  const facts = { ...event, attempt: delivery.attempt + 1 }
  if (state === 'DELIVERED') log.info({ ...facts, answer, ms }, 'delivered')
  else if (state === 'PENDING') log.warn({ ...facts, answer, ms, dueAt }, 'not taken; it will be tried again')
  else log.error({ ...facts, answer, ms, state }, 'not taken; it will not be tried again')
}

/**
 * Writes down what tries led to; gives the destinations where something waited for one that is finished now. One statement
 * is a transaction by itself; where more belongs to it, or the database was away, there is a whole one.
 */
async function commit(db: Means['db'], results: AttemptResult[]): Promise<DestinationKey[]> {
  if (results.some(({ state }) => state === 'STOPPED')) return inTransaction(db, results)
  try {
    return await recordAttempts(db, results)
  } catch (error) {
    if (!isPassing(error)) throw error
    return inTransaction(db, results)
  }
}

const inTransaction = (db: Means['db'], results: AttemptResult[]): Promise<DestinationKey[]> =>
  db.tx(async (tx) => {
    const freed = await recordAttempts(tx, results)
    for (const result of results) if (result.state === 'STOPPED') await stop(tx, result)
    return freed
  })

/** The endpoint is gone for all its journeys; a callbackUrl for its own. */
async function stop(tx: Tx, { delivery, tried, answer, at }: AttemptResult): Promise<void> {
  const { tenantId, destinationId, journeyId, callbackUrlSealed } = delivery
  const why = tried ? `answered ${answer}` : answer
  if (callbackUrlSealed !== null) return stopDeliveries(tx, { tenantId, destinationId, journeyId, why })
  await disableEndpoint(tx, { tenantId, endpointId: destinationId, why, at })
  await stopDeliveries(tx, { tenantId, destinationId, journeyId: null, why })
}
