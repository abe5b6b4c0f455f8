// Answers status of a loan against mutual funds: as it stands, or why there is nothing to tell (FIS12 §11.2).
import { onStatus, readStatus } from '#contract/network/v230/update.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { BuyerRequest, Reply } from '#sandbox/lender/core/product.ts'
import { isMeant, lastResult } from '#sandbox/lender/core/status.ts'
import { submissionsOf } from '#sandbox/lender/core/store.ts'
import { disbursedLamf } from './loan-state.ts'
import { lamfDraft } from './order.ts'

export async function answerLamfStatus(
  tx: Tx,
  { ctx, policy, conversation, message, at }: BuyerRequest,
): Promise<Reply> {
  const { conversationId, status, orderId } = conversation
  const failed = (code: string, text: string): Reply => ({ conversation, content: { error: { code, message: text } } })
  const file = { place: ctx, policy, conversation }
  const submissions = await submissionsOf(tx, conversationId)
  if (!isMeant(conversation, submissions, readStatus(message))) return failed('30018', 'there is no such order')
  if (status === 'EXPIRED') return failed('40003', 'the offer has lapsed')
  if (status === 'REFUSED') return failed('80203', 'the application was declined')
  if (status === 'DISBURSED') return { conversation, content: { message: onStatus(await disbursedLamf(tx, file, at)) } }
  const result = orderId === null ? lastResult(policy.product, conversation, submissions) : undefined
  const draft = await lamfDraft(tx, file, result)
  return draft ? { conversation, content: { message: onStatus(draft) } } : failed('30018', 'there is no offer yet')
}
