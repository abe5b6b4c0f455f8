// Receives an authenticated callback: finds its request and conversation, archives it, and stores it for a job to apply.

import { daysAfter } from '@lendloom/foundation/clock'
import { counter } from '@lendloom/foundation/metrics'
import { fieldsOf } from '@lendloom/foundation/record'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { LenderContext, MessageContext } from '@lendloom/wire/network/context'
import type { AnyCallback } from '@lendloom/wire/network/igm/actions'
import { type Callback, requestOf } from '@lendloom/wire/network/sequence'
import type { DrawdownOrder } from '@lendloom/wire/network/v230/drawdown'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { checkForRepeat, requireVersion } from './check-received-message.ts'
import {
  type Conversation,
  type ConversationChange,
  conversationOf,
  drawdownOf,
  noAwaitedAnswer,
  type OrderReference,
} from './conversation.ts'
import { dialectReaders, type LenderOrder } from './dialect.ts'
import { isInboundStored, recordCallback } from './inbound/store.ts'
import { archiveIncoming, findRequest, type Headers } from './messages/store.ts'
import { stopTimer } from './queue-request.ts'
import { changeConversation, readAllConversations } from './store.ts'

export const callbackCounter = counter('network_callbacks_total', 'Callbacks received, by outcome', [
  'action',
  'outcome',
])

export interface ReceivedCallback {
  action: Callback
  context: LenderContext
  message: unknown
  raw: Buffer
  headers: Headers
}

/** `known`: the message was stored before. `late`: the message is stored, but arrived too late to be applied. */
export type ReceiveResult = 'fresh' | 'known' | 'late'

/** Younger journeys have no record of a callback in the archive yet. */
const unarchivedDays = 60

/**
 * Stores a callback; the caller holds the journey's lock and acknowledges after the commit. A callback is identified by
 * (transaction, message, action, sender) and acts once (FIS12 §3.3). Throws `wrong-state` when it answers no request or
 * belongs to no conversation, `reused-key` when another message used its id, and `invalid` when it cannot be parsed.
 */
export async function receiveCallback(
  ctx: TxContext,
  journey: Journey,
  received: ReceivedCallback,
): Promise<ReceiveResult> {
  const { tx, at } = ctx
  const { action, context, message, raw, headers } = received
  const { tenantId, journeyId } = journey
  const bppId = context.bpp_id
  const key = `${action}:${context.message_id}:${bppId}`
  // The records of old callbacks are in the archive; their messages are not.
  const mayBeArchived = journey.createdAt <= daysAfter(at, -unarchivedDays)
  const [isKnown, request] = await Promise.all([
    !mayBeArchived && isInboundStored(tx, tenantId, journeyId, key),
    findRequest(tx, journey, { messageId: context.message_id, action: requestOf(action) }),
  ])
  if (isKnown) {
    await checkForRepeat(ctx, journey, received) // throws for different content
    return 'known'
  }
  if (mayBeArchived && (await checkForRepeat(ctx, journey, received))) return 'known'

  const order = orderIn(received)
  if (!request && !dialectReaders[context.version].mayBeUnsolicited(action, message))
    throw new Refusal('wrong-state', `this ${action} does not answer a request`)
  const conversation =
    action === 'on_search' && !request?.conversationId
      ? null
      : await conversationFor(tx, journey, bppId, {
          requestConversationId: request?.conversationId,
          order,
          transactionId: context.transaction_id,
          mayAnswerArchived: mayBeArchived && action === 'on_select',
        })
  requireVersion(conversation, context)
  const late = request !== undefined && at > request.expiresAt
  // Late catalogues and first offers may still be useful. Their handlers decide whether to apply them.
  const isIgnored = late && !(action === 'on_search' || (action === 'on_select' && isFirstOffer(conversation)))

  const messageKey = uuidv7(at.getTime(), bucketOf(journeyId))
  const common = { tenantId, journeyId, conversationId: conversation?.conversationId ?? null, messageKey }
  const outcome = isIgnored ? 'LATE' : 'ACK'
  const ignoredBecause = isIgnored ? '80214: arrived after its ttl' : null
  await Promise.all([
    archiveIncoming(tx, ctx.seal, {
      ...common,
      party: bppId,
      action,
      messageId: context.message_id,
      body: raw,
      headers,
      outcome,
      at,
    }),
    recordCallback(tx, { ...common, type: action, key, late, ignoredBecause, at }),
    conversation && changeConversation(tx, conversation, conversationChangeOf(conversation, context, isIgnored), at),
    conversation?.awaitedMessageId === context.message_id && !isIgnored && stopTimer(tx, conversation),
  ])
  return isIgnored ? 'late' : 'fresh'
}

