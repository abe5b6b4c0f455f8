// Asks a lender for the page on which something about a disbursed loan is paid (FIS12 §11.1).
import { type PaymentUpdate, update as updateMessage } from '#contract/network/v203/update.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#platform/context.ts'
import { askLender } from './ask.ts'
import type { Conversation } from './conversation.ts'

/** Refused as `wrong-state` unless the loan is disbursed and the lender owes us no other answer. */
export function askPayment(
  tx: Tx,
  ctx: Context,
  conversation: Conversation,
  requested: PaymentUpdate,
  at: Date,
): Promise<Conversation> {
  const { stage, orderId, awaitedMessageId } = conversation
  if (stage !== 'DISBURSED' || orderId === null || awaitedMessageId !== null)
    throw new Refusal('wrong-state', `nothing can be paid at ${stage}`)
  const message = updateMessage({ orderId, target: 'payments', ...requested })
  return askLender(tx, ctx, conversation, { action: 'update', message }, at)
}
