// The effect of a lender's message at the conversation's stage: a move and changed columns; pure.

import type { Callback } from '#contract/network/sequence.ts'
import { customerForm, type FormPage } from '#contract/network/v203/page.ts'
import type { SearchAnswer as CatalogAnswer, Offer } from '#contract/network/v230/search.ts'
import { next } from '#kit/runtime/machine.ts'
import { ownValue } from '#kit/runtime/record.ts'
import {
  type Conversation,
  type ConversationChange,
  formChange,
  formHeadings,
  isSecondForm,
  noAwaitedAnswer,
} from './conversation.ts'
import { isSecured, type LenderOrder } from './dialect.ts'
import { type ConversationStage, type InboundMove, stages } from './stage.ts'

/** A move of the conversation, or the reason why the message is recorded but not applied at this stage. */
export type CallbackMove = { move: InboundMove; change: ConversationChange } | { outOfSequence: string }

export interface LenderCallback {
  type: Exclude<Callback, 'on_search'>
  order: LenderOrder
  /** Whether the callback answers a request of ours. */
  solicited: boolean
}

/** Moves by the content of the message, because lenders use different actions for it (FIS12 §8.1, §14). */
export function interpretCallback(conversation: Conversation, callback: LenderCallback): CallbackMove {
  const { stage } = conversation
  const dialectReadings = isSecured(conversation) ? securedReadings : readings
  const possibleMoves =
    callback.order.state === 'CANCELLED' ? cancelled : dialectReadings[callback.type](conversation, callback)
  for (const move of possibleMoves) {
    const nextStage = next(stages, stage, move)
    if (nextStage !== undefined) return { move, change: changeBy(conversation, { move, nextStage }, callback.order) }
  }
  return { outOfSequence: `${callback.type} (${possibleMoves.join(', ') || 'nothing new'}) at ${stage}` }
}

const cancelled: InboundMove[] = ['cancelled']

/** The moves that a message may mean, most specific first. The first one that the stage allows applies. */
type Readings = Record<LenderCallback['type'], (conversation: Conversation, callback: LenderCallback) => InboundMove[]>
const readings: Readings = {
  on_select({ formId }, { order }) {
    if (order.terms === null) return order.consentHandle !== null ? ['consentRequested'] : []
    // Terms without a form or page leave the borrower no next step.
    if (order.form === null) return []
    return isNewPage(formId, order.form) ? ['offered', 'finalTerms'] : ['offered']
  },
  on_init: (_, { order }) =>
    order.form === null && order.state === 'SANCTIONED'
      ? ['sanctioned']
      : (ownValue(pageMoves, order.form?.heading ?? '') ?? []),
  on_confirm: (conversation, { order }) =>
    order.state === 'DISBURSED' ? [...monitoringFirst(conversation, order), 'disbursed', 'confirmed'] : ['confirmed'],
  on_status: movesOfReport,
  on_update: movesOfReport,
  on_cancel: () => cancelled,
}

/** Only final terms contain a new page for the borrower; a repeated first offer contains a form that we fill. */
const isNewPage = (answeredId: string | null, { id, heading }: FormPage): boolean =>
  id !== answeredId && !ownFormHeadings.includes(heading ?? '')

const ownFormHeadings = Object.values(formHeadings).flat()

const pageMoves: Record<string, InboundMove[]> = {
  ACCOUNT_INFORMATION: ['bankRequested'],
  EMANDATE: ['mandateRequested'],
  LOAN_AGREEMENT: ['agreementRequested'],
}

/** For loans against mutual funds, `on_search` contains the offers, and `on_init` the pages (FIS12 §10.2). */
const securedReadings: Readings = {
  ...readings,
  on_select: (_, { order }) => (order.terms !== null ? ['pledgeTerms'] : []),
  on_init: (_, { order }) =>
    order.form === null ? ['allSigned'] : (ownValue(securedPages, order.form.heading ?? '') ?? []),
}

const securedPages: Record<string, InboundMove[]> = {
  ...pageMoves,
  KYC: ['kycRequested'],
  JOURNEY_OFFLINE: ['kycRequested'],
  LIEN_MARKING: ['lienRequested'],
}

