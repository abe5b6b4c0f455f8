// The worker that delivers events: posts what is due, and tells operators when it gives up.
import { uuidv4 } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { type Db, isPassing } from '#kit/db/sql.ts'
import { Unreached } from '#kit/http/client.ts'
import { whyOf } from '#kit/http/refusal.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import type { Log } from '#kit/runtime/log.ts'
import type { Alert } from '#kit/runtime/mail.ts'
import { counter, gauge } from '#kit/runtime/metrics.ts'
import { messageOf } from '#kit/runtime/narrow.ts'
import { correlated } from '#kit/runtime/trace.ts'
import { type AttemptOutcome, deliverMessages } from './delivery.ts'
import type { Worker } from './loop.ts'
import {
  type DueEvent,
  deliverQueue,
  type HeldEvent,
  outboxContext,
  outboxTable,
  recordAttempts,
  takeEvents,
} from './outbox-rows.ts'
import { nextTryAt, retryAfter, type Schedule } from './schedule.ts'

/** A message in hand. */
export interface OutboundEvent extends Omit<HeldEvent, 'bodySealed' | 'leaseUntil' | 'attempt'> {
  /** The exact bytes to send. */
  raw: Buffer
  /** Which try this is, from 1. */
  attempt: number
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
}

export interface DeliveringOptions {
  db: Db
  seal: Seal
  clock: Clock
  log: Log
  /** Told when a message is given up. */
  alert: Alert
  /**
   * Signs the bytes anew and posts them, within ten seconds; throws `Unreached` when no answer came, whose words people
   * read. 2xx is delivered; no answer, 408, 425, 429 and 5xx are tried again; anything else will not become right by trying.
   */
  post(event: OutboundEvent): Promise<Answer>
  /** When an event that was not taken is tried again. */
  schedule: Schedule
  /** What the pauses are multiplied with: 1 unless told. */
  timeScale?: number
  /** Tries of this process at once. */
  concurrency?: number
}

/** Tries of one destination at once: one that is silent leaves room for the others where there are more in all. */
const mostOfDestination = 32

const tries = counter('outbox_tries_total', 'Tries to deliver an event', ['outcome'])
for (const outcome of ['DELIVERED', 'PENDING', 'DEAD']) tries.inc({ outcome }, 0)
const oldest = gauge('outbox_due_oldest_seconds', 'How long the oldest event to be delivered has been due')

/**
 * Delivers at least once. The messages of one object go in the order of their versions: a later one waits until the one
 * before it was delivered, or given up. A given-up message does not block the others for ever: the receiver holds what
 * comes after the gap, until somebody replays it.
 */
export function delivering(options: DeliveringOptions): Worker {
  const { db, alert, concurrency = mostOfDestination, schedule, timeScale = 1 } = options
  return deliverMessages<DueEvent, HeldEvent>({
    ...options,
    ...{
      oldest,
      tries,
      concurrency,
      factsOf,
      rows: outboxTable,
      queue: deliverQueue,
      leaseSeconds: 30,
      givenUp: 'DEAD',
    },
    policy: { mostInFlight: mostOfDestination, pauseSchedule: null },
    take: (due, leaseUntil) => takeEvents(db, due, leaseUntil),
    attempt: (held) => correlated(held.correlationId, () => attempt(options, held)),
    nextTry: (tried) => nextTryAt(schedule, { ...tried, scale: timeScale }),
    async record(run, results) {
      const recorded = await recordAttempts(run, results)
      const ours = new Set(recorded.map(({ eventId }) => eventId))
      for (const { message, state, answer } of results)
        if (state === 'DEAD' && ours.has(message.eventId))
          alert('an event could not be delivered', { ...factsOf(message), attempt: message.attempt + 1, answer })
      return recorded.filter(({ frees }) => frees)
    },
  })
}

/** One try; never rejects. */
async function attempt(
  { seal, post, clock, log }: Pick<DeliveringOptions, 'seal' | 'post' | 'clock' | 'log'>,
  { bodySealed, leaseUntil: _, ...held }: HeldEvent,
): Promise<AttemptOutcome> {
  try {
    const raw = seal.open(bodySealed, outboxContext(held.partitionKey, held.eventId))
    const { status, headers } = await post({ ...held, raw, attempt: held.attempt + 1 })
    const answered = { words: String(status), retryAfter: retryAfter(headers['retry-after'], clock()), body: null }
    if (status >= 200 && status < 300) return { outcome: 'delivered', ...answered }
    const isWorthTrying = [408, 425, 429].includes(status) || status >= 500
    return { outcome: isWorthTrying ? 'failed' : 'refused', ...answered }
  } catch (error) {
    const errorId = uuidv4()
    const isOutside = error instanceof Unreached || isPassing(error)
    if (!isOutside) log.error({ err: error, errorId, eventId: held.eventId }, 'an event could not be sent')
    const words = isOutside ? messageOf(error) : whyOf(error, errorId)
    return { outcome: 'failed', words: words.slice(0, 300), retryAfter: null, body: null }
  }
}

const factsOf = ({ tenantId, partitionKey, eventId, type, entityType, entityId, entityVersion }: HeldEvent) => ({
  ...{ tenantId, partitionKey, eventId, type, entityType, entityId, entityVersion },
})
