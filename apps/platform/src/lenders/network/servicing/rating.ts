// The borrower's rating of the loan, once, for lenders that agreed to receive it (FIS12 §25).

import { Refusal } from '@lendloom/foundation/refusal'
import { rating } from '@lendloom/wire/network/extra/extra-messages'
import type { TxContext } from '#platform/context.ts'
import { hasAgreedTo } from '#platform/lenders/network/conversation.ts'
import { askAside } from '#platform/lenders/network/queue-request.ts'
import { changeConversation } from '#platform/lenders/network/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { findSelected } from '#platform/lending/offer/store.ts'
import { conversationOfLoan } from './exit-price.ts'

const ratingTtl = 'P1D'

/** Records and sends the rating. Throws `wrong-state` before the payout, after a first rating, and for other lenders. */
export async function rateLoan(ctx: TxContext, journey: Journey, value: number): Promise<void> {
  const { tx, at, config } = ctx
  const offer = journey.status === 'DISBURSED' ? await findSelected(tx, journey) : undefined
  const conversation = offer && (await conversationOfLoan(tx, offer))
  if (!conversation?.orderId || !hasAgreedTo(config, conversation.bppId, 'rating'))
    throw new Refusal('wrong-state', 'this loan cannot be rated')
  if (conversation.extras.rating !== undefined) throw new Refusal('wrong-state', 'this loan is rated already')
  const request = { action: 'rating', message: rating(conversation.orderId, value), ttl: ratingTtl } as const
  const { conversation: current } = await askAside(ctx, conversation, request)
  await changeConversation(tx, current, { extras: { ...current.extras, rating: value } }, at)
}
