// Store of inbound_message. Each row is inserted together with the job of its journey, unless that job exists.

import { oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { enqueue } from '@lendloom/queue/queue'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { Callback } from '@lendloom/wire/network/sequence'
import type { TxContext } from '#platform/context.ts'
import type { InboundType, InternalEvent } from './inbound-message.ts'

/** NOT_UNDERSTOOD: the message contains an unknown state and did not move its conversation. */
type InboundState = 'WAITING' | 'APPLIED' | 'NOT_UNDERSTOOD' | 'IGNORED' | 'SET_ASIDE'

export interface InboundRow {
  tenantId: string
  journeyId: string
  inboundMessageId: string
  number: number
  type: InboundType
  key: string
  conversationId: string | null
  messageKey: string | null
  detailSealed: Buffer | null
  late: boolean
  at: Date
  state: InboundState
  attempt: number
  retryAt: Date | null
  appliedAt: Date | null
  note: string | null
}

export type NewInboundMessage = Omit<InboundRow, 'number' | 'attempt' | 'retryAt' | 'appliedAt'>

const columns = sql`tenant_id, journey_id, inbound_message_id, number, type, key, conversation_id, message_key, detail_sealed,
  late, at, state, attempt, retry_at, applied_at, note`

/** Inserts the journey's next message. Returns false if its key exists. The caller holds the journey's lock. */
export async function insertInbound(tx: Tx, row: NewInboundMessage): Promise<boolean> {
  const { tenantId, journeyId } = row
  const inserted = await tx`
    insert into inbound_message (bucket, tenant_id, journey_id, inbound_message_id, number, type, key, conversation_id, message_key,
      detail_sealed, late, at, state, note)
    select
      ${bucketOf(journeyId)}::smallint as bucket,
      ${tenantId}::uuid as tenant_id,
      ${journeyId}::uuid as journey_id,
      ${row.inboundMessageId}::uuid as inbound_message_id,
      coalesce(max(number), 0) + 1 as number,
      ${row.type}::text as type,
      ${row.key}::text as key,
      ${row.conversationId}::uuid as conversation_id,
      ${row.messageKey}::uuid as message_key,
      ${row.detailSealed}::bytea as detail_sealed,
      ${row.late}::boolean as late,
      ${row.at}::timestamptz as at,
      ${row.state}::text as state,
      ${row.note}::text as note
    from inbound_message where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}
    on conflict (bucket, tenant_id, journey_id, key) do nothing returning number`
  return inserted.length > 0
}

export async function isInboundStored(db: Run, tenantId: string, journeyId: string, key: string): Promise<boolean> {
  const found = await db`
    select 1 from inbound_message where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and key = ${key}`
  return found.length > 0
}

/**
 * Reads the first two waiting messages of a journey, so that a caller with one knows whether there are more. Catalogues
 * of further lenders, and the end of the search after them, wait for messages of lenders that have been asked, because
 * hundreds of lenders may answer a search: the first offer does not wait for the last catalogue.
 */
export const readWaiting = (tx: Tx, tenantId: string, journeyId: string): Promise<InboundRow[]> => tx<InboundRow>`
  select ${columns} from inbound_message
  where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and state = 'WAITING'
  order by (conversation_id is null and type in ('on_search', 'search_closed')), number limit 2`

/** Whether the conversation has a message that is not applied yet, which may be the awaited answer. */
export async function hasWaitingMessage(
  tx: Tx,
  { tenantId, journeyId, conversationId }: { tenantId: string; journeyId: string; conversationId: string },
): Promise<boolean> {
  const found = await tx`
    select 1 from inbound_message where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}
      and conversation_id = ${conversationId} and state = 'WAITING' limit 1`
  return found.length > 0
}

type InboundKey = Pick<InboundRow, 'tenantId' | 'journeyId' | 'inboundMessageId'>

/** Records what became of a message, in the transaction of its effect. */
export async function recordResult(
  tx: Tx,
  { tenantId, journeyId, inboundMessageId }: InboundKey,
  { state, note }: Pick<InboundRow, 'state' | 'note'>,
  at: Date,
): Promise<void> {
  await tx`
    update inbound_message set state = ${state}, note = ${note}, applied_at = ${at}, retry_at = null
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and inbound_message_id = ${inboundMessageId}`
}

/** Records a failed attempt. A null `retryAt` sets the message aside. Returns false if another worker was faster. */
export async function failInbound(
  tx: Tx,
  { tenantId, journeyId, inboundMessageId, attempt }: InboundKey & Pick<InboundRow, 'attempt'>,
  { note, retryAt, at }: Pick<InboundRow, 'note' | 'retryAt' | 'at'>,
): Promise<boolean> {
  const failed = await tx`
    update inbound_message set attempt = attempt + 1, note = ${note}, retry_at = ${retryAt},
      state = ${retryAt === null ? 'SET_ASIDE' : 'WAITING'}, applied_at = ${retryAt === null ? at : null}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and inbound_message_id = ${inboundMessageId}
      and state = 'WAITING' and attempt = ${attempt} returning 1`
  return failed.length > 0
}

export const readInbound = (db: Run, tenantId: string, journeyId: string): Promise<InboundRow[]> =>
  db<InboundRow>`
    select ${columns} from inbound_message where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} order by number`

export const inboundKind = 'inbound-message'

export interface InboundJob {
  journeyId: string
}

/** Reads by the oldest jobs: a journey with a waiting message has a job, and no index has the state. A job may wait without a message. */
export async function readOldestWaitingTime(db: Run): Promise<Date | null> {
  const jobs = await db<{ tenantId: string; payload: InboundJob }>`
    select tenant_id, payload from job where kind = ${inboundKind} order by enqueued_at limit 100`
  const journeyIds = jobs.map(({ payload }) => payload.journeyId)
  const found = await db<{ at: Date | null }>`
    select min(m.at) as at
    from unnest(${journeyIds.map(bucketOf)}::smallint[], ${jobs.map(({ tenantId }) => tenantId)}::uuid[], ${journeyIds}::uuid[])
      as journey_of_job (bucket, tenant_id, journey_id)
    join inbound_message m on m.bucket = journey_of_job.bucket and m.tenant_id = journey_of_job.tenant_id and m.journey_id = journey_of_job.journey_id
    where m.state = 'WAITING'`
  return oneRow(found).at
}

/** Encryption context that binds sealed details to their row. */
export const detailContext = ({
  tenantId,
  journeyId,
  inboundMessageId,
}: {
  tenantId: string
  journeyId: string
  inboundMessageId: string
}): string => `inbound_message:${tenantId}:${journeyId}:${inboundMessageId}`

/** Identifies an internal event. Only the first event with a `key` is recorded. */
export interface InternalEventKey {
  /** Null for an event of the whole journey. */
  conversationId: string | null
  key: string
}

/** Records an internal event, which a job applies. The caller holds the journey's lock. */
export async function recordInternalEvent(
  ctx: TxContext,
  journey: { tenantId: string; journeyId: string },
  internalEvent: InternalEvent,
  { conversationId, key }: InternalEventKey,
): Promise<void> {
  const { tx, at } = ctx
  const { type, ...detail } = internalEvent
  const rowKey = {
    tenantId: journey.tenantId,
    journeyId: journey.journeyId,
    inboundMessageId: uuidv7(at.getTime(), bucketOf(journey.journeyId)),
  }
  await insertWithJob(tx, {
    ...rowKey,
    type,
    key,
    conversationId,
    messageKey: null,
    detailSealed: ctx.seal.json(detail, detailContext(rowKey)),
    late: false,
    at,
    state: 'WAITING',
    note: null,
  })
}

export interface NewCallback {
  tenantId: string
  journeyId: string
  conversationId: string | null
  messageKey: string
  type: Callback
  key: string
  late: boolean
  /** Why the callback is only stored; null for a callback to apply. */
  ignoredBecause: string | null
  at: Date
}

/** Records an archived callback. Returns false if it was recorded before. The caller holds the journey's lock. */
export function recordCallback(tx: Tx, { ignoredBecause, ...callback }: NewCallback): Promise<boolean> {
  return insertWithJob(tx, {
    ...callback,
    inboundMessageId: uuidv7(callback.at.getTime(), bucketOf(callback.journeyId)),
    detailSealed: null,
    state: ignoredBecause === null ? 'WAITING' : 'IGNORED',
    note: ignoredBecause,
  })
}

/** A journey has one job. It ends under the journey's lock when no message waits, so that it misses no message. */
async function insertWithJob(tx: Tx, row: Parameters<typeof insertInbound>[1]): Promise<boolean> {
  const { tenantId, journeyId, state, at } = row
  const inserted = await insertInbound(tx, row)
  const payload = { journeyId } satisfies InboundJob
  if (inserted && state === 'WAITING')
    await enqueue(tx, { tenantId, kind: inboundKind, key: journeyId, payload, dueAt: at })
  return inserted
}
