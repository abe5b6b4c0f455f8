// Stores each incoming message once, before the message is acknowledged.

import { number } from '@lendloom/foundation/config'
import { type StoredTrace, storedTrace } from '@lendloom/foundation/trace'
import type { LoaderOptions } from '@lendloom/postgres/batch-loader'
import { inboxDigests } from '@lendloom/postgres/rekey-digests'
import { bigint, bytea, type Columns, namesOf, rowsAs, text, timestamptz, uuid } from '@lendloom/postgres/rows'
import { groupCommit, writeWithRetry } from '@lendloom/postgres/shared-commit'
import { type Db, type Run, sql } from '@lendloom/postgres/sql'
import { type ContentDigest, contentDigest, isSameContent, type StoredDigest } from '@lendloom/seal/content-digest'
import type { Seal } from '@lendloom/seal/seal'
import { applyQueue, type InboundEvent, inboxContext } from './inbox/inbox-store.ts'

export { type InboxWorkerOptions, inboxWorker } from './inbox/apply-messages.ts'
export { type InboxEvent, PrerequisiteError } from './inbox/inbox-store.ts'

/** A valid message from an authenticated sender. */
export interface NewInboundEvent extends InboundEvent {
  type: string
  /** The exact bytes that were received. */
  raw: Buffer
}

/** `same`: these bytes are already stored, since `receivedAt`. `different`: other bytes have this sender and id. */
export type StoreResult = { seen: 'first' | 'same'; receivedAt: Date } | { seen: 'different' }

export const inboxSettings = {
  INBOX_LANES: number(
    'Batches of received events that are committed concurrently: 1 if a commit takes well under a millisecond, 16 if it takes two milliseconds',
    1,
    1,
    64,
  ),
}

export interface InboxDeps {
  db: Db
  seal: Seal
  config?: { INBOX_LANES: number }
}

/** Stores a message; messages that arrive during a commit share the next commit. */
export type Inbox = (event: NewInboundEvent) => Promise<StoreResult>

/** Creates an inbox; each process needs only one. */
export function inboxOf({ db, seal, config }: InboxDeps): Inbox {
  const store = groupCommit((rows: InboxRow[]) => storeAll(db, rows), batchLimits(config?.INBOX_LANES ?? 1))
  return (event) => {
    const eventId = event.eventId.toLowerCase()
    return store({
      ...event,
      eventId,
      key: `${event.sender}/${eventId}`,
      digest: contentDigest(seal, event.raw, inboxDigests.purpose),
      sealed: seal.bytes(event.raw, inboxContext(event.sender, eventId)),
      ...storedTrace(),
    })
  }
}

/**
 * Stores a message and resolves when the message is durable. Of all messages with the same sender and id, in all
 * processes, exactly one is `first` (D3 §4.2).
 */
export const receive = async ({ inbox }: { inbox: Inbox }, event: NewInboundEvent): Promise<StoreResult> => inbox(event)

/** Batches are limited to 4 MiB, because a lead may be much longer than other messages (D3 §8). */
const batchLimits = (concurrency: number): LoaderOptions<InboxRow> => ({
  concurrency,
  weigh: ({ raw }) => raw.length,
  maxWeight: 4 * 2 ** 20,
})

interface InboxRow extends NewInboundEvent, StoredTrace {
  key: string
  digest: ContentDigest
  sealed: Buffer
}

interface StoredEvent extends StoredDigest {
  receivedAt: Date
}

/** Stores the first message of each key, and compares further messages with the stored bytes of that key. */
async function storeAll(db: Db, rows: InboxRow[]): Promise<StoreResult[]> {
  const firsts = new Map<string, InboxRow>()
  for (const row of rows) if (!firsts.has(row.key)) firsts.set(row.key, row)
  // Sorted by key, so that two batches with the same messages do not deadlock.
  const ordered = [...firsts.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  const newKeys = await insertNew(db, ordered)
  if (newKeys.size > 0) db.wake(applyQueue)
  const storedBefore = await readStored(
    db,
    [...firsts.values()].filter(({ key }) => !newKeys.has(key)),
  )
  return rows.map((row) => {
    const first = firsts.get(row.key) ?? row
    if (newKeys.has(row.key) && row === first) return { seen: 'first', receivedAt: row.receivedAt }
    const stored: StoredEvent | undefined = newKeys.has(row.key)
      ? { ...first.digest, receivedAt: first.receivedAt }
      : storedBefore.get(row.key)
    if (!stored) throw new Error(`message ${row.key} was neither stored now nor before`)
    return isSameContent(stored, row.digest) ? { seen: 'same', receivedAt: stored.receivedAt } : { seen: 'different' }
  })
}

/** Inserts new messages and returns their keys. */
async function insertNew(db: Db, rows: InboxRow[]): Promise<Set<string>> {
  const inserted = await writeWithRetry(db, prepareInsert(rows))
  return new Set(inserted.map(({ sender, eventId }) => `${sender}/${eventId}`))
}

interface EventKey {
  sender: string
  eventId: string
}

const inboxColumns: Columns<InboxRow> = {
  sender: text((row) => row.sender),
  eventId: uuid((row) => row.eventId),
  eventType: text((row) => row.type),
  caseRef: text((row) => row.partitionKey),
  entityType: text((row) => row.entityType),
  entityId: text((row) => row.entityId),
  entityVersion: bigint((row) => row.entityVersion),
  bodyMac: bytea((row) => row.digest.keyed),
  bodySealed: bytea((row) => row.sealed),
  correlationId: text((row) => row.correlationId),
  traceparent: text((row) => row.traceparent),
  receivedAt: timestamptz((row) => row.receivedAt),
}

function prepareInsert(rows: InboxRow[]): (db: Run) => Promise<EventKey[]> {
  const input = rowsAs(sql`input`, rows, inboxColumns)
  return (db) => db<EventKey>`
    with arrived as (
      insert into inbox (${namesOf(inboxColumns)})
      select ${namesOf(inboxColumns)} from ${input}
      on conflict do nothing
      returning sender, case_ref, entity_type, entity_id, entity_version, event_id, received_at),
    waiting as (
      insert into inbox_waiting (sender, case_ref, entity_type, entity_id, entity_version, event_id, received_at, due_at)
      select sender, case_ref, entity_type, entity_id, entity_version, event_id, received_at, received_at from arrived)
    select sender, event_id from arrived`
}

/**
 * Reads rows that were stored before. A separate statement is needed, because the insert does not see rows that other
 * transactions committed meanwhile. With a synchronous standby, the statement also writes to the WAL, so that its
 * commit waits until the standby has the row. The wait of the first commit may have been cancelled.
 */
async function readStored(db: Run, rows: InboxRow[]): Promise<Map<string, StoredEvent>> {
  if (rows.length === 0) return new Map()
  const rowsBefore = await db<EventKey & StoredEvent>`
    select i.sender, i.event_id, i.body_sha256 as plain, i.body_mac as keyed, i.received_at,
      case when current_setting('synchronous_standby_names') <> '' then pg_logical_emit_message(true, 'inbox', '') end
    from ${rowsAs(sql`requested`, rows, { sender: text((row) => row.sender), eventId: uuid((row) => row.eventId) })}
    join inbox i on i.sender = requested.sender and i.event_id = requested.event_id`
  return new Map(rowsBefore.map((row) => [`${row.sender}/${row.eventId}`, row]))
}
