// What on_select brings: a first offer, the final terms of the chosen one, or an error in place of either (FIS12 §8.1, §3.2).
import { effectOf, reasonOf } from '#contract/network/errors.ts'
import type { Tx } from '#kit/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import type { Happening } from '#platform/network/happening/happening.ts'
import { endConversation } from '#platform/network/open-conversation.ts'
import { noOffer, receiveTerms } from '#platform/offer/receive.ts'
import { stepReady } from '#platform/step/move.ts'
import type { World } from '#platform/world.ts'
import { lenderError } from './lender-error.ts'

export async function onSelect(
  tx: Tx,
  world: World,
  journey: Journey,
  conversation: Conversation | null,
  { order, error }: Happening<'on_select'>,
  at: Date,
): Promise<void> {
  if (!conversation || !journey.active) return
  const chosen = journey.status !== 'STARTED' && journey.status !== 'PROFILED' && journey.status !== 'OFFERED'
  if (error) {
    if (chosen) return lenderError(tx, world, journey, conversation, error.code, at)
    if (effectOf(error.code, 'before-offer') === 'retry')
      world.log.warn({ party: conversation.bppId, code: error.code }, 'a lender could not answer')
    await endConversation(tx, conversation, `error ${error.code}`, at)
    await noOffer(tx, world, journey, conversation, reasonOf(error.code), at)
    return
  }
  if (!order?.terms) return
  await receiveTerms(tx, world, journey, conversation, order.terms, at)
  if (chosen && order.form) await stepReady(tx, journey, 'kyc', { url: order.form.url, formId: order.form.id }, at)
}
