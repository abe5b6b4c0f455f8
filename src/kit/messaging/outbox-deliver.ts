// The worker that delivers: takes what is due, posts it, writes down the answer, and tells operators when it gives up.

import { setTimeout as sleep } from 'node:timers/promises'
import { uuidv4 } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { groupCommit } from '#kit/db/group-commit.ts'
import { type Db, isPassing } from '#kit/db/sql.ts'
import { Unreached } from '#kit/http/client.ts'
import { whyOf } from '#kit/http/refusal.ts'
import { type Clock, secondsAfter } from '#kit/runtime/clock.ts'
import type { Log } from '#kit/runtime/log.ts'
import type { Alert } from '#kit/runtime/mail.ts'
import { counter, gauge } from '#kit/runtime/metrics.ts'
import { messageOf } from '#kit/runtime/narrow.ts'
import { traced } from '#kit/runtime/trace.ts'
import { loop, type Worker, wakeSoon } from './loop.ts'
import {
  type AttemptResult,
  type DueEvent,
  deliverQueue,
  dueEvents,
  type EventKey,
  type HeldEvent,
  type Move,
  moveEvents,
  nextEvent,
  outboxContext,
  recordAttempts,
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
  /** Where an event goes. Each destination has half of the tries at once at most: one that is silent leaves room for the others. */
  destinationOf?(event: EventKey): Promise<string>
  /** When an event that was not taken is tried again. */
  schedule: Schedule
  /** What the pauses are multiplied with: 1 unless told. */
  timeScale?: number
  /** Tries of this process at once. */
  concurrency?: number
}

/** Longer than a try and the record of its answer together; after a crash, what was held comes back then. */
const leaseSeconds = 30
/** What waits behind one in flight is let go by its answer; this is for the answer that just missed it. */
const behindSeconds = 1
/** What waits for a destination that keeps silent lets others go first for so long. */
const makeWaySeconds = 5
const batch = 128
/** How long `stop` waits for tries under way; what is unanswered then comes back with its lease. */
const graceMs = 4000

const tries = counter('outbox_tries_total', 'Tries to deliver an event', ['outcome'])
for (const outcome of ['DELIVERED', 'PENDING', 'DEAD']) tries.inc({ outcome }, 0)
const oldestDue = gauge('outbox_due_oldest_seconds', 'How long the oldest event to be delivered has been due')

/**
 * Delivers at least once. The messages of one object go in the order of their versions: a later one waits until the one
 * before it was delivered, or given up. A given-up message does not block the others for ever: the receiver holds what
 * comes after the gap, until somebody replays it.
 */
export function delivering(options: DeliveringOptions): Worker {
  const { db, clock, log, concurrency = 32 } = options
  const shares = sharesOf(options, concurrency)
  const record = groupCommit((results: AttemptResult[]) => recordAttempts(db, results), { most: batch })

  async function claim(free: number): Promise<HeldEvent[]> {
    // Some more than there is room for, because some may be behind others.
    const most = Math.min(batch, free * 4)
    for (;;) {
      const at = clock()
      const due = await dueEvents(db, at, most)
      oldestDue.set(due[0] ? (at.getTime() - due[0].dueAt.getTime()) / 1000 : 0)
      if (due.length === 0) return []
      const moves = movesOf(due, at, free, await shares.turnsOf(due))
      const taken = moves.length > 0 ? await moveEvents(db, moves) : []
      await shares.begin(taken)
      if (taken.length > 0 || moves.length === 0 || due.length < most) return taken
    }
  }

  async function handle(held: HeldEvent): Promise<void> {
    const { correlationId } = held
    const answered = await traced(correlationId === null ? undefined : { correlationId }, () => attempt(options, held))
    shares.end(held)
    const result = resultOf(held, answered, clock(), options)
    const isOurs = await record(result)
    logAttempt(log, result)
    if (result.dueAt) wakeSoon(db, deliverQueue, result.dueAt.getTime() - clock().getTime())
    if (result.state === 'PENDING' || !isOurs) return
    db.wake(deliverQueue)
    if (result.state === 'DEAD')
      options.alert('an event could not be delivered', { ...factsOf(held), answer: result.answer })
  }

  const worker = loop<HeldEvent>({
    queue: deliverQueue,
    db,
    log,
    due: { clock, next: nextEvent },
    concurrency,
    claim,
    handle,
  })
  return { stop: () => Promise.race([worker.stop(), sleep(graceMs, undefined, { ref: false })]) }
}

