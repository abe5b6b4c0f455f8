// Sends a grievance message to a loan's lender in the loan's conversation (FIS12 §20).
import type { IgmRequest } from '#contract/network/igm/actions.ts'
import type { Write } from '#kit/db/write.ts'
import { addresseeOf, ask, type RequestDeps, timestampAfter } from './ask.ts'
import type { Conversation } from './conversation.ts'
import { changeConversation } from './store.ts'

export interface GrievanceRequest {
  action: IgmRequest
  message: object
  /** Time limit for the delivery and the answer, as an ISO 8601 duration. */
  ttl: string
}

/**
 * Records the request, which is sent after the commit, and returns the message id. The conversation does not await the
 * answer. The caller holds the journey's lock.
 */
export async function askAboutGrievance(
  ctx: RequestDeps & Write,
  conversation: Conversation,
  request: GrievanceRequest,
): Promise<string> {
  const { tx, at } = ctx
  const timestamp = timestampAfter(at, conversation.lastMessageAt)
  const { messageId } = await ask(ctx, addresseeOf(conversation), { ...request, timestamp })
  await changeConversation(tx, conversation, { lastMessageAt: timestamp }, at)
  return messageId
}
