// Puts a callback into the outbox, from which the same bytes are resent until the buyer app acknowledges them.

import type { Tx } from '@lendloom/postgres/sql'
import { enqueue } from '@lendloom/queue/queue'
import { uuidv4 } from '@lendloom/seal/id'
import { contextOf, type Dialect, type MessageContext } from '@lendloom/wire/network/context'
import type { AnyCallback } from '@lendloom/wire/network/igm/actions'
import { domainOf } from '#sandbox/core/lender-version.ts'
import type { ReplyContent } from './buyer-request.ts'
import type { Conversation } from './conversation.ts'
import { type LenderPolicy, subscriberId } from './lender-policies.ts'
import { type AddressDeps, lenderUrl } from './message-parts.ts'
import type { ProductPolicy } from './product.ts'
import { type NewMessage, storeMessage } from './store.ts'

/** The kind of job that posts a callback. */
export const sendKind = 'send callback'

export interface CallbackToSend {
  conversation: Conversation
  action: AnyCallback
  content: ReplyContent
  /** The request that it answers; an unsolicited callback has none and gets its own message id. */
  request?: { messageId: string; ttl: string }
  at: Date
}

/** Stores a callback and enqueues it, in the transaction of what it reports. */
export async function sendCallback(
  tx: Tx,
  deps: AddressDeps,
  policy: ProductPolicy,
  callback: CallbackToSend,
): Promise<void> {
  const { conversation, action, request, at } = callback
  const { conversationId } = conversation
  const context: MessageContext = contextOf({
    action,
    bap: { id: conversation.bapId, uri: conversation.bapUri },
    bpp: networkParty(deps, policy, policy.dialect),
    version: policy.dialect,
    domain: domainOf(conversation.version),
    transactionId: conversation.transactionId,
    messageId: request?.messageId ?? uuidv4(),
    at,
    ...(request && { ttl: request.ttl }),
  })
  const number = await storeMessage(tx, deps.seal, messageOf(context, callback))
  const payload = { conversationId, number: String(number) }
  await enqueue(tx, { tenantId: conversationId, kind: sendKind, payload, dueAt: at })
}

const messageOf = (context: MessageContext, { conversation, content, at }: CallbackToSend): NewMessage => ({
  conversationId: conversation.conversationId,
  direction: 'out',
  action: context.action,
  messageId: context.message_id,
  errorCode: 'error' in content ? content.error.code : null,
  body: Buffer.from(JSON.stringify({ context, ...content })),
  at,
})

/**
 * A lender's id and URI on the network. Dialect 2.3.0 forbids a port in a URI: if the sandbox has one, the URI uses the
 * lender's domain name, and the registry has the real address.
 */
function networkParty(
  deps: Pick<AddressDeps, 'url'>,
  policy: LenderPolicy,
  dialect: Dialect,
): { id: string; uri: string } {
  const id = subscriberId(policy)
  const address = new URL(`${lenderUrl(deps, policy)}/ondc`)
  if (dialect === '2.3.0' && address.port !== '') {
    address.hostname = id
    address.port = ''
  }
  return { id, uri: address.href }
}
