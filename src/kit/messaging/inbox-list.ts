// What people ask of an inbox: what is held and why, what came in about a case, and to look at something again now.

import type { Seal } from '#kit/crypto/seal.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { applyQueue, inboxContext } from './inbox-rows.ts'

/** A message that waits for another one, or fails. */
export interface Held {
  sender: string
  partitionKey: string
  entityType: string
  entityId: string
  entityVersion: number
  eventId: string
  receivedAt: Date
  stuckSince: Date
  because: string
  /** How often it failed; 0 when it only waits. */
  tries: number
}

/** Those that are held longest come first; `stuckSince` tells the age. */
export const listHeld = (
  db: Run,
  { partitionKey = null, limit = 100 }: { partitionKey?: string | null; limit?: number } = {},
) =>
  db<Held>`
    select sender, case_ref as partition_key, entity_type, entity_id, entity_version::float8 as entity_version, event_id, received_at,
      stuck_since, stuck_because as because, tries
    from inbox_waiting
    where stuck_since is not null and (${partitionKey}::text is null or case_ref = ${partitionKey}::text)
    order by stuck_since, entity_version limit ${limit}`

/** Makes a held message due now, for somebody who has put right what it waited for; false when it is not held. */
export async function retryNow(tx: Tx, sender: string, eventId: string, at: Date): Promise<boolean> {
  const rows = await tx`
    update inbox_waiting set due_at = ${at}
    where sender = ${sender} and event_id = ${eventId} and stuck_since is not null returning 1`
  if (rows.length > 0) tx.wake(applyQueue)
  return rows.length > 0
}

/** A message as it came, and what became of it; null while it waits. */
export interface ReceivedEvent {
  sender: string
  eventId: string
  type: string
  entityType: string
  entityId: string
  entityVersion: number
  receivedAt: Date
  raw: Buffer
  outcome: 'APPLIED' | 'FAILED' | 'SUPERSEDED' | null
  reason: string | null
  settledAt: Date | null
}

/** All that came in about a case, in the order of its arrival. */
export async function receivedEvents(
  db: Run,
  seal: Seal,
  { tenantId, partitionKey }: { tenantId: string; partitionKey: string },
): Promise<ReceivedEvent[]> {
  const rows = await db<Omit<ReceivedEvent, 'raw'> & { bodySealed: Buffer }>`
    select i.sender, i.event_id, i.event_type as type, i.entity_type, i.entity_id,
      i.entity_version::float8 as entity_version, i.received_at, i.body_sealed, known.outcome, known.reason, known.settled_at
    from (
      select sender, event_id, outcome, reason, settled_at from inbox_outcome
      where tenant_id = ${tenantId} and case_ref = ${partitionKey}
      union all
      select w.sender, w.event_id, null, w.stuck_because, null from inbox_waiting w
      where w.case_ref = ${partitionKey} and not exists (select from inbox_outcome o
        where o.tenant_id = ${tenantId} and o.case_ref = w.case_ref and o.sender = w.sender and o.event_id = w.event_id)
    ) as known join inbox i on i.sender = known.sender and i.event_id = known.event_id
    order by i.received_at, i.event_id`
  return rows.map(({ bodySealed, ...row }) => ({
    ...row,
    raw: seal.open(bodySealed, inboxContext(row.sender, row.eventId)),
  }))
}
