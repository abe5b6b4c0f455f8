// Queries on the inbox tables: stored and waiting messages, next versions of objects, and outcomes.

import { parseJson } from '@lendloom/foundation/json'
import type { StoredTrace } from '@lendloom/foundation/trace'
import { loader } from '@lendloom/postgres/batch-loader'
import { uuids } from '@lendloom/postgres/binary-array'
import { partitionCondition } from '@lendloom/postgres/partition-condition'
import { bigint, integer, numberedRowsAs, rowsAs, text, timestamptz, uuid } from '@lendloom/postgres/rows'
import { type Db, Fragment, type Run, sendAll, sql, type Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'

export const applyQueue = 'inbox'

/** Binds sealed bytes to their message. */
export const inboxContext = (sender: string, eventId: string): string => `inbox/${sender}/${eventId}`

export interface InboundEvent {
  /** Taken from the sender's credential, never from the message alone. */
  sender: string
  eventId: string
  /** Messages of one partition are applied one after another. On Citus, no transaction spans two of them. */
  partitionKey: string
  entityType: string
  entityId: string
  /** Counts from 1 per sender and object. */
  entityVersion: number
  receivedAt: Date
}

export interface InboxEvent extends InboundEvent, StoredTrace {
  tenantId: string
  type: string
  /** The exact bytes that were received. */
  raw: Buffer
  /** The parsed JSON of `raw`. */
  body: unknown
}

/** Thrown by `apply` when a prerequisite may still arrive; holds the message until its partition advances (D3 §6). */
export class PrerequisiteError extends Error {}

/** Identifies a message in logs and alerts, without its content. */
export const factsOf = ({
  eventId,
  type,
  sender,
  partitionKey,
  entityType,
  entityId,
  entityVersion,
}: Partial<InboxEvent>) => ({
  eventId,
  ...(type !== undefined && { type }),
  sender,
  partitionKey,
  entityType,
  entityId,
  entityVersion,
})

export interface WaitingEvent extends InboundEvent {
  /** When the message could first not be applied; null for a new message. */
  stuckSince: Date | null
  /** How often the message failed; 0 when it waits for another message. */
  tries: number
  /** When operators were alerted; null before. */
  alertedAt: Date | null
}

// A claim has few messages, so that it ends well within its lease.
const maxPerPartition = 64
const maxPerClaim = 1024

const keyColumns = ['sender', 'case_ref', 'entity_type', 'entity_id', 'entity_version', 'event_id']
const keyOf = (table: string): Fragment =>
  new Fragment([keyColumns.map((column) => `${table}.${column}`).join(', ')], [])
const keyOfCandidate = keyOf('candidate')
const keyOfX = keyOf('x')
const keyOfW = keyOf('w')
const sameKey = new Fragment([keyColumns.map((column) => `w.${column} = k.${column}`).join(' and ')], [])

/**
 * Claims the due messages of some partitions, and messages there that wait for another message (`tries` is 0), even
 * before they are due. A new or failed message is due after its pause, or when the lease of another claim has ended.
 * Lower versions come first. Rows are identified by their key, because a `ctid` is not unique in a partitioned or
 * distributed table. Rows that another worker is claiming are skipped, so that two workers cannot deadlock.
 */
export const claimWaiting = (db: Run, at: Date, leaseUntil: Date, limit: number) => db<WaitingEvent>`
  with oldest as materialized (
    select sender, case_ref from inbox_waiting where due_at <= ${at} order by received_at limit ${limit}),
  k as materialized (
    select ${keyOfCandidate}, candidate.due_at
    from (select distinct sender, case_ref from oldest order by sender, case_ref) as part
    cross join lateral (
      (select ${keyOfX}, x.due_at from inbox_waiting x
       where x.sender = part.sender and x.case_ref = part.case_ref and x.due_at <= ${at} and x.stuck_since is null
       order by x.entity_type, x.entity_id, x.entity_version limit ${maxPerPartition})
      union all
      (select ${keyOfX}, x.due_at from inbox_waiting x
       where x.sender = part.sender and x.case_ref = part.case_ref and x.stuck_since is not null
         and (x.tries = 0 or x.due_at <= ${at})
       order by x.entity_version limit ${maxPerPartition})) as candidate
    limit ${maxPerClaim}),
  free as materialized (
    select ${keyOfW} from k join inbox_waiting w on ${sameKey} where w.due_at = k.due_at for update of w skip locked)
  update inbox_waiting w set due_at = ${leaseUntil} from free k where ${sameKey}
  returning w.sender, w.case_ref as partition_key, w.entity_type, w.entity_id, w.entity_version::float8 as entity_version, w.event_id,
    w.received_at, w.stuck_since, w.tries, w.alerted_at`

/** Selects the earliest due time among the 500 oldest and the 500 newest waiting messages. */
export const nextWaiting: Fragment = sql`
  select min(due_at) from (
    (select due_at from inbox_waiting order by received_at limit 500)
    union all (select due_at from inbox_waiting order by received_at desc limit 500)) as waiting`

export interface SenderPartition {
  tenantId: string
  partitionKey: string
  sender: string
}

export interface InboxEntity {
  entityType: string
  entityId: string
}

/** Names an object; unique within a partition. */
export const nameOf = ({ entityType, entityId }: InboxEntity): string => `${entityType}/${entityId}`

interface Body extends StoredTrace {
  type: string
  bodySealed: Buffer
}

/** Reads that arrive while a statement runs share the next statement. */
const oneAtATime = { concurrency: 1, maxItems: 64 }

type MessageKey = Pick<WaitingEvent, 'sender' | 'eventId'>

/** Returns a function that reads a stored message; concurrent reads are batched. */
export function eventReader(db: Db, seal: Seal): (sender: SenderPartition, row: WaitingEvent) => Promise<InboxEvent> {
  const bodyOf = bodyReader(db)
  return async ({ tenantId }, row) => {
    const body = await bodyOf(row)
    if (!body) throw new Error(`the body of ${row.eventId} does not exist`)
    const { sender, eventId, partitionKey, entityType, entityId, entityVersion, receivedAt } = row
    const { type, correlationId, traceparent } = body
    const raw = seal.open(body.bodySealed, inboxContext(sender, eventId))
    return {
      tenantId,
      sender,
      eventId,
      type,
      partitionKey,
      entityType,
      entityId,
      entityVersion,
      receivedAt,
      correlationId,
      traceparent,
      raw,
      body: parseJson(raw),
    }
  }
}

const bodyReader = (db: Db): ((key: MessageKey) => Promise<Body | undefined>) =>
  loader(async (keys: MessageKey[]) => {
    const rows = await db<MessageKey & Body>`
      select i.sender, i.event_id, i.event_type as type, i.body_sealed, i.correlation_id, i.traceparent
      from ${rowsAs(sql`requested`, keys, { sender: text((key) => key.sender), eventId: uuid((key) => key.eventId) })}
      join inbox i on i.sender = requested.sender and i.event_id = requested.event_id`
    const bodies = new Map(rows.map((row) => [`${row.sender}/${row.eventId}`, row]))
    return keys.map(({ sender, eventId }) => bodies.get(`${sender}/${eventId}`))
  }, oneAtATime)

/** Marks messages as superseded unless they have an outcome; returns the ids of the marked messages. */
export async function supersede(
  db: Run,
  { tenantId, partitionKey, sender }: SenderPartition,
  rows: WaitingEvent[],
  { reason, at }: { reason: string; at: Date },
): Promise<string[]> {
  const inserted = await db<{ eventId: string }>`
    insert into inbox_outcome (tenant_id, case_ref, sender, event_id, outcome, reason, settled_at)
    select ${tenantId}::uuid, ${partitionKey}::text, ${sender}::text, event_id, 'SUPERSEDED', ${reason}, ${at}::timestamptz
    from unnest(${uuids(rows.map(({ eventId }) => eventId))}::uuid[]) as input (event_id)
    on conflict do nothing returning event_id`
  return inserted.map(({ eventId }) => eventId)
}

/** Why a message still waits, and when to retry it. */
export interface Postponement {
  waiting: WaitingEvent
  because: string
  tries: number
  dueAt: Date
  stuckSince: Date | null
  alertedAt: Date | null
}

/** The outcomes of the messages of several partitions. */
export interface InboxResult {
  ended: WaitingEvent[]
  stuck: Postponement[]
  /** Partitions in which a message ended, so that stuck messages may be due now. */
  advanced: Pick<WaitingEvent, 'sender' | 'partitionKey'>[]
}

/** Updates the waiting messages after the effects are committed; idempotent. Returns whether one became due. */
export async function recordProgress(db: Run, { ended, stuck, advanced }: InboxResult, at: Date): Promise<boolean> {
  if (ended.length > 0) await deleteWaiting(db, ended)
  if (stuck.length > 0) await postponeWaiting(db, stuck)
  if (advanced.length === 0) return false
  const unblocked = await db`
    update inbox_waiting w set due_at = ${at}
    from ${rowsAs(sql`advanced`, advanced, {
      sender: text(({ sender }) => sender),
      caseRef: text(({ partitionKey }) => partitionKey),
    })}
    where w.sender = advanced.sender and w.case_ref = advanced.case_ref and w.stuck_since is not null and w.tries = 0
      and w.due_at > ${at} and not (w.event_id = any(${uuids(stuck.map(({ waiting }) => waiting.eventId))}::uuid[]))
    returning 1`
  return unblocked.length > 0
}

const deleteWaiting = (db: Run, rows: WaitingEvent[]) => db`
  delete from inbox_waiting w using ${keysOf(rows)} where ${sameKey}`

const postponeWaiting = (db: Run, stuck: Postponement[]) => db`
  update inbox_waiting w set due_at = input.due_at, stuck_since = input.stuck_since, stuck_because = input.because,
    tries = input.tries, alerted_at = input.alerted_at
  from ${rowsAs(sql`input`, stuck, {
    eventId: uuid(({ waiting }) => waiting.eventId),
    sender: text(({ waiting }) => waiting.sender),
    dueAt: timestamptz(({ dueAt }) => dueAt),
    stuckSince: timestamptz(({ stuckSince }) => stuckSince),
    because: text(({ because }) => because),
    tries: integer(({ tries }) => tries),
    alertedAt: timestamptz(({ alertedAt }) => alertedAt),
  })}
  join ${keysOf(stuck.map(({ waiting }) => waiting))} on k.event_id = input.event_id and k.sender = input.sender
  where ${sameKey}`

/** The keys of these rows, as the table `k`. */
const keysOf = (rows: WaitingEvent[]): Fragment =>
  rowsAs(sql`k`, rows, {
    sender: text((row) => row.sender),
    caseRef: text((row) => row.partitionKey),
    entityType: text((row) => row.entityType),
    entityId: text((row) => row.entityId),
    entityVersion: bigint((row) => row.entityVersion),
    eventId: uuid((row) => row.eventId),
  })

/** Returns a function that reads the next version of an object; undefined for a new object. */
export const nextReader = (db: Db): ((entity: SenderPartition & InboxEntity) => Promise<number | undefined>) =>
  loader(
    async (entities: (SenderPartition & InboxEntity)[]) => {
      const rows = await db<{ place: number; nextVersion: number }>`
        select requested.place::int as place, e.next_version::float8 as next_version
        from ${numberedRowsAs(sql`requested`, entities, {
          tenantId: uuid((entity) => entity.tenantId),
          caseRef: text((entity) => entity.partitionKey),
          sender: text((entity) => entity.sender),
          entityType: text((entity) => entity.entityType),
          entityId: text((entity) => entity.entityId),
        })}
        ${db.isDistributed ? joinEntities(entities.map((entity) => entity.partitionKey)) : lookUpEachKey}`
      const next = new Map(rows.map(({ place, nextVersion }) => [place - 1, nextVersion]))
      return entities.map((_, i) => next.get(i))
    },
    { maxItems: 512 },
  )

/** On one server, forces one index look-up per key, regardless of the planner's row estimate. */
const lookUpEachKey = sql`cross join lateral (
  select x.next_version from inbox_entity x
  where x.tenant_id = requested.tenant_id and x.case_ref = requested.case_ref and x.sender = requested.sender
    and x.entity_type = requested.entity_type and x.entity_id = requested.entity_id limit 1) as e`

/** On several servers, joins, because Citus cannot run the lateral look-up. */
const joinEntities = (partitionKeys: string[]): Fragment => sql`
  join inbox_entity e using (tenant_id, case_ref, sender, entity_type, entity_id)
  where ${partitionCondition(sql`e`, partitionKeys)}`

export interface VersionRange extends SenderPartition, InboxEntity {
  firstVersion: number
  eventIds: string[]
}

export interface VersionEnding {
  outcome: 'APPLIED' | 'FAILED'
  reason: string | null
  at: Date
}

/**
 * Records the outcome of messages with consecutive versions, and advances their objects, which stay locked in the given
 * order. Returns false if a next version is not the first of its range; the caller must then roll back.
 */
export async function advance(tx: Tx, ranges: VersionRange[], ending: VersionEnding): Promise<boolean> {
  if (tx.isDistributed) {
    const moved = await Promise.all(ranges.map((range) => advanceDistributed(tx, range, ending)))
    return moved.every(Boolean)
  }
  const { outcome, reason, at } = ending
  const ended = ranges.flatMap((range) => range.eventIds.map((eventId) => ({ range, eventId })))
  const rows = await tx`
    with range as materialized (
      select r.tenant_id, r.case_ref, r.sender, r.entity_type, r.entity_id, r.first_version, r.next_version, r.place
      from ${numberedRowsAs(sql`r`, ranges, {
        tenantId: uuid((range) => range.tenantId),
        caseRef: text((range) => range.partitionKey),
        sender: text((range) => range.sender),
        entityType: text((range) => range.entityType),
        entityId: text((range) => range.entityId),
        firstVersion: bigint((range) => range.firstVersion),
        nextVersion: bigint((range) => range.firstVersion + range.eventIds.length),
      })}),
    moved as (
      insert into inbox_entity (tenant_id, case_ref, sender, entity_type, entity_id, next_version)
      select tenant_id, case_ref, sender, entity_type, entity_id, next_version from range order by place
      on conflict on constraint inbox_entity_pkey do update set next_version = excluded.next_version
      where inbox_entity.next_version = (
        select r.first_version from range r
        where r.tenant_id = inbox_entity.tenant_id and r.case_ref = inbox_entity.case_ref and r.sender = inbox_entity.sender
          and r.entity_type = inbox_entity.entity_type and r.entity_id = inbox_entity.entity_id)
      returning 1)
    insert into inbox_outcome (tenant_id, case_ref, sender, event_id, outcome, reason, settled_at)
    select tenant_id, case_ref, sender, event_id, ${outcome}::text, ${reason}::text, ${at}::timestamptz
    from ${rowsAs(sql`ended`, ended, {
      tenantId: uuid(({ range }) => range.tenantId),
      caseRef: text(({ range }) => range.partitionKey),
      sender: text(({ range }) => range.sender),
      eventId: uuid(({ eventId }) => eventId),
    })}
    where (select count(*) from moved) = ${ranges.length}::integer
    returning 1`
  return rows.length === ended.length
}

async function advanceDistributed(
  tx: Tx,
  { tenantId, partitionKey, sender, entityType, entityId, firstVersion, eventIds }: VersionRange,
  { outcome, reason, at }: VersionEnding,
): Promise<boolean> {
  const outcomeInserts = eventIds.map(
    (eventId) => sql`
      insert into inbox_outcome ${tx({
        tenantId,
        caseRef: partitionKey,
        sender,
        eventId,
        outcome,
        reason,
        settledAt: at,
      })}
      on conflict on constraint inbox_outcome_pkey do nothing`,
  )
  const [moved] = await Promise.all([
    tx`
      insert into inbox_entity ${tx({
        tenantId,
        caseRef: partitionKey,
        sender,
        entityType,
        entityId,
        nextVersion: firstVersion + eventIds.length,
      })}
      on conflict on constraint inbox_entity_pkey do update set next_version = excluded.next_version
      where inbox_entity.next_version = ${firstVersion}
      returning 1`,
    sendAll(tx, outcomeInserts),
  ])
  return moved.length > 0
}
