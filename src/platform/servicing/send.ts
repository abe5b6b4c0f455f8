// Puts requests of borrowers to the lender, one at a time: the network receives an answer before the next question (FIS12 §4.1).

import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { askServicing, isFree } from '#platform/network/ask-payment.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import type { Servicing } from './servicing.ts'
import { keepServicing, listServicing } from './store.ts'

/** Waits for its turn: the lender was not asked it yet. */
export const isUnsent = ({ status, asks }: Servicing): boolean => status === 'REQUESTED' && asks === 0

/** Sends the oldest one that still waits for its turn, unless an answer of the lender is awaited. */
export async function sendWaiting(ctx: TxContext, journey: Journey, conversation: Conversation): Promise<void> {
  const { tx } = ctx
  if (!isFree(conversation)) return
  const waiting = (await listServicing(tx, journey)).find(isUnsent)
  if (waiting) await put(ctx, conversation, waiting)
}

/** Asks, or asks again what the lender seems not to have received; gives the conversation as it then is. */
export async function put(ctx: TxContext, conversation: Conversation, operation: Servicing): Promise<Conversation> {
  const { tx, at } = ctx
  await keepServicing(tx, { ...operation, asks: operation.asks + 1, updatedAt: at })
  return askServicing(ctx, conversation, operation)
}
