// The next version of each object: reading it, and advancing it together with the outcomes of messages.
import { loader } from '@lendloom/postgres/loader'
import { partitionCondition } from '@lendloom/postgres/one-partition'
import { bigint, numberedRowsAs, rowsAs, text, uuid } from '@lendloom/postgres/rows'
import { type Db, type Fragment, sendAll, sql, type Tx } from '@lendloom/postgres/sql'
import type { InboxEntity, SenderPartition } from './inbox-rows.ts'

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
  const settled = ranges.flatMap((range) => range.eventIds.map((eventId) => ({ range, eventId })))
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
    from ${rowsAs(sql`settled`, settled, {
      tenantId: uuid(({ range }) => range.tenantId),
      caseRef: text(({ range }) => range.partitionKey),
      sender: text(({ range }) => range.sender),
      eventId: uuid(({ eventId }) => eventId),
    })}
    where (select count(*) from moved) = ${ranges.length}::integer
    returning 1`
  return rows.length === settled.length
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
