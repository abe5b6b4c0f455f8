// The delivery engine claims due messages, sends them and records the results.

import type { counter } from '@lendloom/foundation/metrics'
import type { FailedAttempt } from '@lendloom/foundation/schedule'
import { groupCommit, writeWithRetry } from '@lendloom/postgres/shared-commit'
import type { Run, Tx } from '@lendloom/postgres/sql'
import {
  type ClaimOptions,
  type Claims,
  claim,
  type DestinationKey,
  type DueMessage,
  destinationOf,
  type LeasedMessage,
  newClaims,
  nextMessage,
} from './delivery-claim.ts'
import { endAttempt, isReady, revertAttempt } from './destination.ts'
import { loop, spaceClaims, type Worker } from './worker-loop.ts'

/**
 * `failed` is retried by the schedule, `refused` is not. `gone`: the receiver answered 410. `absent`: the receiver was
 * removed or disabled. `interrupted`: this process had to stop. `answer` may be logged and shown to users.
 */
export interface AttemptOutcome {
  outcome: 'delivered' | 'failed' | 'refused' | 'gone' | 'absent' | 'interrupted'
  answer: string
  /** The time in the receiver's `Retry-After` header. */
  retryAfter: Date | null
  /** The beginning of the body that the receiver answered; null if the body is not stored. */
  body: Buffer | null
}

/** `dueAt` is null unless the message stays PENDING. */
export interface AttemptResult<Held> {
  message: Held
  /** False if no request was sent. The attempt then does not count. */
  wasSent: boolean
  state: 'PENDING' | 'DELIVERED' | 'STOPPED' | 'EXHAUSTED' | 'DEAD'
  dueAt: Date | null
  answer: string
  startedAt: Date
  /** End of the attempt. */
  at: Date
  tookMs: number
  body: Buffer | null
}

/** What differs between kinds of messages. */
export interface DeliveryOptions<Due extends DueMessage, Held extends LeasedMessage> extends ClaimOptions<Due, Held> {
  /** Maximum concurrent attempts. Beyond half of this number, every destination gets only one attempt at a time. */
  concurrency: number
  tries: ReturnType<typeof counter>
  /** The state of a message that is given up: refused, or without an attempt left. */
  givenUpState: 'EXHAUSTED' | 'DEAD'
  attempt(message: Held, startedAt: Date): Promise<AttemptOutcome>
  /** Returns the time of the next attempt; null after the last attempt. */
  nextTry(failedAttempt: FailedAttempt): Date | null
  /**
   * Records the results of attempts in one statement. Skips messages that another worker has claimed meanwhile. Returns
   * the destinations whose next message may be sent at once.
   */
  record(run: Run, results: AttemptResult<Held>[]): Promise<DestinationKey[]>
  /** Stops deliveries to a removed destination, in the transaction that records the result. */
  stop?(tx: Tx, result: AttemptResult<Held>): Promise<void>
  /** Returns facts about a message for the log. */
  factsOf(message: Held): object
}

/** Minimum time between two claims. */
const gatherMs = 10
/** A statement records up to 500 results, and a result waits 15 ms for further results. */
const recording = { concurrency: 1, maxItems: 500, gatherMs: 15 }

/**
 * Delivers each message at least once. After a crash, the messages of this process become due again when their lease
 * ends. `stop` waits at most `graceMs` for attempts in progress; unanswered messages are then due at once.
 */
export function deliverMessages<Due extends DueMessage, Held extends LeasedMessage>(
  options: DeliveryOptions<Due, Held>,
  graceMs = 4000,
): Worker {
  const { db, log, clock, queue, concurrency, policy } = options
  const claims = newClaims<Due>()
  const interrupts = new Set<() => void>()
  const record = recordingOf(options, claims)

  const claimNext = spaceClaims(gatherMs, (free) =>
    claim(options, claims, { free, isCrowded: interrupts.size > concurrency / 2 }),
  )

  async function handle(message: Held): Promise<void> {
    const began = performance.now()
    const startedAt = clock()
    let answered: AttemptOutcome | null = null
    try {
      answered = await interruptible(interrupts, options.attempt(message, startedAt))
    } finally {
      releaseDestination(message, answered, performance.now() - began)
    }
    const result = resultOf(options, message, answered, { startedAt, tookMs: Math.round(performance.now() - began) })
    if (result.wasSent) logAttempt(options, result)
    await record(result)
    if (result.dueAt) db.wakeAfter(queue, result.dueAt.getTime() - clock().getTime())
  }

  function releaseDestination(message: Held, answered: AttemptOutcome | null, tookMs: number): void {
    const destination = destinationOf(claims, message)
    const now = clock().getTime()
    if (answered === null || isUntried(answered)) revertAttempt(destination)
    else endAttempt(destination, { tookMs, now, succeeded: answered.outcome !== 'failed', policy })
    if (isReady(destination, now, policy)) db.wake(queue)
    else if (destination.pausedUntil > now) db.wakeAfter(queue, destination.pausedUntil - now)
  }

  const due = { clock, next: nextMessage(options.rows) }
  const worker = loop<Held>({ queue, db, log, due, concurrency, claim: claimNext, handle })
  return {
    async stop() {
      const graceTimer = setTimeout(() => interrupts.forEach((interrupt) => void interrupt()), graceMs)
      await worker.stop()
      await claims.oldRead
      clearTimeout(graceTimer)
    },
  }
}

