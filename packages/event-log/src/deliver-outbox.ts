// Delivers the events of the outbox: posts due events, records the answers, and alerts operators about given-up events.

import type { Clock } from '@lendloom/foundation/clock'
import type { Log } from '@lendloom/foundation/log'
import { counter, gauge } from '@lendloom/foundation/metrics'
import { publicMessageOf } from '@lendloom/foundation/refusal'
import { nextTryAt, retryAfter, type Schedule } from '@lendloom/foundation/schedule'
import { messageOf } from '@lendloom/foundation/thrown'
import { continueTrace, type SpanFacts, type StoredTrace } from '@lendloom/foundation/trace'
import { isRetryable, isSuccess, UnreachableError } from '@lendloom/http/client'
import type { Alert } from '@lendloom/mail/mail'
import { partitionCondition } from '@lendloom/postgres/partition-condition'
import { integer, rowsAs, text, timestamptz, uuid } from '@lendloom/postgres/rows'
import { type Db, type Fragment, isTransient, type Run, sql } from '@lendloom/postgres/sql'
import type { DeliveryTable, DestinationKey, DueMessage, LeasedMessage } from '@lendloom/queue/delivery-claim'
import { type AttemptOutcome, type AttemptResult, deliverMessages } from '@lendloom/queue/delivery-engine'
import type { Worker } from '@lendloom/queue/worker-loop'
import { uuidv4 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'

/** The queue that wakes the workers of the outbox. */
export const deliverQueue = 'outbox'

/** Binds sealed bytes to their event. */
export const outboxContext = (partitionKey: string, eventId: string): string => `outbox/${partitionKey}/${eventId}`

export interface EventKey {
  tenantId: string
  partitionKey: string
  eventId: string
}

/** A due event whose object has no earlier pending event. */
interface DueEvent extends EventKey, DueMessage {}

interface LeasedEvent extends EventKey, LeasedMessage, StoredTrace {
  type: string
  entityType: string
  entityId: string
  entityVersion: number
  bodySealed: Buffer
}

/** A claimed event, as `post` receives it. */
export interface OutboundEvent extends Omit<LeasedEvent, 'bodySealed' | 'leaseUntil' | 'attempt'> {
  /** The exact bytes to send. */
  raw: Buffer
  /** The number of this attempt, counted from 1. */
  attempt: number
}

export interface ReceiverAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
}

export interface OutboxWorkerOptions {
  db: Db
  seal: Seal
  clock: Clock
  log: Log
  /** Called when an event is given up. */
  alert: Alert
  /**
   * Signs the bytes and posts them within ten seconds. Throws `UnreachableError` when the receiver does not answer. A
   * 2xx status means that the event is delivered. Statuses 408, 425, 429 and 5xx, and a missing answer, are retried.
   * Every other status is final.
   */
  post(event: OutboundEvent): Promise<ReceiverAnswer>
  /** Retry schedule of an event that the receiver did not accept. */
  schedule: Schedule
  /** Multiplies the pauses of the schedule; 1 by default. */
  timeScale?: number
  /** Maximum number of concurrent attempts of this process. */
  concurrency?: number
}

/** Condition: no earlier event of the object of event `d` is pending. */
const isNext = sql`
  (select 1 from outbox ahead
   where ahead.tenant_id = d.tenant_id and ahead.case_ref = d.case_ref and ahead.entity_type = d.entity_type
     and ahead.entity_id = d.entity_id and ahead.entity_version < d.entity_version and ahead.state = 'PENDING' limit 1) is null`

const outboxTable: DeliveryTable = {
  table: sql`outbox`,
  key: sql`tenant_id, case_ref as partition_key, event_id`,
  isNext,
  matchesDestination: ({ destinationId }) => sql`destination_id = ${destinationId}`,
}

/** Maximum concurrent attempts per destination, so that a destination without answers leaves attempts for others. */
const maxPerDestination = 32

const tries = counter('outbox_tries_total', 'Tries to deliver an event', ['outcome'])
for (const outcome of ['DELIVERED', 'PENDING', 'DEAD']) tries.inc({ outcome }, 0)
const oldest = gauge('outbox_due_oldest_seconds', 'How long the oldest event to be delivered has been due')

/**
 * Delivers each event at least once. Events of one object are sent in the order of their versions: each event waits
 * until its predecessor is delivered or given up. After a given-up event, the receiver holds the later events of the
 * object until an operator replays it.
 */
export function outboxWorker(options: OutboxWorkerOptions): Worker {
  const { db, alert, concurrency = maxPerDestination, schedule, timeScale = 1 } = options
  return deliverMessages<DueEvent, LeasedEvent>({
    ...options,
    oldest,
    tries,
    concurrency,
    factsOf,
    rows: outboxTable,
    queue: deliverQueue,
    leaseSeconds: 30,
    givenUpState: 'DEAD',
    policy: { maxInFlight: maxPerDestination, pauseSchedule: null },
    leaseDue: (due, leaseUntil) => claimEvents(db, due, leaseUntil),
    attempt: (event) => continueTrace(event, spanOf(event), () => attempt(options, event)),
    nextTry: (failedTry) => nextTryAt(schedule, { ...failedTry, scale: timeScale }),
    async record(run, results) {
      const recorded = await recordAttempts(run, results)
      const recordedIds = new Set(recorded.map(({ eventId }) => eventId))
      for (const { message, state, answer } of results)
        if (state === 'DEAD' && recordedIds.has(message.eventId))
          alert('an event could not be delivered', { ...factsOf(message), attempt: message.attempt + 1, answer })
      return recorded.filter(({ hasSuccessor }) => hasSuccessor)
    },
  })
}

