// A lender answered the search: it is listed, and the profile form it asks for is filled (FIS12 §8.1, D1 PROFILED).
import type { Tx } from '#kit/db/sql.ts'
import { handleOf } from '#platform/aa/require.ts'
import type { BorrowerDetails } from '#platform/borrower/details.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import type { InboundMessage } from '#platform/network/inbound/inbound-message.ts'
import { openConversations } from '#platform/network/open-conversation.ts'
import { readConversations } from '#platform/network/store.ts'
import { submitForm } from '#platform/network/submit-form.ts'
import { awaitOffer, awaitOfferAgain } from '#platform/offer/receive.ts'
import { reopenSearch } from '#platform/offer/window.ts'
import { productOf } from '#platform/product/products.ts'
import { profileAnswers } from '#platform/profile/answers.ts'
import { readProfile } from '#platform/profile/edit.ts'
import { onAnswer, onCatalogue } from './catalogue-items.ts'

/** Lenders may join as long as the borrower has not chosen. */
const open: Journey['status'][] = ['STARTED', 'PROFILED', 'OFFERED']

export async function onSearch(
  tx: Tx,
  ctx: Context,
  journey: Journey,
  conversation: Conversation | null,
  inbound: InboundMessage<'on_search'>,
  at: Date,
): Promise<void> {
  if (!open.includes(journey.status) || journey.search === 'NONE') return
  const { sender, found } = inbound
  if (conversation) return onAnswer(tx, ctx, journey, conversation, inbound, at)
  if (found?.dialect === '2.3.0') return onCatalogue(tx, ctx, journey, inbound, found, at)
  if (!found) return
  const { category } = productOf(journey).network
  const wanted = found.items.filter(({ product }) => product === category)
  const fresh = await openConversations(tx, ctx, journey, sender, wanted, at)
  if (fresh.length === 0) return
  await reopenSearch(tx, ctx, journey, at)
  const { person } = await readProfile(tx, ctx, journey)
  const answers = answersOf(ctx, journey, sender, person)
  for (const conversation of fresh) {
    const item = wanted.find(
      ({ itemId, providerId }) => itemId === conversation.itemId && providerId === conversation.providerId,
    )!
    await awaitOffer(tx, journey, { ...conversation, assessment: item.assessment }, item.ranges, at)
    await submitForm(tx, ctx, conversation, 'PROFILE', answers, at)
  }
}

/** The borrower sent the profile again: lenders that did not get it get it now. */
export async function onProfileResent(
  tx: Tx,
  ctx: Context,
  journey: Journey,
  _: Conversation | null,
  __: InboundMessage<'asked_again'>,
  at: Date,
): Promise<void> {
  if (journey.status !== 'STARTED') return
  const { person } = await readProfile(tx, ctx, journey)
  for (const conversation of await readConversations(tx, journey.tenantId, journey.journeyId)) {
    if (conversation.stage !== 'DISCOVERED') continue
    await awaitOfferAgain(tx, journey, conversation, at)
    await submitForm(tx, ctx, conversation, 'PROFILE', answersOf(ctx, journey, conversation, person), at)
  }
}

const answersOf = (ctx: Context, journey: Journey, lender: Pick<Conversation, 'bppId'>, person: BorrowerDetails) =>
  profileAnswers(person, journey, handleOf(ctx, journey, lender, person))
