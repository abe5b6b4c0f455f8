// Handles a lender's answer to the search: lists the lender, chooses an item and fills the lender's form (FIS12 §8.1,
// §10.1, D1 PROFILED).

import { required } from '@lendloom/foundation/required'
import { effectOf, isTransient, reasonOf } from '@lendloom/wire/network/errors'
import type { CatalogProduct } from '@lendloom/wire/network/v230/categories'
import { type Answers, type FormField, fillData } from '@lendloom/wire/network/v230/form-data'
import type { SearchAnswer as CatalogAnswer, CatalogItem } from '@lendloom/wire/network/v230/search'
import type { TxContext } from '#platform/context.ts'
import {
  handleOf,
  recordConsentRefused,
  recordConsentUsed,
  requireConsent,
} from '#platform/lenders/network/consent/consent-request.ts'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import { scheduleFollowUp } from '#platform/lenders/network/follow-up.ts'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import { sendDedupe, sendInit, sendSelect } from '#platform/lenders/network/lender-requests.ts'
import {
  endConversation,
  openConversation,
  openConversations,
  providersHeardElsewhere,
} from '#platform/lenders/network/open-conversation.ts'
import { fundAnswers } from '#platform/lenders/network/profile-answers.ts'
import { sendProfileInSearch } from '#platform/lenders/network/secured-loan-requests.ts'
import { readConversations } from '#platform/lenders/network/store.ts'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { isSwitchedOff } from '#platform/lending/lender/switch/store.ts'
import {
  awaitOffer,
  awaitOfferAgain,
  recordNoOffer,
  recordProfileAccepted,
  recordTerms,
} from '#platform/lending/offer/lender-answers.ts'
import { reopenSearch } from '#platform/lending/offer/offer-window.ts'
import { storeSecurity } from '#platform/lending/offer/pledge.ts'
import { preferredProduct } from '#platform/lending/portfolio/loan-preferences.ts'
import { statementUpload } from '#platform/lending/portfolio/statement-file.ts'
import { loanPreferencesOf, portfolioOf } from '#platform/lending/portfolio/store.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { finalTermsOf } from '#platform/lending/step/final-terms.ts'
import { endAsRejected } from '#platform/lending/step/lender-decision.ts'
import { markStepFailed } from '#platform/lending/step/move-step.ts'
import { retryUnavailableLender } from './select-answer.ts'
import { submitProfileForm } from './submit-profile-form.ts'

/** Lenders may join until the borrower has chosen. */
const statusesBeforeChoice: Journey['status'][] = ['STARTED', 'PROFILED', 'OFFERED']

export async function onSearch(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  inbound: InboundMessage<'on_search'>,
): Promise<void> {
  const { tx } = ctx
  if (!statusesBeforeChoice.includes(journey.status) || journey.search === 'NONE') return
  const { sender, found } = inbound
  if (conversation) return onAnswer(ctx, journey, conversation, inbound)
  if (found?.dialect === '2.3.0') return onCatalogue(ctx, journey, inbound, found)
  if (!found) return
  const { category } = productOf(journey).network
  const matchingItems = found.items.filter(({ product }) => product === category)
  const opened = await openConversations(ctx, journey, sender, matchingItems)
  if (opened.length === 0) return
  await reopenSearch(ctx, journey)
  const { person } = await readProfile(tx, ctx, journey)
  for (const conversation of opened) {
    const item = required(
      matchingItems.find(
        ({ itemId, providerId }) => itemId === conversation.itemId && providerId === conversation.providerId,
      ),
      'the item that a conversation was opened about',
    )
    const isChecked = conversation.extras.dedupe !== undefined
    await Promise.all([
      awaitOffer(ctx, journey, { ...conversation, assessment: item.assessment }, item.ranges),
      isChecked ? sendDedupe(ctx, conversation, person) : submitProfileForm(ctx, journey, conversation, person),
    ])
  }
}

/** Sends a resubmitted profile to the lenders that have not received the profile. */
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
    await submitProfileForm(ctx, journey, conversation, person)
  }
}

/** Applies to the lenders of a catalogue, except those whose form needs data that we do not have. */
async function onCatalogue(
  ctx: TxContext,
  journey: Journey,
  { sender }: InboundMessage<'on_search'>,
  { items }: CatalogAnswer,
): Promise<void> {
  const { tx } = ctx
  const { person } = await readProfile(tx, ctx, journey)
  const availableAnswers = {
    ...fundAnswers(person, journey, handleOf(ctx, journey, sender, person)),
    ...(await statementAnswers(ctx, journey, person)),
  }
  const preferred = preferredProduct(await loanPreferencesOf(tx, journey))
  const heardElsewhere = await providersHeardElsewhere(ctx, journey, sender)
  const itemsOfOthers = items.filter(({ providerId }) => !heardElsewhere.includes(providerId))
  for (const item of chosenItems(itemsOfOthers, availableAnswers, preferred)) {
    const { answers } = fillData(item.form.fields, availableAnswers)
    const form = { id: item.form.id, url: null, heading: 'PERSONAL_INFORMATION_LAMF' }
    const conversation = await openConversation(ctx, journey, sender, { ...item, form })
    if (!conversation) continue
    await awaitOffer(ctx, journey, conversation, item.ranges)
    await sendProfileInSearch(ctx, conversation, answers)
  }
}

