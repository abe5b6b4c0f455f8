// Asks a lender what a borrower wants after disbursal: a page on which something is paid, or how the loan stands (FIS12 §11.1).
import { type PaymentUpdate, update as updateMessage } from '#contract/network/v203/update.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { required } from '#kit/runtime/record.ts'
import type { TxContext } from '#platform/context.ts'
import type { ServicingRequest } from '#platform/lender/channel.ts'
import { askLender } from './ask.ts'
import { status } from './ask-lender.ts'
import type { Conversation } from './conversation.ts'

/** Whether the lender can be asked something now: one answer comes before the next question (FIS12 §4.1). */
export const isFree = ({ awaitedMessageId, stage }: Conversation): boolean =>
  awaitedMessageId === null && stage !== 'ENDED'

/** Asks for what the borrower wants; refusals are those of `askPayment`. */
export function askServicing(
  ctx: TxContext,
  conversation: Conversation,
  { kind, requestedPaise }: Pick<ServicingRequest, 'kind' | 'requestedPaise'>,
): Promise<Conversation> {
  if (kind === 'STATUS_REFRESH') return status(ctx, conversation)
  const requested =
    kind === 'PRE_PART_PAYMENT'
      ? { label: kind, amount: required(requestedPaise, 'the amount of a part payment') }
      : { label: kind }
  return askPayment(ctx, conversation, requested)
}

/** Refused as `wrong-state` unless the loan is disbursed and the lender owes us no other answer. */
function askPayment(ctx: TxContext, conversation: Conversation, requested: PaymentUpdate): Promise<Conversation> {
  const { stage, orderId, awaitedMessageId } = conversation
  if (stage !== 'DISBURSED' || orderId === null || awaitedMessageId !== null)
    throw new Refusal('wrong-state', `nothing can be paid at ${stage}`)
  const message = updateMessage({ orderId, target: 'payments', ...requested })
  return askLender(ctx, conversation, { action: 'update', message })
}
