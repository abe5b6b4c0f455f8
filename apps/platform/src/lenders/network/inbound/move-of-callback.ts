// Finds the move of a conversation that a lender's message means at the current stage.

import { next } from '@lendloom/foundation/machine'
import { isOneOf, ownValue } from '@lendloom/foundation/record'
import { contractOf } from '@lendloom/lending/product/products'
import { formStatuses } from '@lendloom/wire/network/form-status'
import type { Callback } from '@lendloom/wire/network/sequence'
import { customerFormHeading, type FormPage, type FormResponse } from '@lendloom/wire/network/v203/xinput'
import type { SearchAnswer as CatalogAnswer, Offer } from '@lendloom/wire/network/v230/search'
import {
  type Conversation,
  type Extras,
  formChange,
  formHeadings,
  hasStops,
  isSecondForm,
  noAwaitedAnswer,
  type PageProgress,
  type UnsealedChange,
} from '#platform/lenders/network/conversation.ts'
import { isSecured, type LenderOrder } from '#platform/lenders/network/dialect.ts'
import { isPassedUnreported, needNotReport } from '#platform/lenders/network/page-left.ts'
import { type ConversationStage, conversationStages, type InboundMove } from '#platform/lenders/network/stage.ts'

/** A transition of the conversation, or why the message is not applied at this stage. */
export type CallbackEffect = { move: InboundMove; change: UnsealedChange } | { outOfSequence: string }

export interface LenderCallback {
  type: Exclude<Callback, 'on_search'>
  order: LenderOrder
  solicited: boolean
}

/** Finds the move by the message's content, because lenders report it with different actions (FIS12 §8.1, §14). */
export function moveOfCallback(conversation: Conversation, callback: LenderCallback): CallbackEffect {
  const { stage, orderId } = conversation
  const isConfirmed = callback.type === 'on_confirm' && callback.solicited && stage === 'CONFIRM_SENT'
  if (!isConfirmed && orderId !== null && callback.order.orderId !== null && callback.order.orderId !== orderId)
    return { outOfSequence: `${callback.type} (another order) at ${stage}` }
  const moveFinders = isSecured(conversation) ? securedMoves : unsecuredMoves
  const possibleMoves =
    callback.type === 'on_cancel' || callback.order.state === 'CANCELLED'
      ? cancelMoves(conversation, callback)
      : moveFinders[callback.type](conversation, callback)
  for (const move of possibleMoves) {
    const nextStage = next(conversationStages, stage, move)
    if (nextStage !== undefined) return { move, change: changeFor(conversation, { move, nextStage }, callback) }
  }
  return { outOfSequence: `${callback.type} (${possibleMoves.join(', ') || 'nothing new'}) at ${stage}` }
}

const cancelled: InboundMove[] = ['cancelled']

/** After disbursal only the borrower may leave: the lender states the price, and the loan ends with the payment (§25). */
function cancelMoves({ stage, extras }: Conversation, { order, solicited }: LenderCallback): InboundMove[] {
  const { cancellation } = extras
  if (stage !== 'DISBURSED' || cancellation === undefined) return cancelled
  if (order.state !== 'CANCELLED') return solicited ? ['refreshed'] : []
  if (cancellation.confirmedAt === undefined) return []
  return order.servicing.some(isReturned) ? ['completed'] : ['refreshed']
}

const isReturned = ({ label, status }: LenderOrder['servicing'][number]): boolean =>
  label === 'FORECLOSURE' && status === 'PAID'

/** The moves that a message may mean, most specific first. The first move that the stage allows applies. */
type MoveFinders = Record<
  Exclude<LenderCallback['type'], 'on_cancel'>,
  (conversation: Conversation, callback: LenderCallback) => InboundMove[]
>
const unsecuredMoves: MoveFinders = {
  on_select(conversation, { order }) {
    const { formId, stage } = conversation
    if (stage === 'DEDUPE_SENT') return dedupeMoves(order)
    if (order.terms === null) return order.consentHandle !== null ? ['consentRequested'] : []
    // Terms without a form or page leave the borrower without a next step, except the choice of a branch.
    if (order.form === null) return isBranchDue(conversation, order) ? ['offered'] : []
    return isNewPage(formId, order.form) ? ['offered', 'finalTerms'] : ['offered']
  },
  on_init: (_, { order }) =>
    order.form === null && order.state === 'SANCTIONED'
      ? ['sanctioned']
      : (ownValue(pageMoves, order.form?.heading ?? '') ?? []),
  on_confirm: (conversation, { order }) =>
    order.state === 'DISBURSED' ? [...monitoringMoves(conversation, order), 'disbursed', 'confirmed'] : ['confirmed'],
  on_status: reportMoves,
  on_update: reportMoves,
}

