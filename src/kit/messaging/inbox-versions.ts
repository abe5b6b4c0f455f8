// The next version of each object: reading it, and advancing it together with the outcomes of messages.
import { bigints, texts, uuids } from '#kit/db/insert.ts'
import { loader } from '#kit/db/loader.ts'
import { partitionCondition } from '#kit/db/one-partition.ts'
import { type Db, type Fragment, sendAll, sql, type Tx } from '#kit/db/sql.ts'
import type { InboxEntity, SenderPartition } from './inbox-rows.ts'

/** Returns a function that reads the next version of an object; undefined for a new object. */
export const nextReader = (db: Db): ((entity: SenderPartition & InboxEntity) => Promise<number | undefined>) =>
  loader(
    async (entities: (SenderPartition & InboxEntity)[]) => {
      const partitionKeys = entities.map((entity) => entity.partitionKey)
      const rows = await db<{ place: number; nextVersion: number }>`
        select requested.place::int as place, e.next_version::float8 as next_version
        from unnest(${uuids(entities.map((entity) => entity.tenantId))}::uuid[], ${texts(partitionKeys)}::text[],
          ${texts(entities.map((entity) => entity.sender))}::text[], ${texts(entities.map((entity) => entity.entityType))}::text[],
          ${texts(entities.map((entity) => entity.entityId))}::text[])
          with ordinality as requested (tenant_id, case_ref, sender, entity_type, entity_id, place)
        ${db.isDistributed ? joinEntities(partitionKeys) : lookUpEachKey}`
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

export interface VersionOutcome {
  outcome: 'APPLIED' | 'FAILED'
  reason: string | null
  at: Date
}

/**
 * Records the outcome of messages with consecutive versions, and advances their objects, which stay locked in the given
 * order. Returns false if a next version is not the first of its range; the caller must then roll back.
 */
export async function advance(tx: Tx, ranges: VersionRange[], settlement: VersionOutcome): Promise<boolean> {
  if (tx.isDistributed) {
    const moved = await Promise.all(ranges.map((range) => advanceDistributed(tx, range, settlement)))
    return moved.every(Boolean)
  }
  const { outcome, reason, at } = settlement
  const ids = ranges.flatMap(({ eventIds }) => eventIds)
  const ofEvents = (pick: (range: VersionRange) => string): string[] =>
    ranges.flatMap((range) => range.eventIds.map(() => pick(range)))
  const rows = await tx`
    with range as materialized (
      select r.tenant_id, r.case_ref, r.sender, r.entity_type, r.entity_id, r.first_version, r.next_version, r.place
      from unnest(${uuids(ranges.map((range) => range.tenantId))}::uuid[], ${texts(ranges.map((range) => range.partitionKey))}::text[],
        ${texts(ranges.map((range) => range.sender))}::text[], ${texts(ranges.map((range) => range.entityType))}::text[],
        ${texts(ranges.map((range) => range.entityId))}::text[], ${bigints(ranges.map((range) => range.firstVersion))}::bigint[],
        ${bigints(ranges.map((range) => range.firstVersion + range.eventIds.length))}::bigint[]) with ordinality
        as r (tenant_id, case_ref, sender, entity_type, entity_id, first_version, next_version, place)),
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
    from unnest(${uuids(ofEvents((range) => range.tenantId))}::uuid[], ${texts(ofEvents((range) => range.partitionKey))}::text[],
      ${texts(ofEvents((range) => range.sender))}::text[], ${uuids(ids)}::uuid[]) as settled (tenant_id, case_ref, sender, event_id)
    where (select count(*) from moved) = ${ranges.length}::integer
    returning 1`
  return rows.length === ids.length
}

async function advanceDistributed(
  tx: Tx,
  { tenantId, partitionKey, sender, entityType, entityId, firstVersion, eventIds }: VersionRange,
  { outcome, reason, at }: VersionOutcome,
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
