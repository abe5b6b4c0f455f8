// Answers update: what is asked of a loan that is placed, by its target (FIS12 §8.1, §11.1).
import { readUpdate } from '#contract/network/v203/update.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { BuyerRequest, Reply } from '#sandbox/lender/process/answer.ts'
import { answerPayment } from '#sandbox/lender/servicing/answer-payment.ts'
import { answerApproval } from './answer-approval.ts'

export async function answerUpdate(tx: Tx, asked: BuyerRequest): Promise<Reply> {
  const { conversation } = asked
  const request = readUpdate(asked.message)
  const failed = (code: string, message: string): Reply => ({ conversation, content: { error: { code, message } } })
  if (request.orderId !== conversation.orderId) return failed('30018', 'there is no such order')
  if (request.target === 'payments') return answerPayment(tx, asked, request)
  return answerApproval(tx, asked)
}