/** Whether the borrower chooses a branch before the lender's page exists (FIS12 §26.4). */
const isBranchDue = (conversation: Conversation, { branches }: LenderOrder): boolean =>
  hasStops(conversation) && contractOf(conversation.journeyType).visitsBranch && branches.length > 0

/** Only a refusal ends the application: an unclear answer goes on like silence (FIS12 §26.3). */
const dedupeMoves = ({ state }: LenderOrder): InboundMove[] => [
  state === 'REJECTED' ? 'borrowerNotTaken' : 'borrowerTaken',
]

/** A new page means final terms; a form that we fill means that the lender repeats the first offer. */
const isNewPage = (answeredId: string | null, { id, heading }: FormPage): boolean =>
  id !== answeredId && !ownFormHeadings.includes(heading ?? '')

const ownFormHeadings = Object.values(formHeadings).flat()

const pageMoves: Record<string, InboundMove[]> = {
  ACCOUNT_INFORMATION: ['bankRequested'],
  EMANDATE: ['mandateRequested'],
  LOAN_AGREEMENT: ['agreementRequested'],
}

/** For loans against mutual funds, `on_search` contains the offers, and `on_init` the pages (FIS12 §10.2). */
const securedMoves: MoveFinders = {
  ...unsecuredMoves,
  on_select(conversation, { order }) {
    if (order.terms === null) return []
    if (!hasStops(conversation)) return ['pledgeTerms']
    return order.form === null ? ['pageTaken'] : ['finalTerms', 'pageTaken']
  },
  on_init: (_, { order }) =>
    order.form === null ? ['allSigned'] : (ownValue(securedPages, order.form.heading ?? '') ?? []),
  on_confirm(conversation, callback) {
    // Unasked, only a lender with stops places the order (FIS12 §27.2).
    if (!callback.solicited && !hasStops(conversation)) return []
    return [...unsecuredMoves.on_confirm(conversation, callback), 'ordered']
  },
}

const securedPages: Record<string, InboundMove[]> = {
  ...pageMoves,
  KYC: ['kycRequested'],
  JOURNEY_OFFLINE: ['kycRequested'],
  LIEN_MARKING: ['lienRequested'],
}

/** Interprets an answer to a search that only this lender received. Prefers the offer for the requested item. */
export function moveOfSearchAnswer(
  conversation: Conversation,
  { offers, consents }: CatalogAnswer,
): { move: InboundMove | null; offer: Offer | null; change: UnsealedChange } | { outOfSequence: string } {
  const { stage, providerId, itemId, parentItemId, paymentId, fulfillmentId, extras } = conversation
  const ownOffers = offers.filter((each) => each.providerId === providerId && each.matched)
  const offer = ownOffers.find((each) => each.parentItemId === (parentItemId ?? itemId)) ?? ownOffers[0] ?? null
  const consent = consents.find((requested) => requested.providerId === providerId)
  const answer = offer ? meaningOfOffer(offer) : consent && meaningOfConsent(consent)
  if (!answer) return { move: null, offer, change: { ...noAwaitedAnswer, formReceived: true } }
  const { move, source, parent, changes } = answer
  const nextStage = next(conversationStages, stage, move)
  if (!nextStage) return { outOfSequence: `on_search (${move}) at ${stage}` }
  // From now on, we use the item of the answer, even if the catalogue did not list the item (FIS12 §17.1).
  const change = {
    stage: nextStage,
    ...noAwaitedAnswer,
    formReceived: true,
    paymentId: source.disbursalPaymentId ?? paymentId,
    fulfillmentId: source.fulfillmentId ?? fulfillmentId,
    parentItemId: parent === itemId ? null : parent,
    extras: withProgressOf(extras, source, fulfillmentId),
    ...changes,
  }
  return { move, offer, change }
}

