// Receives a lender's answer to an extra action: archives it, and keeps its content in the conversation (FIS12 §25).

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { LenderContext } from '@lendloom/wire/network/context'
import { readOnSupport, readOnTrack } from '@lendloom/wire/network/extra/extra-messages'
import type { ExtraCallback, ExtraRequest } from '@lendloom/wire/network/sequence'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { checkForRepeat, requireVersion } from './check-received-message.ts'
import type { Conversation, Extras } from './conversation.ts'
import { archiveIncoming, type Headers, readRequest } from './messages/store.ts'
import { changeConversation, readConversation } from './store.ts'

interface ReceivedExtra {
  action: ExtraCallback
  context: LenderContext
  message: unknown
  raw: Buffer
  headers: Headers
}

const requests: Record<ExtraCallback, ExtraRequest> = { on_support: 'support', on_track: 'track', on_rating: 'rating' }

/** Returns `known` for a repeated message. Throws `wrong-state` if it answers no request of ours to this lender. */
export async function receiveExtraCallback(
  ctx: TxContext,
  journey: Journey,
  received: ReceivedExtra,
): Promise<Conversation | 'known'> {
  const { tx, at } = ctx
  const { action, context, message, raw, headers } = received
  const { tenantId, journeyId } = journey
  if (await checkForRepeat(ctx, journey, received)) return 'known'
  const { message_id: messageId, bpp_id: party } = context
  const request = await readRequest(tx, ctx.seal, journey, { messageId, action: requests[action] })
  const conversation =
    request?.conversationId && (await readConversation(tx, tenantId, journeyId, request.conversationId))
  if (!conversation || conversation.bppId !== party)
    throw new Refusal('wrong-state', `this ${action} does not answer a request`)
  requireVersion(conversation, context)
  const answer = message === undefined ? {} : answerIn(ctx, conversation, received)
  const { conversationId, lastMessageAt } = conversation
  await archiveIncoming(tx, ctx.seal, {
    tenantId,
    journeyId,
    conversationId,
    messageKey: uuidv7(at.getTime(), bucketOf(journeyId)),
    party,
    action,
    messageId,
    body: raw,
    headers,
    outcome: 'ACK',
    at,
  })
  const sentAt = new Date(context.timestamp)
  const isNewest = lastMessageAt === null || sentAt > lastMessageAt
  const extras = { ...conversation.extras, ...answer }
  return changeConversation(tx, conversation, { extras, ...(isNewest && { lastMessageAt: sentAt }) }, at)
}

function answerIn(
  ctx: TxContext,
  { orderId }: Conversation,
  { action, message }: ReceivedExtra,
): Pick<Extras, 'support' | 'trackingUrl'> {
  if (action === 'on_rating') return {}
  if (action === 'on_track') return { trackingUrl: securePage(ctx, readOnTrack(message), 'message.tracking.url') }
  const { orderId: named, contact } = readOnSupport(message)
  if (named !== null && named !== orderId)
    throw invalid({ path: 'message.support.order_id', message: 'is the order of another loan' })
  return { support: { ...contact, url: securePage(ctx, contact.url, 'message.support.url') } }
}

/** The borrower opens the page, so outside the sandbox it must be encrypted. */
function securePage({ config }: TxContext, url: string | null, path: string): string | null {
  if (url === null || config.SANDBOX || url.startsWith('https:')) return url
  throw invalid({ path, message: 'must be an https URL' })
}
