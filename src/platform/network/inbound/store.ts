// Table of what happened, inbound message: noted with the job that wakes its applier.

import type { Callback } from '#contract/network/sequence.ts'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import { oneRow, type Run, sql, type Tx } from '#kit/db/sql.ts'
import { enqueue } from '#kit/messaging/queue.ts'
import type { TxContext } from '#platform/context.ts'
import type { InboundType, InternalNote } from './inbound-message.ts'

/** NOT_UNDERSTOOD is one that moved nothing and names a state that is not published. */
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

/**
 * Adds an inbound message as the next one of its journey; false when it exists. The caller holds the journey's lock, so
 * the numbers follow the order of the commits and not the clocks.
 */
export async function insertInbound(tx: Tx, row: NewInboundMessage): Promise<boolean> {
  const { tenantId, journeyId } = row
  const fresh = await tx`
    insert into inbound_message (bucket, tenant_id, journey_id, inbound_message_id, number, type, key, conversation_id, message_key,
      detail_sealed, late, at, state, note)
    select ${bucketOf(journeyId)}::smallint, ${tenantId}::uuid, ${journeyId}::uuid, ${row.inboundMessageId}::uuid, coalesce(max(number), 0) + 1, ${row.type}::text,
      ${row.key}::text, ${row.conversationId}::uuid, ${row.messageKey}::uuid, ${row.detailSealed}::bytea,
      ${row.late}::boolean, ${row.at}::timestamptz, ${row.state}::text, ${row.note}::text
    from inbound_message where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}
    on conflict (bucket, tenant_id, journey_id, key) do nothing returning number`
  return fresh.length > 0
}

export async function isKnown(db: Run, tenantId: string, journeyId: string, key: string): Promise<boolean> {
  const found = await db`
    select 1 from inbound_message where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and key = ${key}`
  return found.length > 0
}

/** The journey's first unsettled message. */
export async function firstWaiting(tx: Tx, tenantId: string, journeyId: string): Promise<InboundRow | undefined> {
  const [row] = await tx<InboundRow>`
    select ${columns} from inbound_message
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and state = 'WAITING' order by number limit 1`
  return row
}

/** Whether a conversation has an unsettled message, which may be the pending answer. */
export async function isAnyWaiting(
  tx: Tx,
  { tenantId, journeyId, conversationId }: { tenantId: string; journeyId: string; conversationId: string },
): Promise<boolean> {
  const found = await tx`
    select 1 from inbound_message where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}
      and conversation_id = ${conversationId} and state = 'WAITING' limit 1`
  return found.length > 0
}

type InboundKey = Pick<InboundRow, 'tenantId' | 'journeyId' | 'inboundMessageId'>

/** Marks it settled, in the transaction of its effect. */
export async function settle(
  tx: Tx,
  { tenantId, journeyId, inboundMessageId }: InboundKey,
  { state, note }: Pick<InboundRow, 'state' | 'note'>,
  at: Date,
): Promise<void> {
  await tx`
    update inbound_message set state = ${state}, note = ${note}, applied_at = ${at}, retry_at = null
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and inbound_message_id = ${inboundMessageId}`
}

/** Counts a failed try; without a next one the message is set aside. False when another worker settled it meanwhile. */
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

/** When the oldest one that waits arrived; for the figures. */
export async function oldestWaiting(db: Run): Promise<Date | null> {
  const found = await db<{ at: Date | null }>`select min(at) as at from inbound_message where state = 'WAITING'`
  return oneRow(found).at
}

/** Records an event: a row in the journey's order, and a job for the worker that applies it. */
export const inboundKind = 'inbound-message'

export interface InboundJob {
  journeyId: string
}

/** The binding context of sealed details. */
export const detailContext = ({
  tenantId,
  journeyId,
  inboundMessageId,
}: {
  tenantId: string
  journeyId: string
  inboundMessageId: string
}): string => `inbound_message:${tenantId}:${journeyId}:${inboundMessageId}`

/** On what occasion something was noticed: `key` names it, so that what is noted twice happened once. */
export interface Occasion {
  /** Null for what is about the whole journey. */
  conversationId: string | null
  key: string
}

/** Notes what we noticed ourselves. The caller holds the journey's lock. */
export async function note(
  ctx: TxContext,
  journey: { tenantId: string; journeyId: string },
  noted: InternalNote,
  { conversationId, key }: Occasion,
): Promise<void> {
  const { tx, at } = ctx
  const { type, ...detail } = noted
  const place = {
    tenantId: journey.tenantId,
    journeyId: journey.journeyId,
    inboundMessageId: uuidv7(at.getTime(), bucketOf(journey.journeyId)),
  }
  await add(tx, {
    ...place,
    type,
    key,
    conversationId,
    messageKey: null,
    detailSealed: ctx.seal.json(detail, detailContext(place)),
    late: false,
    at,
    state: 'WAITING',
    note: null,
  })
}

export interface ReceivedCallback {
  tenantId: string
  journeyId: string
  conversationId: string | null
  messageKey: string
  type: Callback
  key: string
  late: boolean
  /** Why it is only stored and not applied; null for one to apply. */
  ignored: string | null
  at: Date
}

/** Records a callback of the archive; false when it was recorded before. The caller holds the journey's lock. */
export function noteCallback(tx: Tx, { ignored, ...callback }: ReceivedCallback): Promise<boolean> {
  return add(tx, {
    ...callback,
    inboundMessageId: uuidv7(callback.at.getTime(), bucketOf(callback.journeyId)),
    detailSealed: null,
    state: ignored === null ? 'WAITING' : 'IGNORED',
    note: ignored,
  })
}

async function add(tx: Tx, row: Parameters<typeof insertInbound>[1]): Promise<boolean> {
  const fresh = await insertInbound(tx, row)
  if (fresh && row.state === 'WAITING')
    await enqueue(tx, {
      tenantId: row.tenantId,
      kind: inboundKind,
      payload: { journeyId: row.journeyId } satisfies InboundJob,
      dueAt: row.at,
    })
  return fresh
}