/** The effect of an answer to a search that only this lender received; `offer` is the one for the requested item. */
export function interpretOnSearch(
  conversation: Conversation,
  { offers, consents }: CatalogAnswer,
): { move: InboundMove | null; offer: Offer | null; change: ConversationChange } | { outOfSequence: string } {
  const { stage, providerId, itemId, parentItemId, paymentId, fulfillmentId } = conversation
  const ownOffers = offers.filter((each) => each.providerId === providerId && each.matched)
  const offer = ownOffers.find((each) => each.parentItemId === (parentItemId ?? itemId)) ?? ownOffers[0] ?? null
  const consent = consents.find((requested) => requested.providerId === providerId)
  const answer = offer ? meaningOfOffer(offer) : consent && meaningOfConsent(consent)
  if (!answer) return { move: null, offer, change: { ...noAwaitedAnswer, formReceived: true } }
  const { move, source, parent, changes } = answer
  const nextStage = next(stages, stage, move)
  if (!nextStage) return { outOfSequence: `on_search (${move}) at ${stage}` }
  // If the answer names an item that the catalogue did not list, we use that item from now on (FIS12 §17.1).
  const change = {
    stage: nextStage,
    ...noAwaitedAnswer,
    formReceived: true,
    paymentId: source.disbursalPaymentId ?? paymentId,
    fulfillmentId: source.fulfillmentId ?? fulfillmentId,
    parentItemId: parent === itemId ? null : parent,
    ...changes,
  }
  return { move, offer, change }
}

const meaningOfOffer = (offer: Offer) =>
  ({ move: 'offered', source: offer, parent: offer.parentItemId, changes: { offeredItemId: offer.itemId } }) as const

const meaningOfConsent = (consent: CatalogAnswer['consents'][number]) => {
  const changes = { formId: consent.formId, formHeading: 'CONSENT_APPROVAL' }
  return { move: 'consentRequested', source: consent, parent: consent.itemId, changes } as const
}

function movesOfReport(conversation: Conversation, { order, solicited }: LenderCallback): InboundMove[] {
  const { state, formResponse: response, orderId } = order
  if (state === 'DISBURSED' && orderId !== null)
    return [...monitoringFirst(conversation, order), 'disbursed', 'refreshed']
  // A credit line may be closed without any drawdown.
  if (state === 'COMPLETED' && orderId !== null)
    return conversation.stage === 'DISBURSED' || order.secured?.line ? ['completed', 'refreshed'] : ['refreshed']
  if (state === 'CONSENT_REQUIRED' && orderId !== null && order.consentHandle !== null)
    return ['consentRequested', 'refreshed']
  if (orderId !== null) return ['confirmed', 'refreshed']
  const unchanged: InboundMove[] = solicited ? ['notConfirmed', 'refreshed'] : []
  if (response === null) return solicited ? unchanged : ['refreshed']
  if (response.formId !== null && response.formId !== conversation.formId) return unchanged
  const isSettled = conversation.stage === 'CONFIRM_SENT' && !isConfirmedUnsigned(conversation)
  if (response.outcome === 'success')
    return response.submissionId === null || isSettled ? unchanged : ['pageDone', ...unchanged]
  return [response.outcome === 'failure' ? 'pageFailed' : 'pageWaiting', ...unchanged]
}

/** A consent request that arrives with DISBURSED comes first: the disbursal counts after the consent (FIS12 §8.1). */
const monitoringFirst = (conversation: Conversation, { consentHandle }: LenderOrder): InboundMove[] =>
  consentHandle !== null && conversation.stage !== 'MONITORING_GIVEN' && !isSecured(conversation)
    ? ['consentRequested']
    : []

/** Whether the loan was confirmed before the lender reported the signature (FIS12 §19.3). */
export const isConfirmedUnsigned = (conversation: Conversation): boolean =>
  conversation.stage === 'CONFIRM_SENT' && conversation.submissionId === null && !isSecured(conversation)

function changeBy(
  conversation: Conversation,
  { move, nextStage }: { move: InboundMove; nextStage: ConversationStage },
  order: LenderOrder,
): ConversationChange {
  const { stage, paymentId } = conversation
  return {
    stage: nextStage,
    ...(nextStage !== stage && noAwaitedAnswer),
    // A consent request repeats the answered form, which is not a new form (FIS12 §19.2).
    ...(order.form && move !== 'refreshed' && move !== 'consentRequested' && formChange(order.form)),
    ...(order.form && move === 'offered' && isSecondForm(conversation, order.form) && { formHeading: customerForm }),
    ...(move === 'pageDone' && order.formResponse && { submissionId: order.formResponse.submissionId }),
    ...(order.orderId !== null && { orderId: order.orderId }),
    paymentId: order.settlementPaymentId ?? paymentId,
    ...(order.secured?.contractTerms && { lenderTerms: order.secured.contractTerms }),
    ...(move === 'completed' && { endedBecause: 'the loan is closed' }),
    ...(move === 'cancelled' && { endedBecause: 'the lender cancelled the loan' }),
  }
}
