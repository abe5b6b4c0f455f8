// Answers update of a loan against mutual funds: what closing it costs, or an instalment that was missed (FIS12 §11.1).
import { readUpdate } from '#contract/network/v230/update.ts'
import type { Tx } from '#kit/sql.ts'
import type { Asked, Reply } from '#sandbox/lender/answer.ts'
import { answerPayment } from '#sandbox/lender/servicing/answer-payment.ts'

/** A part repaid early would change the schedule, for which a quote of 2.3.0 has no words. */
export async function answerLamfUpdate(tx: Tx, asked: Asked): Promise<Reply> {
  const { conversation, message } = asked
  const { orderId, ...wish } = readUpdate(message)
  const failed = (code: string, text: string): Reply => ({ conversation, content: { error: { code, message: text } } })
  if (orderId !== conversation.orderId) return failed('30018', 'there is no such order')
  if (wish.label === 'PRE_PART_PAYMENT') return failed('40001', 'a part of this loan cannot be repaid early')
  return answerPayment(tx, asked, wish)
}
