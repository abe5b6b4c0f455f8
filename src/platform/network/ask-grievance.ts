// Sends a grievance message to a loan's lender, in the loan's conversation but outside its order (FIS12 §20).
import type { IgmRequest } from '#contract/network/igm/actions.ts'
import type { Write } from '#kit/db/write.ts'
import { addresseeOf, ask, type RequestDeps, timestampAfter } from './ask.ts'
import type { Conversation } from './conversation.ts'
import { changeConversation } from './store.ts'

export interface GrievanceRequest {
  action: IgmRequest
  message: object
  /** Time limit of delivery and answer, as an ISO 8601 duration. */
  ttl: string
}

/**
 * Records the request and returns its message id; it is sent after the commit. The loan does not wait for its answer,
 * so the conversation stays unchanged. The caller holds the journey's lock.
 */
export async function askAboutGrievance(
  ctx: RequestDeps & Write,
  conversation: Conversation,
  request: GrievanceRequest,
): Promise<string> {
  const { tx, at } = ctx
  const stamp = timestampAfter(at, conversation.lastMessageAt)
  const { messageId } = await ask(ctx, addresseeOf(conversation), { ...request, stamp })
  await changeConversation(tx, conversation, { lastMessageAt: stamp }, at)
  return messageId
}
