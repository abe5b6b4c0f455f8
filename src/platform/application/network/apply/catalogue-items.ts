// A lender against mutual funds was found, or answers the search that named it: asked with the borrower's form, then it offers (FIS12 §10.2 rows 1–3).

import { effectOf, isMomentary, reasonOf } from '#contract/network/errors.ts'
import { type Answers, fillData } from '#contract/network/v230/form-data.ts'
import type { Answer as Ways } from '#contract/network/v230/read-on-search.ts'
import { required } from '#kit/runtime/required.ts'
import { consentRefused, consentTaken } from '#platform/aa/lender-message.ts'
import { handleOf, requireConsent } from '#platform/aa/require.ts'
import { scheduleFollowUp } from '#platform/application/network/follow-up.ts'
import type { BorrowerDetails } from '#platform/borrower/borrower.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { apply } from '#platform/network/ask-secured.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import type { InboundMessage } from '#platform/network/inbound/inbound-message.ts'
import { endConversation, openConversation } from '#platform/network/open-conversation.ts'
import { keepSecured } from '#platform/offer/pledge.ts'
import { awaitOffer, noOffer, profileTaken, receiveTerms } from '#platform/offer/receive.ts'
import { loanPreferencesOf, portfolioOf, preferredProduct } from '#platform/portfolio/portfolio.ts'
import { statementUpload } from '#platform/portfolio/statement-link.ts'
import { fundAnswers } from '#platform/profile/answers.ts'
import { readProfile } from '#platform/profile/edit.ts'
import { chosenItems } from './item-choice.ts'
import { awayForNow } from './offered.ts'

/** Asks the lenders of a catalogue. One whose form wants what nobody knows is not asked. */
export async function onCatalogue(
  ctx: TxContext,
  journey: Journey,
  { sender }: InboundMessage<'on_search'>,
  { items }: Ways,
): Promise<void> {
  const { tx } = ctx
  const { person } = await readProfile(tx, ctx, journey)
  const known = {
    ...fundAnswers(person, journey, handleOf(ctx, journey, sender, person)),
    ...(await attached(ctx, journey, person)),
  }
  const preferred = preferredProduct(await loanPreferencesOf(tx, journey))
  for (const way of chosenItems(items, known, preferred)) {
    const { answers } = fillData(way.form.fields, known)
    const form = { id: way.form.id, url: null, heading: 'PERSONAL_INFORMATION_LAMF' }
    const conversation = await openConversation(ctx, journey, sender, { ...way, form })
    if (!conversation) continue
    await awaitOffer(ctx, journey, conversation, way.ranges)
    await apply(ctx, conversation, answers)
  }
}

/** The statement of the funds, where there is one and it is not somebody else's; one registrar's own loan is asked for when it keeps all of them. */
async function attached(ctx: TxContext, journey: Journey, { personal }: BorrowerDetails): Promise<Answers> {
  const { tx, at } = ctx
  const portfolio = await portfolioOf(tx, ctx, journey)
  if (!portfolio || portfolio.holdings.length === 0) return {}
  if (portfolio.pan !== null && portfolio.pan !== personal.pan) return {}
  const [registrar, ...others] = new Set(portfolio.holdings.map((holding) => holding.registrar))
  return {
    statementUpload: statementUpload(ctx, journey, at),
    ...(registrar && others.length === 0 && { rtaName: registrar }),
  }
}

/** What one lender says to the borrower's form: an offer, a consent that it wants first, or nothing for this borrower. */
export async function onAnswer(
  ctx: TxContext,
  before: Journey,
  conversation: Conversation,
  { found, error, move, offer }: InboundMessage<'on_search'>,
): Promise<void> {
  const { tx, at } = ctx
  if (error && conversation.stage === 'CONSENT_GIVEN' && isMomentary(error.code))
    return awayForNow(tx, before, conversation, at)
  const isAway = error && effectOf(error.code, 'before-offer', '2.3.0') === 'retry'
  const reason = error && (isAway ? 'LENDER_UNREACHABLE' : reasonOf(error.code, '2.3.0'))
  const journey = reason === 'LENDER_UNREACHABLE' ? before : await profileTaken(ctx, before)
  if (move === 'consentRequested' && found?.dialect === '2.3.0') {
    const requested = required(
      found.consents.find(({ providerId }) => providerId === conversation.providerId),
      'the consent that a lender asked for',
    )
    const consent = { handle: requested.consentHandle, purpose: 'UNDERWRITING' } as const
    if (await requireConsent(ctx, journey, conversation, consent)) await scheduleFollowUp(tx, conversation, at)
    return
  }
  if (offer) {
    await consentTaken(tx, journey, conversation, at)
    await keepSecured(ctx, journey, conversation.conversationId, offer)
    await receiveTerms(ctx, journey, conversation, offer.terms)
    return
  }
  const because = reason ?? 'NO_OFFER_ON_FUNDS'
  await consentRefused(ctx, journey, conversation, because)
  await endConversation(tx, conversation, error ? `error ${error.code}` : 'it offers nothing', at)
  await noOffer(ctx, journey, conversation, because)
}
