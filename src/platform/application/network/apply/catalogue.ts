// A lender answered the search: it is listed, and the profile form it asks for is filled (FIS12 §8.1, D1 PROFILED).
import { required } from '#kit/runtime/required.ts'
import { handleOf } from '#platform/aa/require.ts'
import type { BorrowerDetails } from '#platform/borrower/borrower.ts'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { isSwitchedOff } from '#platform/lender/switch/store.ts'
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
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  inbound: InboundMessage<'on_search'>,
): Promise<void> {
  const { tx } = ctx
  if (!open.includes(journey.status) || journey.search === 'NONE') return
  const { sender, found } = inbound
  if (conversation) return onAnswer(ctx, journey, conversation, inbound)
  if (found?.dialect === '2.3.0') return onCatalogue(ctx, journey, inbound, found)
  if (!found) return
  const { category } = productOf(journey).network
  const wanted = found.items.filter(({ product }) => product === category)
  const fresh = await openConversations(ctx, journey, sender, wanted)
  if (fresh.length === 0) return
  await reopenSearch(ctx, journey)
  const { person } = await readProfile(tx, ctx, journey)
  const answers = answersOf(ctx, journey, sender, person)
  for (const conversation of fresh) {
    const item = required(
      wanted.find(({ itemId, providerId }) => itemId === conversation.itemId && providerId === conversation.providerId),
      'the item that a conversation was opened about',
    )
    await awaitOffer(ctx, journey, { ...conversation, assessment: item.assessment }, item.ranges)
    await submitForm(ctx, conversation, 'PROFILE', answers)
  }
}

/** The borrower sent the profile again: lenders that did not get it get it now. */
export async function onProfileResent(
  ctx: TxContext,
  journey: Journey,
  _: Conversation | null,
  __: InboundMessage<'profile_resent'>,
): Promise<void> {
  const { tx, at } = ctx
  if (journey.status !== 'STARTED') return
  const { person } = await readProfile(tx, ctx, journey)
  for (const conversation of await readConversations(tx, journey.tenantId, journey.journeyId)) {
    if (conversation.stage !== 'DISCOVERED' || (await isSwitchedOff(tx, conversation))) continue
    await awaitOfferAgain(tx, journey, conversation, at)
    await submitForm(ctx, conversation, 'PROFILE', answersOf(ctx, journey, conversation, person))
  }
}

const answersOf = (ctx: Context, journey: Journey, lender: Pick<Conversation, 'bppId'>, person: BorrowerDetails) =>
  profileAnswers(person, journey, handleOf(ctx, journey, lender, person))