/** The fulfilment of the answer decides the shape; one that the catalogue listed need not be described again. */
function withProgressOf(
  { progress: listed, ...extras }: Extras,
  { stops, fulfillmentId }: Pick<Offer, 'stops' | 'fulfillmentId'>,
  listedId: string | null,
): Extras {
  const kept = fulfillmentId === null || fulfillmentId === listedId ? listed : undefined
  const progress = stops ? { ...kept, stops } : kept
  return { ...extras, ...(progress && { progress }) }
}

const meaningOfOffer = (offer: Offer) =>
  ({ move: 'offered', source: offer, parent: offer.parentItemId, changes: { offeredItemId: offer.itemId } }) as const

const meaningOfConsent = (consent: CatalogAnswer['consents'][number]) => {
  const changes = { formId: consent.formId, formHeading: 'CONSENT_APPROVAL' }
  return { move: 'consentRequested', source: consent, parent: consent.itemId, changes } as const
}

/**
 * The moves of a report about the page of a lender with stops. A payout counts once the lender has repeated it in answer
 * to a request for the status, as the published flows do; until then the report only tells the progress (FIS12 §26.2).
 */
function pageReportMoves(conversation: Conversation, { order, solicited }: LenderCallback): InboundMove[] {
  const { state, formResponse } = order
  const { isStatusAnswered } = conversation.extras.progress ?? {}
  const isConfirmable = state === 'DISBURSED' && (solicited || isStatusAnswered === true)
  const hasFailed = state !== 'DISBURSED' && formResponse?.outcome === 'failure' && !isPaidOut(conversation)
  return [
    ...(isConfirmable ? (['paidOut'] as const) : []),
    ...(hasFailed ? (['pageFailed'] as const) : []),
    ...(solicited ? (['notConfirmed'] as const) : []),
    'refreshed',
  ]
}

function reportMoves(conversation: Conversation, callback: LenderCallback): InboundMove[] {
  const { order, solicited } = callback
  const { state, formResponse: response, orderId } = order
  // A lender may give the order its id before we confirm it.
  if (hasStops(conversation) && (orderId === null || conversation.stage === 'FINAL_TERMS'))
    return pageReportMoves(conversation, callback)
  if (state === 'DISBURSED' && orderId !== null)
    return [...monitoringMoves(conversation, order), 'disbursed', 'refreshed']
  // A credit line may be closed without any drawdown.
  if (state === 'COMPLETED' && orderId !== null)
    return conversation.stage === 'DISBURSED' || order.secured?.line ? ['completed', 'refreshed'] : ['refreshed']
  if (state === 'CONSENT_REQUIRED' && orderId !== null && order.consentHandle !== null)
    return ['consentRequested', 'refreshed']
  if (orderId !== null) return ['confirmed', 'refreshed']
  const fallbackMoves: InboundMove[] = solicited ? ['notConfirmed', 'refreshed'] : []
  if (response === null) return solicited ? fallbackMoves : ['refreshed']
  if (isAboutOtherForm(conversation, response)) return fallbackMoves
  if (response.outcome === 'success')
    return response.submissionId === null || isPastPage(conversation)
      ? fallbackMoves
      : [...successMoves(conversation, callback), ...fallbackMoves]
  return [response.outcome === 'failure' ? 'pageFailed' : 'pageWaiting', ...fallbackMoves]
}

/**
 * A report of the page after which we went on without one changes no request, because the lender still owes its answer. In
 * an answer about the status, it says that the lender has no order yet (FIS12 §24).
 */
const successMoves = (conversation: Conversation, { solicited }: LenderCallback): InboundMove[] =>
  isPassedUnreported(conversation) && !solicited ? ['reportedLate'] : ['pageDone', 'reportedLate']

/** Whether the platform has gone on after the page, and not without the lender's report (FIS12 §19.3, §24). */
const isPastPage = (conversation: Conversation): boolean =>
  (conversation.stage === 'CONFIRM_SENT' || conversation.stage === 'INITIATED') &&
  !isConfirmedUnsigned(conversation) &&
  !isPassedUnreported(conversation)

/** Without a form id, as in 2.0.1, the submission shows whether the report repeats an earlier one (FIS12 §24). */
const isAboutOtherForm = (
  { formId, answeredSubmissions }: Conversation,
  response: Pick<FormResponse, 'formId' | 'submissionId'>,
): boolean =>
  response.formId === null
    ? answeredSubmissions.some((submissionId) => submissionId === response.submissionId)
    : response.formId !== formId