/**
 * Returns the answers from the borrower's fund statement; none without a statement for this PAN. If one registrar
 * administers all funds, the answers include the registrar, because the lender may have a loan product for its funds.
 */
async function statementAnswers(ctx: TxContext, journey: Journey, { personal }: BorrowerDetails): Promise<Answers> {
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

/** A lender's answer to the borrower's form: an offer, a request for consent, or a rejection. */
async function onAnswer(
  ctx: TxContext,
  journeyBefore: Journey,
  conversation: Conversation,
  { found, error, move, offer }: InboundMessage<'on_search'>,
): Promise<void> {
  const { tx, at } = ctx
  if (error && conversation.stage === 'CONSENT_GIVEN' && isTransient(error.code))
    return retryUnavailableLender(tx, journeyBefore, conversation, at)
  const isUnreachable = error && effectOf(error.code, 'before-offer', '2.3.0') === 'retry'
  const reason = error && (isUnreachable ? 'LENDER_UNREACHABLE' : reasonOf(error.code, '2.3.0'))
  const journey = reason === 'LENDER_UNREACHABLE' ? journeyBefore : await recordProfileAccepted(ctx, journeyBefore)
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
    await recordConsentUsed(tx, journey, conversation, at)
    await storeSecurity(ctx, journey, conversation.conversationId, {
      schemes: offer.schemes,
      ownPage: offer.offline,
      creditLine: offer.product === 'CREDIT_LINE',
    })
    await recordTerms(ctx, journey, conversation, offer.terms)
    return
  }
  const reasonShown = reason ?? 'NO_OFFER_ON_FUNDS'
  await recordConsentRefused(ctx, journey, conversation, reasonShown)
  await endConversation(tx, conversation, error ? `error ${error.code}` : 'it made no offer', at)
  await recordNoOffer(ctx, journey, conversation, reasonShown)
}

/** An item that we can apply for, because we have its form and all data that the form requires. */
type AnswerableItem = CatalogItem & { form: { id: string; fields: FormField[] }; fulfillmentId: string }

/**
 * Chooses one item per provider; if the borrower prefers a product, only items of this product. Prefers an uploaded
 * statement to an aggregator consent, which is one more step for the borrower, and our pages to the lender's pages.
 */
export function chosenItems(
  items: readonly CatalogItem[],
  availableAnswers: Answers,
  preferred: CatalogProduct | null,
): AnswerableItem[] {
  const usable = items.filter(
    (item): item is AnswerableItem =>
      item.matched &&
      item.form !== null &&
      item.fulfillmentId !== null &&
      (preferred === null || item.product === preferred) &&
      fillData(item.form.fields, availableAnswers).missing.length === 0,
  )
  const providers = [...new Set(usable.map(({ providerId }) => providerId))]
  return providers.map((providerId) => {
    const itemsOfProvider = usable.filter((item) => item.providerId === providerId)
    return itemsOfProvider.reduce((best, item) => (rank(item) < rank(best) ? item : best))
  })
}

const rank = ({ portfolio, offline }: AnswerableItem): number =>
  (portfolio === 'account-aggregator' ? 2 : 0) + (offline ? 1 : 0)

/** Sends the next request after the lender accepted a form that we submitted for the borrower. */
export async function onFormAccepted(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  { purpose }: InboundMessage<'form_accepted'>,
): Promise<void> {
  const { tx } = ctx
  if (!conversation) return
  if (purpose === 'BANK') return void (await sendInit(ctx, conversation, await finalTermsOf(tx, ctx, journey)))
  if (purpose === 'PROFILE') await recordProfileAccepted(ctx, journey)
  await sendSelect(ctx, conversation)
}

export async function onFormRefused(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  { purpose, fields, unfilled }: InboundMessage<'form_refused'>,
): Promise<void> {
  const { tx, at } = ctx
  if (!conversation) return
  const names = fields.map(({ path }) => path).join(', ')
  if (purpose === 'BANK') {
    await markStepFailed(tx, journey, { name: 'bankMandate', problem: 'ACCOUNT_NOT_TAKEN', retryable: true, at })
    return
  }
  const form = `the ${purpose.toLowerCase()} form`
  const cause =
    unfilled === undefined ? `${form} was rejected${names && `: ${names}`}` : `${form} could not be filled: ${unfilled}`
  await endConversation(tx, conversation, cause, at)
  if (purpose === 'PROFILE')
    await recordNoOffer(ctx, journey, conversation, unfilled === undefined ? 'DETAILS_NOT_TAKEN' : 'FORM_NOT_FILLED')
  else await endAsRejected(ctx, journey, 'CHOICE_NOT_OFFERED')
}
