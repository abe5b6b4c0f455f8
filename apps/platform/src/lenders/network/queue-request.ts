// Queues a request to the network: stores its body, a job that sends the body, and a timer for the answer.

import { next } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { enqueue, removeJob } from '@lendloom/queue/queue'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import {
  actionUrl,
  contextOf,
  type Dialect,
  expiresAt,
  type NetworkDomain,
  type Party,
} from '@lendloom/wire/network/context'
import type { AnyRequest, IgmRequest } from '@lendloom/wire/network/igm/actions'
import type { AwaitedRequest, ExtraRequest } from '@lendloom/wire/network/sequence'
import type { Context, TxContext } from '#platform/context.ts'
import type { Conversation, ConversationChange } from './conversation.ts'
import { dialectOfConversation, domainOfConversation } from './dialect.ts'
import { archiveOutgoing } from './messages/store.ts'
import { endpointOf, identityOf, type NetworkConfig } from './own-identity.ts'
import { conversationStages, type PlatformMove } from './stage.ts'
import { changeConversation } from './store.ts'

export const callKind = 'network-call'
export const timerKind = 'network-timer'

export interface CallJob {
  journeyId: string
  messageKey: string
}

/** `conversationId` is null for the timer that ends a search. */
export interface TimerJob {
  journeyId: string
  conversationId: string | null
  messageId: string
}

/** The recipient and the transaction; `bpp` is absent in a broadcast. */
export interface Addressee {
  tenantId: string
  journeyId: string
  transactionId: string
  conversationId: string | null
  party: string
  uri: string
  bpp?: Party
  dialect: Dialect
  domain: NetworkDomain
}

export interface RecordedRequest {
  messageId: string
  answerDueAt: Date
}

/** The part of the context that a request needs, small enough for a command line to create. */
export type RequestDeps = Pick<Context, 'seal'> & { config: NetworkConfig }

/** Records a request and, if `isTimed`, its timer. The request is sent after the caller's commit. */
export async function queueRequest(
  ctx: RequestDeps & Write,
  to: Addressee,
  request: { action: AnyRequest; message: object; ttl: string; timestamp?: Date; isTimed?: boolean },
): Promise<RecordedRequest> {
  const { tx, at } = ctx
  const { tenantId, journeyId, transactionId, conversationId } = to
  const { action, message, ttl, timestamp = at, isTimed = true } = request
  const messageId = uuidv4(bucketOf(journeyId))
  const context = contextOf({
    action,
    bap: identityOf(ctx.config, to.dialect),
    transactionId,
    messageId,
    at: timestamp,
    ttl,
    version: to.dialect,
    domain: to.domain,
    ...(to.bpp && { bpp: to.bpp }),
  })
  const messageKey = uuidv7(at.getTime(), bucketOf(journeyId))
  const answerDueAt = expiresAt(context)
  const stored = archiveOutgoing(tx, ctx.seal, {
    tenantId,
    journeyId,
    messageKey,
    conversationId,
    party: to.party,
    action,
    messageId,
    url: actionUrl(endpointOf(ctx.config, to.uri), action),
    body: Buffer.from(JSON.stringify({ context, message })),
    at,
    expiresAt: answerDueAt,
  })
  const payload = { journeyId, messageKey } satisfies CallJob
  const timed = { journeyId, conversationId, messageId } satisfies TimerJob
  const key = timerKey(journeyId, messageId)
  await Promise.all([
    stored,
    enqueue(tx, { tenantId, kind: callKind, payload, dueAt: at }),
    isTimed && enqueue(tx, { tenantId, kind: timerKind, key, payload: timed, dueAt: answerDueAt, isForLater: true }),
  ])
  return { messageId, answerDueAt }
}

const timerKey = (journeyId: string, messageId: string | null): string => `${journeyId}:${messageId}`

/** Removes the timer of the awaited answer, which has arrived. The caller holds the journey's lock. */
export const stopTimer = (tx: Tx, { tenantId, journeyId, awaitedMessageId }: Conversation) =>
  removeJob(tx, { tenantId, kind: timerKind, key: timerKey(journeyId, awaitedMessageId) })

export const addresseeOf = ({ bppId, bppUri, ...conversation }: Conversation): Addressee => ({
  tenantId: conversation.tenantId,
  journeyId: conversation.journeyId,
  transactionId: conversation.transactionId,
  conversationId: conversation.conversationId,
  party: bppId,
  uri: bppUri,
  bpp: { id: bppId, uri: bppUri },
  dialect: dialectOfConversation(conversation),
  domain: domainOfConversation(conversation),
})

/** Records a request to a lender and starts awaiting its answer. */
export async function askLender(
  ctx: TxContext,
  conversation: Conversation,
  request: { action: AwaitedRequest; message: object },
  change: ConversationChange = {},
): Promise<Conversation> {
  const { tx, at } = ctx
  const timestamp = timestampAfter(at, conversation.lastMessageAt)
  const sent = await queueRequest(ctx, addresseeOf(conversation), {
    ...request,
    ttl: ctx.config.NETWORK_CALL_TTL,
    timestamp,
  })
  return changeConversation(
    tx,
    conversation,
    {
      awaitedAction: request.action,
      awaitedMessageId: sent.messageId,
      awaitedUntil: sent.answerDueAt,
      awaitedTry: 1,
      lastMessageAt: timestamp,
      ...change,
    },
    at,
  )
}

/** Returns a timestamp after `last`, because timestamps must increase even if one clock is ahead (FIS12 §3.3). */
export const timestampAfter = (at: Date, last: Date | null): Date =>
  last === null || last < at ? at : new Date(last.getTime() + 1)

/** Returns the stage after a move of the platform. Throws `wrong-state` if the move is not possible now. */
export function stageAfter(conversation: Conversation, move: PlatformMove) {
  const stage = next(conversationStages, conversation.stage, move)
  if (!stage) throw new Refusal('wrong-state', `${move} is not possible at ${conversation.stage}`)
  return stage
}

export interface AsideRequest {
  action: IgmRequest | Exclude<ExtraRequest, 'cancel'>
  message: object
  /** Time limit for the delivery and the answer, as an ISO 8601 duration. */
  ttl: string
}

/** Records a request whose answer the conversation does not await. The caller holds the journey's lock. */
export async function askAside(
  ctx: RequestDeps & Write,
  conversation: Conversation,
  request: AsideRequest,
): Promise<{ messageId: string; conversation: Conversation }> {
  const { tx, at } = ctx
  const timestamp = timestampAfter(at, conversation.lastMessageAt)
  const { messageId } = await queueRequest(ctx, addresseeOf(conversation), { ...request, timestamp, isTimed: false })
  return { messageId, conversation: await changeConversation(tx, conversation, { lastMessageAt: timestamp }, at) }
}
