// The worker that delivers: claims what is due, posts it, records the answer; one destination's trouble stays its own.
import { setTimeout as sleep } from 'node:timers/promises'
import { counter, histogram } from '#kit/metrics.ts'
import { loop, type Worker } from '#kit/queue.ts'
import { type Claimed, claim, type Lanes, laneOf, type Means } from './claim.ts'
import { bodyContext, callbackContext, type Verdict } from './delivery.ts'
import { secretsOf } from './endpoint.ts'
import { end, giveBack, isIdle } from './lane.ts'
import { type Manner, nextTry } from './manner.ts'
import { type Answered, post } from './post.ts'
import { recorder } from './record.ts'
import { deliveries } from './send.ts'

/** Tries of this process at once; past half of them, every destination gets one at a time. */
const mostAtOnce = 1024
/** Also how soon what another process committed is seen, and what was sent away comes back. */
const pollMs = 100
/** Claims keep this distance, so that under load each takes several; the first one after a rest does not wait. */
const gatherMs = 4

const tries = counter('webhook_tries_total', 'Tries to deliver a lifecycle update', ['outcome'])
const firstTry = histogram(
  'webhook_first_try_seconds',
  'From the commit of an update to its first try',
  [],
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 60],
)

/**
 * Delivers at least once, each journey's updates in their order per destination. Nothing depends on this process: what
 * it holds when it dies is due again at the end of its lease, with the same `webhook-id`.
 */
export function deliver(means: Means, manner: Manner): Worker {
  const { db, log, clock } = means
  const lanes: Lanes = new Map()
  const record = recorder(db)
  let held = 0
  let claimedAt = 0

  async function claimNext(): Promise<Claimed[]> {
    const early = claimedAt + gatherMs - performance.now()
    if (early > 0) await sleep(early)
    claimedAt = performance.now()
    return claim(means, lanes, manner, held > mostAtOnce / 2)
  }

  async function handle(claimed: Claimed): Promise<void> {
    held++
    let answered: Answered | null = null
    try {
      answered = await attempt(means, claimed, manner)
    } finally {
      held--
      settle(claimed, answered)
    }
    const verdict = verdictOf(claimed, answered, manner, clock())
    if (verdict.tried) tell(log, verdict, clock().getTime() - claimed.began)
    await record(verdict)
  }

  function settle({ destinationId, began }: Claimed, answered: Answered | null): void {
    const lane = laneOf(lanes, destinationId)
    const now = clock().getTime()
    const isWaitedFor = lane.queueUntil > now
    if (answered === null) giveBack(lane, began)
    else end(lane, began, now, answered.outcome !== 'failed', manner)
    if (isWaitedFor) db.wake(deliveries)
    if (isIdle(lane, now)) lanes.delete(destinationId)
  }

  return loop<Claimed>({
    queue: deliveries,
    db,
    log,
    pollMs,
    concurrency: mostAtOnce,
    claim: claimNext,
    handle,
  })
}

/** Null when there is nobody to call: the endpoint was deleted or disabled since the delivery was made. */
async function attempt({ seal, clock }: Means, claimed: Claimed, manner: Manner): Promise<Answered | null> {
  const at = clock()
  const url = addressOf(seal, claimed)
  if (url === null) return null
  const { tenantId, eventId, correlationId } = claimed
  if (claimed.attempt === 0) firstTry.observe((at.getTime() - claimed.createdAt.getTime()) / 1000)
  const secrets = claimed.secrets.flatMap((each) => secretsOf(seal, tenantId, each, at))
  const body = seal.open(claimed.bodySealed, bodyContext(claimed))
  return post({ url, eventId, secrets, body, correlationId }, manner, at)
}

function addressOf(seal: Means['seal'], { url, callbackUrlSealed, ...update }: Claimed): string | null {
  return callbackUrlSealed === null ? url : seal.open(callbackUrlSealed, callbackContext(update)).toString('utf8')
}

function verdictOf(delivery: Claimed, answered: Answered | null, manner: Manner, at: Date): Verdict {
  const said = { delivery, at, dueAt: null }
  if (answered === null) return { ...said, tried: false, state: 'STOPPED', answer: 'the endpoint is gone or disabled' }
  const { outcome, words: answer, wish } = answered
  if (outcome === 'delivered') return { ...said, tried: true, state: 'DELIVERED', answer }
  if (outcome === 'gone') return { ...said, tried: true, state: 'STOPPED', answer }
  const dueAt = nextTry(manner, delivery.attempt + 1, at, wish, Math.random())
  return dueAt
    ? { ...said, tried: true, state: 'PENDING', answer, dueAt }
    : { ...said, tried: true, state: 'EXHAUSTED', answer }
}

/** One line a try, found by the event's id. */
function tell(log: Means['log'], { delivery, state, answer, dueAt }: Verdict, ms: number): void {
  const { eventId, journeyId, destinationId, sequence, status, correlationId } = delivery
  tries.inc({ outcome: state })
  const facts = { eventId, journeyId, destinationId, sequence, status, correlationId, attempt: delivery.attempt + 1 }
  if (state === 'DELIVERED') log.info({ ...facts, answer, ms }, 'delivered')
  else if (state === 'PENDING') log.warn({ ...facts, answer, ms, dueAt }, 'not taken; it will be tried again')
  else log.error({ ...facts, answer, ms, state }, 'not taken; it will not be tried again')
}
