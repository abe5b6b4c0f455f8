// Notes that something happened: a row of the journey's order, and a job that wakes whoever applies it.

import type { Callback } from '#contract/network/sequence.ts'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { enqueue } from '#kit/messaging/queue.ts'
import type { TxContext } from '#platform/context.ts'
import type { Noted } from './inbound-message.ts'
import { insertInbound } from './store.ts'

export const inboundKind = 'inbound-message'

export interface InboundJob {
  journeyId: string
}

type Place = { tenantId: string; journeyId: string; inboundMessageId: string }

/** Where the details of one are sealed to. */
export const detailContext = ({ tenantId, journeyId, inboundMessageId }: Place): string =>
  `inbound_message:${tenantId}:${journeyId}:${inboundMessageId}`

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
  noted: Noted,
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
  /** Why it is only kept, not applied; null when it is to be applied. */
  ignored: string | null
  at: Date
}

/** Notes a callback that lies in the archive; false when it was noted before. The caller holds the journey's lock. */
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