/** One try; never rejects. */
async function attempt(
  { seal, post, clock, log }: Pick<DeliveringOptions, 'seal' | 'post' | 'clock' | 'log'>,
  { bodySealed, leaseUntil: _, ...held }: HeldEvent,
): Promise<AttemptAnswer> {
  try {
    const raw = seal.open(bodySealed, outboxContext(held.partitionKey, held.eventId))
    const { status, headers } = await post({ ...held, raw, attempt: held.attempt + 1 })
    return { status, words: String(status), retryAfter: retryAfter(headers['retry-after'], clock()) }
  } catch (error) {
    const errorId = uuidv4()
    const isOutside = error instanceof Unreached || isPassing(error)
    if (!isOutside) log.error({ err: error, errorId, eventId: held.eventId }, 'an event could not be sent')
    const words = isOutside ? messageOf(error) : whyOf(error, errorId)
    return { status: null, words: words.slice(0, 300), retryAfter: null }
  }
}

/** May be taken · is left for later, as answers come soon · makes way for others, as no answer comes. */
type Turn = 'take' | 'leave' | 'make way'

/** How long a destination whose share is used up may keep silent before its events make way. */
const silentAfterMs = 1000

/** Which tries are under way to each destination, and since when in milliseconds. */
function sharesOf({ destinationOf: given }: Pick<DeliveringOptions, 'destinationOf'>, concurrency: number) {
  const destinationOf = given ?? (async () => '')
  const most = given ? Math.ceil(concurrency / 2) : concurrency
  const inFlight = new Map<string, { destination: string; since: number }>()
  return {
    /** Each event that may be taken is counted on. */
    async turnsOf(due: DueEvent[]): Promise<(one: DueEvent) => Turn> {
      const found = new Map(await Promise.all(due.map(async (one) => [one.eventId, await destinationOf(one)] as const)))
      const begun = new Map<string, number[]>()
      for (const { destination, since } of inFlight.values())
        begun.set(destination, [...(begun.get(destination) ?? []), since])
      const now = performance.now()
      return ({ eventId }) => {
        const destination = found.get(eventId) ?? ''
        const sinces = begun.get(destination) ?? []
        if (sinces.length >= most) return now - Math.max(...sinces) > silentAfterMs ? 'make way' : 'leave'
        begun.set(destination, [...sinces, now])
        return 'take'
      }
    },
    async begin(taken: HeldEvent[]): Promise<void> {
      for (const held of taken)
        inFlight.set(held.eventId, { destination: await destinationOf(held), since: performance.now() })
    },
    end: ({ eventId }: HeldEvent): void => void inFlight.delete(eventId),
  }
}

interface AttemptAnswer {
  /** Null when there was no answer. */
  status: number | null
  words: string
  retryAfter: Date | null
}

function movesOf(due: DueEvent[], at: Date, free: number, turnOf: (one: DueEvent) => Turn): Move[] {
  let taken = 0
  return due.flatMap((one): Move[] => {
    if (one.aheadDueAt !== null) return [{ due: one, until: behind(one.aheadDueAt, at), take: false }]
    if (taken === free) return []
    const turn = turnOf(one)
    if (turn === 'make way') return [{ due: one, until: secondsAfter(at, makeWaySeconds), take: false }]
    if (turn === 'leave') return []
    taken++
    return [{ due: one, until: secondsAfter(at, leaseSeconds), take: true }]
  })
}

/** One that waits for its next try is waited for; one that is in flight or about to be is looked at again soon. */
const behind = (aheadDueAt: Date, at: Date): Date =>
  aheadDueAt > secondsAfter(at, leaseSeconds) ? aheadDueAt : secondsAfter(at, behindSeconds)

const isWorthTrying = (status: number | null): boolean =>
  status === null || [408, 425, 429].includes(status) || status >= 500

function resultOf(
  event: HeldEvent,
  { status, words, retryAfter: retryAt }: AttemptAnswer,
  at: Date,
  { schedule, timeScale = 1 }: Pick<DeliveringOptions, 'schedule' | 'timeScale'>,
): AttemptResult {
  const attempt = { event, at, answer: words, dueAt: null }
  if (status !== null && status >= 200 && status < 300) return { ...attempt, state: 'DELIVERED' }
  const tried = { attempt: event.attempt + 1, at, retryAfter: retryAt, scale: timeScale }
  const dueAt = isWorthTrying(status) ? nextTryAt(schedule, tried) : null
  return dueAt ? { ...attempt, state: 'PENDING', dueAt } : { ...attempt, state: 'DEAD' }
}

const factsOf = ({
  tenantId,
  partitionKey,
  eventId,
  type,
  entityType,
  entityId,
  entityVersion,
  attempt,
}: HeldEvent) => ({
  ...{ tenantId, partitionKey, eventId, type, entityType, entityId, entityVersion, attempt: attempt + 1 },
})

/** One line a try, found by the event's id. */
function logAttempt(log: Log, { event, state, answer, dueAt, at }: AttemptResult): void {
  tries.inc({ outcome: state })
  const facts = { ...factsOf(event), answer, seconds: (at.getTime() - event.createdAt.getTime()) / 1000 }
  if (state === 'DELIVERED') log.info(facts, 'delivered')
  else if (state === 'PENDING') log.warn({ ...facts, dueAt }, 'not taken; it will be tried again')
  else log.error(facts, 'not taken; it will not be tried again')
}