/** A lender that reports DISBURSED may still need a consent to monitor the account first (FIS12 §8.1). */
const monitoringMoves = (conversation: Conversation, { consentHandle }: LenderOrder): InboundMove[] =>
  consentHandle !== null && conversation.stage !== 'MONITORING_GIVEN' && !isSecured(conversation)
    ? ['consentRequested']
    : []

/** A payout counts only from the lender's page on: nobody pays out what the borrower has not chosen. */
function progressAfter(
  before: PageProgress,
  { stops, formResponse, state }: LenderOrder,
  { isStatusAnswer, isChosen }: { isStatusAnswer: boolean; isChosen: boolean },
): PageProgress {
  const { formId, submissionId, status } = formResponse ?? {}
  return {
    ...before,
    ...(stops.length > 0 && { stops }),
    ...(formId && submissionId && isOneOf(formStatuses, status) && { answer: { formId, submissionId, status } }),
    ...(isStatusAnswer && { isStatusAnswered: true }),
    ...(state === 'DISBURSED' && isChosen && { isPaidOut: true }),
  }
}

/** What the message tells about a page, for the next ones; undefined if nothing. */
function extrasAfter(
  conversation: Conversation,
  move: InboundMove,
  { type, order, solicited }: LenderCallback,
): Conversation['extras'] | undefined {
  const { extras, stage } = conversation
  const { progress, pages } = extras
  if (progress) {
    const report = { isStatusAnswer: type === 'on_status' && solicited, isChosen: stage !== 'OFFERED' }
    return { ...extras, progress: progressAfter(progress, order, report) }
  }
  const isPageReport = move === 'pageDone' || move === 'reportedLate' || move === 'pageWaiting'
  return isPageReport && needNotReport(conversation) ? { ...extras, pages: { ...pages, isReporting: true } } : undefined
}

/** Whether the loan was confirmed before the lender reported the signature (FIS12 §19.3). */
export const isConfirmedUnsigned = (conversation: Conversation): boolean =>
  conversation.stage === 'CONFIRM_SENT' &&
  conversation.submissionId === null &&
  !isSecured(conversation) &&
  !hasStops(conversation)

/** Whether a lender with stops has paid the loan out: no error may end it any more (FIS12 §26.2). */
export const isPaidOut = ({ extras }: Conversation): boolean => extras.progress?.isPaidOut === true

function changeFor(
  conversation: Conversation,
  { move, nextStage }: { move: InboundMove; nextStage: ConversationStage },
  { type, order, solicited }: LenderCallback,
): UnsealedChange {
  const { stage, paymentId, answeredSubmissions, submissionId } = conversation
  // A page that comes with the choice of a branch is of no branch: the lender sends the right one after the choice.
  const isEarlyPage = move === 'offered' && isBranchDue(conversation, order)
  const extras = extrasAfter(conversation, move, { type, order, solicited })
  const isNextForm = order.form !== null && move !== 'refreshed' && move !== 'consentRequested' && !isEarlyPage
  return {
    stage: nextStage,
    ...(nextStage !== stage && noAwaitedAnswer),
    // A consent request repeats the form that was already answered (FIS12 §19.2).
    ...(order.form && isNextForm && formChange(order.form)),
    ...(isNextForm && submissionId !== null && { answeredSubmissions: [...answeredSubmissions, submissionId] }),
    ...(order.form &&
      move === 'offered' &&
      isSecondForm(conversation, order.form) && { formHeading: customerFormHeading }),
    ...((move === 'pageDone' || move === 'reportedLate') &&
      order.formResponse && { submissionId: order.formResponse.submissionId }),
    // The check has the borrower's PAN, birth date, mobile number and email.
    ...(stage === 'DEDUPE_SENT' && { formReceived: true }),
    ...(order.orderId !== null && { orderId: order.orderId }),
    paymentId: order.settlementPaymentId ?? paymentId,
    ...(order.lenderTerms && { lenderTerms: order.lenderTerms }),
    ...(extras && { extras }),
    ...(move === 'completed' && { endedBecause: 'the loan is closed' }),
    ...(move === 'borrowerNotTaken' && { endedBecause: 'the lender does not take this borrower' }),
    ...(move === 'cancelled' && { endedBecause: 'the lender cancelled the loan' }),
  }
}