const isFirstOffer = (conversation: Conversation | null): boolean =>
  conversation?.stage === 'SELECTED' || conversation?.stage === 'CONSENT_GIVEN'

/** Ignored messages leave the request pending, so that the timer repeats the request. */
function conversationChangeOf(
  { awaitedMessageId, lastMessageAt }: Conversation,
  context: MessageContext,
  isIgnored: boolean,
): ConversationChange {
  const sentAt = new Date(context.timestamp)
  return {
    ...(!isIgnored && awaitedMessageId === context.message_id && noAwaitedAnswer),
    lastMessageAt: lastMessageAt === null || sentAt > lastMessageAt ? sentAt : lastMessageAt,
  }
}

/** Parses the content before the answer to the sender, so that a malformed message gets a NACK (FIS12 §3.1). */
function orderIn({ action, context, message }: ReceivedCallback): OrderReference | null {
  if (message === undefined) return null
  const { readOrder, readOnSearch } = dialectReaders[context.version]
  if (action === 'on_search') {
    readOnSearch(message)
    return null
  }
  const order = readOrder(message)
  if (action === 'on_select') requireOffer(message, order)
  // Of a placed drawdown the lender tells what has happened, which is recorded even if its figures are odd.
  if (action === 'on_init' || (order.drawdown && order.orderId === null)) requirePossibleTerms(order)
  if (action === 'on_init' && order.drawdown) requireTermsToAgreeTo(order.drawdown)
  return { ...order, isDrawdown: Boolean(order.drawdown) }
}

/** Throws `invalid` for terms that cannot be a lender's. */
function requirePossibleTerms({ offerFaults }: Pick<LenderOrder, 'offerFaults'>): void {
  const [first, ...more] = offerFaults
  if (first) throw invalid(first, ...more)
}

/**
 * Throws `invalid` for what cannot be an offer. A quote is one only with the texts of LOAN_INFO; without them the lender
 * would wait for us, and we for it.
 */
function requireOffer(message: unknown, { terms, offerFaults, consentHandle }: LenderOrder): void {
  requirePossibleTerms({ offerFaults })
  if (terms === null && consentHandle === null && fieldsOf(fieldsOf(message).order).quote !== undefined)
    throw invalid({ path: 'message.order.items.0.tags', message: 'must have LOAN_INFO, because there is a quote' })
}

/** Throws `invalid` for the answer to a drawdown without what the borrower would agree to, or without where to say so. */
function requireTermsToAgreeTo({ terms, consent }: DrawdownOrder): void {
  if (terms === null) throw invalid({ path: 'message.order.quote', message: 'is required' })
  if (consent === null)
    throw invalid({ path: 'message.order.fulfillments.0.stops', message: 'must have CONSENT_REQUIRED' })
}

/** Identifies the conversation of a callback by the request's conversation or, if there is none, by the order. */
interface ConversationReference {
  requestConversationId: string | null | undefined
  order: OrderReference | null
  transactionId: string
  /** Whether it may answer a request that has left the database: an error about an offer that was not chosen. */
  mayAnswerArchived: boolean
}

async function conversationFor(
  tx: Tx,
  { tenantId, journeyId }: Journey,
  bppId: string,
  { requestConversationId, order, transactionId, mayAnswerArchived }: ConversationReference,
): Promise<Conversation> {
  const withLender = await readAllConversations(tx, tenantId, journeyId, bppId)
  const isUnclear = mayAnswerArchived && order === null && withLender.length > 1
  const named = withLender.find(({ conversationId }) => conversationId === requestConversationId)
  const applications = withLender.filter(({ isDrawdown }) => !isDrawdown)
  const found =
    requestConversationId || isUnclear
      ? named
      : (drawdownOf(withLender, order, transactionId) ?? conversationOf(applications, order))
  if (!found) throw new Refusal('wrong-state', 'no conversation with this lender matches')
  return found
}

export interface RefusedMessage {
  action: AnyCallback
  sender: string
  code: string
  /** Which field is wrong and how, for the operator. */
  why: string
  raw: Buffer
  headers: Headers
  body: unknown
}

const maxWhyLength = 300

/** Stores refused messages of an authenticated lender in a known transaction, for audit. */
export async function archiveRefusedMessage(
  ctx: Context,
  journey: Journey,
  refused: RefusedMessage,
  at: Date,
): Promise<void> {
  const { action, sender, code, why, raw, headers, body } = refused
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
      outcome: `NACK ${code} ${why.slice(0, maxWhyLength)}`,
      at,
    }),
  )
}
