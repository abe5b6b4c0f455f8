// A lender that judges by the bureau and by bank data may make two offers: the second is asked for, and the first is taken by a second form (FIS12 §19.1, §19.2).
import { handleOf } from '#platform/aa/require.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { select } from '#platform/network/ask-lender.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import type { InboundMessage } from '#platform/network/inbound/inbound-message.ts'
import { openConversation } from '#platform/network/open-conversation.ts'
import { changeConversation, readLender } from '#platform/network/store.ts'
import { submitForm } from '#platform/network/submit-form.ts'
import { awaitSecondOffer } from '#platform/offer/receive.ts'
import { customerAnswers } from '#platform/profile/answers.ts'
import { readProfile } from '#platform/profile/edit.ts'

/**
 * Asks for the second offer with the answer to the first form. The first offer stands meanwhile, and is as good as before
 * if no second one comes. Once asked for, it is not asked for again. Called before the terms of the first offer are kept.
 */
export async function askSecondOffer(ctx: TxContext, journey: Journey, first: Conversation): Promise<void> {
  const { tx, at } = ctx
  const { secondItemId, profileFormId, profileSubmissionId, bppId, bppUri, lastMessageAt, lenderId, providerId } = first
  const lender = await readLender(tx, journey.tenantId, lenderId)
  if (secondItemId === null || profileFormId === null || profileSubmissionId === null || !lender) return
  const sender = { bppId, bppUri, sentAt: lastMessageAt ?? at }
  const form = { id: profileFormId, url: first.profileFormUrl, heading: null }
  const subject = { lender, providerId, itemId: secondItemId, form, fulfillmentId: null }
  const opened = await openConversation(ctx, journey, sender, subject)
  if (!opened) return
  await awaitSecondOffer(tx, journey, { first: first.conversationId, second: opened.conversationId }, at)
  const answered = { submissionId: profileSubmissionId, profileSubmissionId, formReceived: true } as const
  await select(ctx, await changeConversation(tx, opened, { stage: 'PROFILED', ...answered }, at))
}

/** The borrower took an offer that wants a second form: it is filled in with what is known, and with what was chosen. */
export async function onFormDue(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  { answers }: InboundMessage<'form_due'>,
): Promise<void> {
  const { tx } = ctx
  if (!conversation || journey.status !== 'OFFER_SELECTED') return
  const { person } = await readProfile(tx, ctx, journey)
  const known = customerAnswers(person, journey, handleOf(ctx, journey, conversation, person))
  await submitForm(ctx, conversation, 'AMOUNT', { ...known, ...answers })
}
