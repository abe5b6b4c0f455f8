// Lists messages of the inbox for people: the held ones, which wait or failed, and all of one partition.

import { ascending, type KeyedRow, type PageWindow, pageClauses } from '@lendloom/postgres/keyset'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import { applyQueue, type InboundEvent, inboxContext } from './inbox/inbox-store.ts'

/** A message that waits for another message, or has failed. */
export interface StuckEvent extends InboundEvent {
  stuckSince: Date
  because: string
  /** How often the message failed; 0 when the message waits for another message. */
  tries: number
}

const heldColumns = sql`sender, case_ref as partition_key, entity_type, entity_id, entity_version::float8 as entity_version, event_id,
  received_at, stuck_since, stuck_because as because, tries`

/** Sorts held messages; the one that is held longest comes first. */
export const heldEventsKeyset = ascending(
  [sql`stuck_since`, 'instant'],
  [sql`entity_version`, 'integer'],
  [sql`event_id`, 'uuid'],
)

/** One page of the held messages of all partitions. */
export const pageHeldEvents = (db: Run, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(heldEventsKeyset, window)
  return db<
    StuckEvent & KeyedRow
  >`select ${heldColumns}, ${key} from inbox_waiting where stuck_since is not null and ${beyond} ${order}`
}

/** The messages that are held longest, of one partition or of all. */
export const listHeldEvents = (
  db: Run,
  { partitionKey = null, limit = 100 }: { partitionKey?: string | null; limit?: number } = {},
) =>
  db<StuckEvent>`
    select ${heldColumns} from inbox_waiting
    where stuck_since is not null and (${partitionKey}::text is null or case_ref = ${partitionKey}::text)
    order by stuck_since, entity_version limit ${limit}`

/** Makes a held message due now. Returns false when the message is not held. */
export async function retryNow(tx: Tx, sender: string, eventId: string, at: Date): Promise<boolean> {
  const rows = await tx`
    update inbox_waiting set due_at = ${at}
    where sender = ${sender} and event_id = ${eventId} and stuck_since is not null returning 1`
  if (rows.length > 0) tx.wake(applyQueue)
  return rows.length > 0
}

/** `outcome` is null until the message was applied or given up. */
export interface ReceivedEvent extends Omit<InboundEvent, 'partitionKey'> {
  type: string
  /** Empty once archived. */
  raw: Buffer
  outcome: 'APPLIED' | 'FAILED' | 'SUPERSEDED' | null
  reason: string | null
  settledAt: Date | null
}

/** Returns all messages of a partition in the order of arrival. */
export async function receivedEvents(
  db: Run,
  seal: Seal,
  { tenantId, partitionKey }: { tenantId: string; partitionKey: string },
): Promise<ReceivedEvent[]> {
  const rows = await db<Omit<ReceivedEvent, 'raw'> & { bodySealed: Buffer | null }>`
    with ended as materialized (
      select sender, event_id, outcome, reason, settled_at from inbox_outcome
      where tenant_id = ${tenantId} and case_ref = ${partitionKey})
    select i.sender, i.event_id, i.event_type as type, i.entity_type, i.entity_id,
      i.entity_version::float8 as entity_version, i.received_at, i.body_sealed, known.outcome, known.reason, known.settled_at
    from (
      select sender, event_id, outcome, reason, settled_at from ended
      union all
      select w.sender, w.event_id, null, w.stuck_because, null from inbox_waiting w
      where w.case_ref = ${partitionKey}
        and not exists (select from ended o where o.sender = w.sender and o.event_id = w.event_id)
    ) as known join inbox i on i.sender = known.sender and i.event_id = known.event_id
    order by i.received_at, i.event_id`
  return rows.map(({ bodySealed, ...row }) => ({
    ...row,
    raw: bodySealed ? seal.open(bodySealed, inboxContext(row.sender, row.eventId)) : Buffer.alloc(0),
  }))
}