const spanOf = ({ eventId, type, attempt }: LeasedEvent): SpanFacts => ({
  name: `deliver ${type}`,
  kind: 'producer',
  attributes: { 'lendloom.event_id': eventId, 'lendloom.attempt': attempt + 1 },
})

/** Makes one attempt; never rejects. */
async function attempt(
  { seal, post, clock, log }: Pick<OutboxWorkerOptions, 'seal' | 'post' | 'clock' | 'log'>,
  { bodySealed, leaseUntil: _, ...event }: LeasedEvent,
): Promise<AttemptOutcome> {
  try {
    const raw = seal.open(bodySealed, outboxContext(event.partitionKey, event.eventId))
    const { status, headers } = await post({ ...event, raw, attempt: event.attempt + 1 })
    const answered = { answer: String(status), retryAfter: retryAfter(headers['retry-after'], clock()), body: null }
    if (isSuccess(status)) return { outcome: 'delivered', ...answered }
    return { outcome: isRetryable(status) ? 'failed' : 'refused', ...answered }
  } catch (error) {
    const errorId = uuidv4()
    const isExternal = error instanceof UnreachableError || isTransient(error)
    if (!isExternal) log.error({ err: error, errorId, eventId: event.eventId }, 'an event could not be sent')
    const answer = isExternal ? messageOf(error) : publicMessageOf(error, errorId)
    return { outcome: 'failed', answer: answer.slice(0, 300), retryAfter: null, body: null }
  }
}

const factsOf = ({ tenantId, partitionKey, eventId, type, entityType, entityId, entityVersion }: LeasedEvent) => ({
  tenantId,
  partitionKey,
  eventId,
  type,
  entityType,
  entityId,
  entityVersion,
})

/** Claims events by compare-and-set on `due_at`, so that only one worker gets each; returns the claimed events. */
const claimEvents = (db: Run, due: DueEvent[], leaseUntil: Date): Promise<LeasedEvent[]> => db<LeasedEvent>`
  update outbox d set due_at = ${leaseUntil}
  from ${rowsAs(sql`seen`, due, {
    tenantId: uuid((event) => event.tenantId),
    caseRef: text((event) => event.partitionKey),
    eventId: uuid((event) => event.eventId),
    dueAt: timestamptz((event) => event.dueAt),
  })}
  where ${sameKey(sql`seen`)} and d.due_at = seen.due_at and ${isNext} and ${ofPartition(sql`d`, due)}
  returning d.tenant_id, d.case_ref as partition_key, d.event_id, d.destination_id, d.event_type as type, d.entity_type,
    d.entity_id, d.entity_version::float8 as entity_version, d.body_sealed, d.attempt, d.due_at as lease_until,
    d.correlation_id, d.traceparent, d.created_at`

interface RecordedEvent extends DestinationKey {
  eventId: string
  /** Whether a later event of the object was waiting for this event. */
  hasSuccessor: boolean
}

/** Records the results of attempts, and returns these events. Skips events that another worker has claimed. */
function recordAttempts(db: Run, results: AttemptResult<LeasedEvent>[]): Promise<RecordedEvent[]> {
  const events = results.map(({ message }) => message)
  return db<RecordedEvent>`
    with recorded as (
      update outbox d set state = input.state, due_at = input.due_at, attempt = d.attempt + input.tries, last_answer = input.answer,
        last_attempt_at = case when input.tries > 0 then input.at else d.last_attempt_at end,
        delivered_at = case when input.state = 'DELIVERED' then input.at else d.delivered_at end,
        dead_at = case when input.state = 'DEAD' then input.at end
      from ${rowsAs(sql`input`, results, {
        tenantId: uuid(({ message }) => message.tenantId),
        caseRef: text(({ message }) => message.partitionKey),
        eventId: uuid(({ message }) => message.eventId),
        leaseUntil: timestamptz(({ message }) => message.leaseUntil),
        state: text(({ state }) => state),
        dueAt: timestamptz(({ dueAt }) => dueAt),
        answer: text(({ answer }) => answer),
        at: timestamptz(({ at }) => at),
        tries: integer(({ wasSent }) => (wasSent ? 1 : 0)),
      })}
      where ${sameKey(sql`input`)} and d.due_at = input.lease_until and ${ofPartition(sql`d`, events)}
      returning d.tenant_id, d.case_ref, d.event_id, d.destination_id, d.entity_type, d.entity_id, d.entity_version, d.state)
    select tenant_id, destination_id, event_id, false as has_successor from recorded
    union
    select r.tenant_id, r.destination_id, r.event_id, true from recorded r
    join outbox next on next.tenant_id = r.tenant_id and next.case_ref = r.case_ref and next.entity_type = r.entity_type
      and next.entity_id = r.entity_id and next.entity_version > r.entity_version and next.state = 'PENDING'
    where r.state <> 'PENDING' and ${ofPartition(sql`next`, events)}`
}

const ofPartition = (table: Fragment, keys: EventKey[]): Fragment =>
  partitionCondition(
    table,
    keys.map((key) => key.partitionKey),
  )
const sameKey = (as: Fragment): Fragment =>
  sql`d.tenant_id = ${as}.tenant_id and d.case_ref = ${as}.case_ref and d.event_id = ${as}.event_id`
