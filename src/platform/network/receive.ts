// Takes a callback that was proven to be its sender's: finds what it answers, keeps it once, and notes that it happened.

import { isDeepStrictEqual } from 'node:util'
import type { LenderContext, MessageContext } from '#contract/network/context.ts'
import type { AnyCallback } from '#contract/network/igm/actions.ts'
import { type Callback, requestOf } from '#contract/network/sequence.ts'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { fieldsOf } from '#kit/runtime/record.ts'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { archiveIncoming, type Headers, readRequest, readTaken } from './archive/store.ts'
import {
  awaitsNothing,
  type Conversation,
  type ConversationChange,
  conversationOf,
  type NamedOrder,
} from './conversation.ts'
import { reading } from './dialect.ts'
import { isKnown, noteCallback } from './inbound/store.ts'
import { changeConversation, readConversations } from './store.ts'

export interface ReceivedMessage {
  action: Callback
  context: LenderContext
  message: unknown
  raw: Buffer
  headers: Headers
}

/** Stored now, stored before, or stored without being applied because it is late. */
export type ReceiveResult = 'fresh' | 'known' | 'late'

/**
 * Stores a callback; the caller holds the journey's lock and acknowledges after the commit. A callback is identified by
 * (transaction, message, action, sender) and acts once (FIS12 §3.3). Refused as `wrong-state` when it answers no
 * request or belongs to no conversation, as `reused-key` when another message used its id, as `invalid` when its
 * content cannot be parsed.
 */
export async function receive(ctx: TxContext, journey: Journey, received: ReceivedMessage): Promise<ReceiveResult> {
  const { tx, at } = ctx
  const { action, context, raw, headers } = received
  const { tenantId, journeyId } = journey
  const bppId = context.bpp_id
  const key = `${action}:${context.message_id}:${bppId}`
  if (await isKnown(tx, tenantId, journeyId, key)) {
    await isRepeated(ctx, journey, received)
    return 'known'
  }

  const order = readable(received)
  const requested = requestOf(action)
  const request =
    requested === null
      ? undefined
      : await readRequest(tx, ctx.seal, journey, { messageId: context.message_id, action: requested })
  if (!request && !reading[context.version].mayBeUnsolicited(action))
    throw new Refusal('wrong-state', `this ${action} answers no request of ours`)
  const conversation =
    action === 'on_search' && !request?.conversationId
      ? null
      : await itsConversation(tx, journey, bppId, { requestedIn: request?.conversationId, order })
  const late = request !== undefined && at > request.expiresAt
  // A late first offer is still useful; the product decides whether there is time.
  const ignored = late && !(action === 'on_search' || (action === 'on_select' && isFirstOffer(conversation)))

  const messageKey = uuidv7(at.getTime(), bucketOf(journeyId))
  const place = { tenantId, journeyId, conversationId: conversation?.conversationId ?? null, messageKey }
  const outcome = ignored ? 'LATE' : 'ACK'
  await archiveIncoming(tx, ctx.seal, {
    ...place,
    party: bppId,
    action,
    messageId: context.message_id,
    body: raw,
    headers,
    outcome,
    at,
  })
  await noteCallback(tx, {
    ...place,
    type: action,
    key,
    late,
    ignored: ignored ? '80214: came after its ttl' : null,
    at,
  })
  if (conversation) await changeConversation(tx, conversation, readMessages(conversation, context, ignored), at)
  return ignored ? 'late' : 'fresh'
}

const isFirstOffer = (conversation: Conversation | null): boolean =>
  conversation?.stage === 'SELECTED' || conversation?.stage === 'CONSENT_GIVEN'

/** A skipped message answers nothing: the request stays pending, so that its timer repeats it. */
function readMessages(
  { awaitedMessageId, lastMessageAt }: Conversation,
  context: MessageContext,
  isIgnored: boolean,
): ConversationChange {
  const sentAt = new Date(context.timestamp)
  return {
    ...(!isIgnored && awaitedMessageId === context.message_id && awaitsNothing),
    lastMessageAt: lastMessageAt === null || sentAt > lastMessageAt ? sentAt : lastMessageAt,
  }
}

/** The content must be parsable now, while the sender can still be told (FIS12 §3.1). */
function readable({ action, context, message }: ReceivedMessage): NamedOrder | null {
  if (message === undefined) return null
  const { readOrder, readOnSearch } = reading[context.version]
  if (action !== 'on_search') return readOrder(message)
  readOnSearch(message)
  return null
}

/** The subject of a callback: its conversation, the stage at the request, and its order. */
interface Subject {
  requestedIn: string | null | undefined
  order: NamedOrder | null
}

async function itsConversation(
  tx: Tx,
  { tenantId, journeyId }: Journey,
  bppId: string,
  { requestedIn, order }: Subject,
): Promise<Conversation> {
  const own = await readConversations(tx, tenantId, journeyId, bppId)
  const found = requestedIn
    ? own.find(({ conversationId }) => conversationId === requestedIn)
    : conversationOf(own, order)
  if (!found) throw new Refusal('wrong-state', 'there is no such conversation with this lender')
  return found
}

export interface RefusedMessage {
  action: AnyCallback
  sender: string
  code: string
  raw: Buffer
  headers: Headers
  body: unknown
}

/** Stores refused messages of an authenticated lender in a known transaction, for audit. */
export async function storeRefused(ctx: Context, journey: Journey, refused: RefusedMessage, at: Date): Promise<void> {
  const { action, sender, code, raw, headers, body } = refused
  const messageId = fieldsOf(fieldsOf(body).context).message_id
  await ctx.db.tx((tx) =>
    archiveIncoming(tx, ctx.seal, {
      tenantId: journey.tenantId,
      journeyId: journey.journeyId,
      messageKey: uuidv7(at.getTime(), bucketOf(journey.journeyId)),
      conversationId: null,
      party: sender,
      action,
      messageId: typeof messageId === 'string' ? messageId : '',
      body: raw,
      headers,
      outcome: `NACK ${code}`,
      at,
    }),
  )
}

/**
 * A message is identified by (transaction, message, action, sender). Refused as `reused-key` with other content, which
 * would otherwise be lost.
 */
export async function isRepeated(
  { tx, seal }: Pick<TxContext, 'tx' | 'seal'>,
  journey: Journey,
  { action, context, raw }: { action: string; context: LenderContext; raw: Buffer },
): Promise<boolean> {
  const by = { action, messageId: context.message_id, party: context.bpp_id }
  const before = await readTaken(tx, seal, journey, by)
  if (!before) return false
  if (!isDeepStrictEqual(contentOf(before.body), contentOf(raw)))
    throw new Refusal('reused-key', 'context.message_id was used for another message', { field: 'context.message_id' })
  return true
}

/** Without the context, of which a retry may renew the timestamp. */
function contentOf(raw: Buffer): unknown {
  const { message, error } = JSON.parse(raw.toString('utf8'))
  return { message, error }
}
