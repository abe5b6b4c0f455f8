// The rows behind applying: what waits, in whose hands it is, which version is next, and what became of it.
import { bigints, instants, texts, uuids } from './binary-array.ts'
import { loader } from './loader.ts'
import { type Db, type Fragment, type Run, sql, type Tx } from './sql.ts'

/** The queue that a stored message wakes. */
export const applyQueue = 'inbox'

/** Where the sealed bytes of a message belong. */
export const inboxContext = (sender: string, eventId: string): string => `inbox/${sender}/${eventId}`

/** A message that is not settled yet. */
export interface Waiting {
  sender: string
  caseRef: string
  entityType: string
  entityId: string
  entityVersion: number
  eventId: string
  receivedAt: Date
  stuckSince: Date | null
  tries: number
  alertedAt: Date | null
}

/** So many of one case are looked at together, and so many altogether: a transaction ends, and so does a lease. */
const [mostOfCase, mostAtOnce] = [64, 1024]

/**
 * Takes what is due, by case, and with it what waits there for something before it, for its turn may have come. What
 * somebody else holds, and what failed and has its own time, is not due. The lowest versions of a case come first.
 *
 * Rows are found through their index and then named by their place (`ctid`): joined by their key, a queue of some thousand
 * would be read whole every time. A row that somebody else has moved meanwhile is at another place, and so not taken.
 */
export const claimWaiting = (db: Run, at: Date, leaseUntil: Date, limit: number) => db<Waiting>`
  with oldest as materialized (
    select sender, case_ref from inbox_waiting where due_at <= ${at} order by received_at limit ${limit})
  update inbox_waiting w set due_at = ${leaseUntil}
  where w.ctid = any(array(
    select each.place from (select distinct sender, case_ref from oldest) as one
    cross join lateral (
      select x.ctid as place from inbox_waiting x
      where x.sender = one.sender and x.case_ref = one.case_ref
        and (x.due_at <= ${at} or (x.stuck_since is not null and x.tries = 0))
      order by (x.stuck_since is not null), x.entity_version limit ${mostOfCase}) as each
    limit ${mostAtOnce}))
  returning w.sender, w.case_ref, w.entity_type, w.entity_id, w.entity_version::float8 as entity_version, w.event_id,
    w.received_at, w.stuck_since, w.tries, w.alerted_at`

export interface Body {
  type: string
  bodySealed: Buffer
  correlationId: string | null
}

type MessageKey = Pick<Waiting, 'sender' | 'eventId'>

/** Reads bodies; those that are asked for at the same time are read together. */
export const bodyReader = (db: Db): ((key: MessageKey) => Promise<Body | undefined>) =>
  loader(async (keys: MessageKey[]) => {
    const rows = await db<MessageKey & Body>`
      select i.sender, i.event_id, i.event_type as type, i.body_sealed, i.correlation_id
      from unnest(${texts(keys.map((key) => key.sender))}::text[], ${uuids(keys.map((key) => key.eventId))}::uuid[])
        as asked (sender, event_id)
      join inbox i on i.sender = asked.sender and i.event_id = asked.event_id`
    const found = new Map(rows.map((row) => [`${row.sender}/${row.eventId}`, row]))
    return keys.map(({ sender, eventId }) => found.get(`${sender}/${eventId}`))
  })

/** The case of a sender's messages. */
export interface Line {
  tenantId: string
  caseRef: string
  sender: string
}

export interface Entity {
  entityType: string
  entityId: string
}
interface Next extends Entity {
  nextVersion: number
}

/** Locks the objects in the order of their names, and gives the version that is next for each: 1 for one that is new. */
export async function lockEntities(tx: Tx, line: Line, entities: Entity[]): Promise<Next[]> {
  const known = await lockKnown(tx, line, entities)
  if (known.length === entities.length) return known
  const added = await addEntities(tx, line, entities)
  if (known.length + added.length === entities.length) return [...known, ...added]
  // Another transaction has just added some.
  return lockKnown(tx, line, entities)
}

const namesOf = (entities: Entity[]): Fragment => sql`
  unnest(${texts(entities.map((one) => one.entityType))}::text[], ${texts(entities.map((one) => one.entityId))}::text[])`

const lockKnown = (tx: Tx, { tenantId, caseRef, sender }: Line, entities: Entity[]) => tx<Next>`
  select e.entity_type, e.entity_id, e.next_version::float8 as next_version
  from inbox_entity e
  where e.tenant_id = ${tenantId} and e.case_ref = ${caseRef} and e.sender = ${sender}
    and (e.entity_type, e.entity_id) in (select * from ${namesOf(entities)})
  order by e.entity_type, e.entity_id for update of e`

const addEntities = (tx: Tx, { tenantId, caseRef, sender }: Line, entities: Entity[]) => tx<Next>`
  insert into inbox_entity (tenant_id, case_ref, sender, entity_type, entity_id, next_version)
  select ${tenantId}::uuid, ${caseRef}::text, ${sender}::text, entity_type, entity_id, 1
  from ${namesOf(entities)} as one (entity_type, entity_id) order by entity_type, entity_id
  on conflict do nothing returning entity_type, entity_id, next_version::float8 as next_version`

