// Sends the borrower's requests after disbursal to the lender, one at a time (FIS12 §4.1).

import type { TxContext } from '#platform/context.ts'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import { askServicing, canSendRequest } from '#platform/lenders/network/lender-requests.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { ServicingRow } from '#platform/lending/servicing/operation.ts'
import { isUnsent } from '#platform/lending/servicing/request-servicing.ts'
import { countAsk, listServicing } from '#platform/lending/servicing/store.ts'

/** Sends the oldest unsent request, unless the lender still has to answer an earlier request. */
export async function sendNextOperation(ctx: TxContext, journey: Journey, conversation: Conversation): Promise<void> {
  const { tx } = ctx
  if (!canSendRequest(conversation)) return
  const unsent = (await listServicing(tx, journey)).find(isUnsent)
  if (unsent) await sendOperation(ctx, conversation, unsent)
}

/** Sends a request, also again if the lender has not received it. Returns the conversation. */
export async function sendOperation(
  ctx: TxContext,
  conversation: Conversation,
  operation: ServicingRow,
): Promise<Conversation> {
  const { tx, at } = ctx
  await countAsk(tx, operation, at)
  return askServicing(ctx, conversation, operation)
}
