// Puts a callback into the outbox: its bytes are made once and resent unchanged until they are acknowledged.
import { contextOf, type Dialect, type MessageContext } from '#contract/network/context.ts'
import type { AnyCallback } from '#contract/network/igm/actions.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { enqueue } from '#kit/messaging/queue.ts'
import type { ReplyContent } from './buyer-request.ts'
import type { Conversation } from './conversation.ts'
import { type AddressDeps, lenderUrl } from './order.ts'
import { type LenderPolicy, subscriberId } from './policy.ts'
import type { ProductPolicy } from './product.ts'
import { keepMessage, type NewMessage } from './store.ts'

export const sendKind = 'send callback'

export interface CallbackToSend {
  conversation: Conversation
  action: AnyCallback
  content: ReplyContent
  /** The request it answers; without one it is unsolicited and gets an id of its own. */
  request?: { messageId: string; ttl: string }
  at: Date
}

export async function sendCallback(
  tx: Tx,
  place: AddressDeps,
  policy: ProductPolicy,
  saying: CallbackToSend,
): Promise<void> {
  const { conversation, action, request, at } = saying
  const { conversationId } = conversation
  const context: MessageContext = contextOf({
    action,
    bap: { id: conversation.bapId, uri: conversation.bapUri },
    bpp: networkParty(place, policy, policy.product.dialect),
    version: policy.product.dialect,
    transactionId: conversation.transactionId,
    messageId: request?.messageId ?? uuidv4(),
    at,
    ...(request && { ttl: request.ttl }),
  })
  const number = await keepMessage(tx, place.seal, messageOf(context, saying))
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
 * How the network addresses a lender. Dialect 2.3.0 forbids a port in an address: when the sandbox has one, the
 * lender's own name is used, and its directory entry has the address. The path is the same.
 */
function networkParty(
  place: Pick<AddressDeps, 'url'>,
  policy: LenderPolicy,
  dialect: Dialect,
): { id: string; uri: string } {
  const id = subscriberId(policy)
  const address = new URL(`${lenderUrl(place, policy)}/ondc`)
  if (dialect === '2.3.0' && address.port !== '') {
    address.hostname = id
    address.port = ''
  }
  return { id, uri: address.href }
}
