// What became of a form that was filled for the borrower: taken, the next request follows; turned away, it is mended or ends.

import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { init, select } from '#platform/network/ask-lender.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import type { InboundMessage } from '#platform/network/inbound/inbound-message.ts'
import { endConversation } from '#platform/network/open-conversation.ts'
import { noOffer, profileTaken } from '#platform/offer/receive.ts'
import { agreedOn } from '#platform/step/agreed.ts'
import { lenderRejected, stepFailed } from '#platform/step/move.ts'

export async function onFormAccepted(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  { purpose }: InboundMessage<'form_accepted'>,
): Promise<void> {
  const { tx } = ctx
  if (!conversation) return
  if (purpose === 'BANK') return void (await init(ctx, conversation, await agreedOn(tx, ctx, journey)))
  if (purpose === 'PROFILE') await profileTaken(ctx, journey)
  await select(ctx, conversation)
}

export async function onFormRefused(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  { purpose, fields }: InboundMessage<'form_refused'>,
): Promise<void> {
  const { tx, at } = ctx
  if (!conversation) return
  const names = fields.map(({ path }) => path).join(', ')
  if (purpose === 'BANK') {
    await stepFailed(tx, journey, { name: 'bankMandate', problem: 'ACCOUNT_NOT_TAKEN', retryable: true, at })
    return
  }
  await endConversation(
    tx,
    conversation,
    `the ${purpose.toLowerCase()} form was turned away${names && `: ${names}`}`,
    at,
  )
  if (purpose === 'PROFILE') await noOffer(ctx, journey, conversation, 'DETAILS_NOT_TAKEN')
  else await lenderRejected(ctx, journey, 'CHOICE_NOT_OFFERED')
}