/** Which of these were settled before. */
export async function settledBefore(tx: Run, line: Line, eventIds: string[]): Promise<Set<string>> {
  const rows = await tx<{ eventId: string }>`
    select event_id from inbox_outcome where tenant_id = ${line.tenantId} and case_ref = ${line.caseRef}
      and sender = ${line.sender} and event_id = any(${uuids(eventIds)}::uuid[])`
  return new Set(rows.map(({ eventId }) => eventId))
}

export interface Outcome {
  eventId: string
  outcome: 'APPLIED' | 'FAILED' | 'SUPERSEDED'
  reason: string | null
}

/** Writes down what became of messages and which versions are next, in the transaction of their effect. */
export const recordOutcomes = (
  tx: Tx,
  { tenantId, caseRef, sender }: Line,
  outcomes: Outcome[],
  next: Next[],
  at: Date,
) => tx`
  with moved as (
    update inbox_entity e set next_version = said.next_version
    from unnest(${texts(next.map((one) => one.entityType))}::text[], ${texts(next.map((one) => one.entityId))}::text[],
      ${bigints(next.map((one) => one.nextVersion))}::bigint[]) as said (entity_type, entity_id, next_version)
    where e.tenant_id = ${tenantId} and e.case_ref = ${caseRef} and e.sender = ${sender}
      and e.entity_type = said.entity_type and e.entity_id = said.entity_id)
  insert into inbox_outcome (tenant_id, case_ref, sender, event_id, outcome, reason, settled_at)
  select ${tenantId}::uuid, ${caseRef}::text, ${sender}::text, event_id, outcome, reason, ${at}::timestamptz
  from unnest(${uuids(outcomes.map((one) => one.eventId))}::uuid[], ${texts(outcomes.map((one) => one.outcome))}::text[],
    ${texts(outcomes.map((one) => one.reason))}::text[]) as said (event_id, outcome, reason)`

/** Why a message is not settled yet, and when to look again. */
export interface Stuck {
  waiting: Waiting
  because: string
  tries: number
  dueAt: Date
  stuckSince: Date | null
  alertedAt: Date | null
}

/** What looking at some cases came to. */
export interface Looked {
  settled: Waiting[]
  stuck: Stuck[]
  /** Cases that went on: what is stuck there, but was not looked at, may be due now. */
  advanced: Pick<Waiting, 'sender' | 'caseRef'>[]
}

/** After the effects: what is settled goes, what is stuck is put off, what may be due is made due. Once more does no harm. */
export async function recordLooked(db: Run, { settled, stuck, advanced }: Looked, at: Date): Promise<boolean> {
  if (settled.length > 0) await deleteWaiting(db, settled)
  if (stuck.length > 0) await postponeWaiting(db, stuck)
  if (advanced.length === 0) return false
  const freed = await db`
    update inbox_waiting w set due_at = ${at}
    from unnest(${texts(advanced.map((one) => one.sender))}::text[], ${texts(advanced.map((one) => one.caseRef))}::text[])
      as went (sender, case_ref)
    where w.sender = went.sender and w.case_ref = went.case_ref and w.stuck_since is not null and w.tries = 0
      and w.due_at > ${at} and not (w.event_id = any(${uuids(stuck.map(({ waiting }) => waiting.eventId))}::uuid[]))
    returning 1`
  return freed.length > 0
}

const deleteWaiting = (db: Run, rows: Waiting[]) => db`
  delete from inbox_waiting where ctid = any(array(
    select one.place from ${keysOf(rows)}
    cross join lateral (select w.ctid as place from inbox_waiting w where ${sameKey} limit 1) as one))`

const postponeWaiting = (db: Run, stuck: Stuck[]) => db`
  update inbox_waiting w set due_at = said.due_at, stuck_since = said.stuck_since, stuck_because = said.because,
    tries = said.tries, alerted_at = said.alerted_at
  from ${keysOf(stuck.map(({ waiting }) => waiting))}
  join unnest(${uuids(stuck.map(({ waiting }) => waiting.eventId))}::uuid[], ${instants(stuck.map((one) => one.dueAt))}::timestamptz[],
    ${stuck.map((one) => one.stuckSince)}::timestamptz[], ${texts(stuck.map((one) => one.because))}::text[],
    ${bigints(stuck.map((one) => one.tries))}::bigint[], ${stuck.map((one) => one.alertedAt)}::timestamptz[]
  ) as said (event_id, due_at, stuck_since, because, tries, alerted_at) using (event_id)
  where ${sameKey}`

const keysOf = (rows: Waiting[]): Fragment => sql`
  unnest(${texts(rows.map((row) => row.sender))}::text[], ${texts(rows.map((row) => row.caseRef))}::text[],
    ${texts(rows.map((row) => row.entityType))}::text[], ${texts(rows.map((row) => row.entityId))}::text[],
    ${bigints(rows.map((row) => row.entityVersion))}::bigint[], ${uuids(rows.map((row) => row.eventId))}::uuid[]
  ) as k (sender, case_ref, entity_type, entity_id, entity_version, event_id)`
const sameKey = sql`
  w.sender = k.sender and w.case_ref = k.case_ref and w.entity_type = k.entity_type and w.entity_id = k.entity_id
  and w.entity_version = k.entity_version and w.event_id = k.event_id`