/** Returns a function that records a result. A message whose result cannot be recorded is attempted again. */
const recordingOf = <Due extends DueMessage, Held extends LeasedMessage>(
  options: DeliveryOptions<Due, Held>,
  claims: Claims<Due>,
) =>
  groupCommit(async (results: AttemptResult<Held>[]) => {
    const unblocked = await commit(options, results)
    for (const each of unblocked) destinationOf(claims, each).hasMore = true
    if (unblocked.length > 0) options.db.wake(options.queue)
    return results.map(() => null)
  }, recording)

/** Adds a function to `interrupts` that ends the wait for the outcome. */
const interruptible = (interrupts: Set<() => void>, answer: Promise<AttemptOutcome>): Promise<AttemptOutcome> =>
  new Promise((resolve, reject) => {
    const interrupt = () =>
      resolve({ outcome: 'interrupted', answer: 'the worker was stopped', retryAfter: null, body: null })
    interrupts.add(interrupt)
    answer.then(resolve, reject).finally(() => interrupts.delete(interrupt))
  })

const isUntried = ({ outcome }: AttemptOutcome): boolean => outcome === 'absent' || outcome === 'interrupted'

type Schedule = Pick<DeliveryOptions<DueMessage, LeasedMessage>, 'clock' | 'nextTry' | 'givenUpState'>

/** The result of an attempt: what becomes of the message. */
export function resultOf<Held extends { attempt: number }>(
  { clock, nextTry, givenUpState }: Schedule,
  message: Held,
  answered: AttemptOutcome,
  times: { startedAt: Date; tookMs: number },
): AttemptResult<Held> {
  const { outcome, answer, retryAfter, body } = answered
  const at = clock()
  const attempt = { message, at, answer, wasSent: !isUntried(answered), dueAt: null, ...times, body }
  if (outcome === 'delivered') return { ...attempt, state: 'DELIVERED' }
  if (outcome === 'gone' || outcome === 'absent') return { ...attempt, state: 'STOPPED' }
  if (outcome === 'interrupted') return { ...attempt, state: 'PENDING', dueAt: at }
  const dueAt = outcome === 'failed' ? nextTry({ attempt: message.attempt + 1, at, retryAfter }) : null
  return dueAt ? { ...attempt, state: 'PENDING', dueAt } : { ...attempt, state: givenUpState }
}

function logAttempt<Held extends LeasedMessage>(
  { log, tries, factsOf }: Pick<DeliveryOptions<DueMessage, Held>, 'log' | 'tries' | 'factsOf'>,
  { message, state, answer, dueAt, at, tookMs: ms }: AttemptResult<Held>,
): void {
  tries.inc({ outcome: state })
  const seconds = (at.getTime() - message.createdAt.getTime()) / 1000
  const facts = { ...factsOf(message), attempt: message.attempt + 1, answer, ms, seconds }
  if (state === 'DELIVERED') log.info(facts, 'delivered')
  else if (state === 'PENDING') log.warn({ ...facts, dueAt }, 'not accepted; it will be retried')
  else log.error({ ...facts, state }, 'not accepted; it will not be retried')
}

/** Records results in one statement, or in a transaction when a destination must be stopped. */
async function commit<Held extends LeasedMessage>(
  { db, record, stop }: Pick<DeliveryOptions<DueMessage, Held>, 'db' | 'record' | 'stop'>,
  results: AttemptResult<Held>[],
): Promise<DestinationKey[]> {
  const stopped = results.filter(({ state }) => state === 'STOPPED')
  if (stopped.length === 0) return writeWithRetry(db, (run) => record(run, results))
  return db.tx(async (tx) => {
    const unblocked = await record(tx, results)
    for (const result of stopped) await stop?.(tx, result)
    return unblocked
  })
}
