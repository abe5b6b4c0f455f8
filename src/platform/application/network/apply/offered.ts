// What on_select brings: a consent to be given, a first offer, the final terms of the chosen one, or an error in place of either (FIS12 §8.1, §3.2).
import { effectOf, isMomentary, reasonOf } from '#contract/network/errors.ts'
import { customerForm, type FormPage } from '#contract/network/v203/page.ts'
import type { NetworkOrder } from '#contract/network/v203/read-order.ts'
import type { Tx } from '#kit/db/sql.ts'
import { wantHandle } from '#platform/aa/handle.ts'
import { consentRefused, consentTaken, consentUnanswered } from '#platform/aa/lender-message.ts'
import { requireConsent } from '#platform/aa/require.ts'
import { scheduleFollowUp } from '#platform/application/network/follow-up.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import { dialectOf } from '#platform/network/dialect.ts'
import type { InboundMessage } from '#platform/network/inbound/inbound-message.ts'
import { endConversation } from '#platform/network/open-conversation.ts'
import { noOffer, receiveTerms } from '#platform/offer/receive.ts'
import { keepBranches } from '#platform/offer/visit.ts'
import { spareVisited, stepReady } from '#platform/step/move.ts'
import { lenderError } from './lender-error.ts'
import { askSecondOffer } from './second-offer.ts'

export async function onSelect(
  tx: Tx,
  ctx: Context,
  journey: Journey,
  conversation: Conversation | null,
  { order, error, move, solicited }: InboundMessage<'on_select'>,
  at: Date,
): Promise<void> {
  if (!conversation || !journey.active) return
  const chosen = journey.status !== 'STARTED' && journey.status !== 'PROFILED' && journey.status !== 'OFFERED'
  if (error) {
    if (chosen) return lenderError(tx, ctx, journey, conversation, { code: error.code, solicited }, at)
    if (isMomentary(error.code)) return awayForNow(tx, journey, conversation, at)
    const effect = effectOf(error.code, 'before-offer', dialectOf(journey))
    if (effect === 'aaIdNeeded' && (await wantHandle(tx, ctx, journey, conversation, at))) return
    const isAway = effect === 'retry'
    if (isAway) ctx.log.warn({ party: conversation.bppId, code: error.code }, 'a lender could not answer')
    const reason = isAway ? 'LENDER_UNREACHABLE' : reasonOf(error.code)
    await consentRefused(tx, journey, conversation, reason, at)
    await endConversation(tx, conversation, `error ${error.code}`, at)
    await noOffer(tx, ctx, journey, conversation, reason, at)
    return
  }
  if (move === 'consentAsked') return consentRequested(tx, ctx, journey, conversation, order!, at)
  if (!order?.terms) return
  if (move === 'offered' && conversation.formHeading === customerForm)
    await askSecondOffer(tx, ctx, journey, conversation, at)
  await consentTaken(tx, journey, conversation, at)
  await keepBranches(tx, journey, conversation.conversationId, order, at)
  await receiveTerms(tx, ctx, journey, conversation, order.terms, at)
  // Against mutual funds no page comes with the final terms: the account is told first (FIS12 §10.2 row 5).
  if (move === 'pledgeTerms')
    await stepReady(tx, journey, { name: 'bankMandate', page: { url: null, formId: conversation.formId! }, at })
  if (!chosen || !order.form) return
  await stepReady(tx, journey, { name: 'kyc', page: { url: order.form.url, formId: order.form.id }, at })
  if (order.form.heading === 'JOURNEY_OFFLINE') await spareVisited(tx, journey, at)
  // Whether the lender goes on outside the app, only its page tells (FIS12 §13.1, §19.3).
  if (isOffline(order.form) && journey.lenderMode !== 'OFFLINE')
    await updateJourney(tx, journey, { lenderMode: 'OFFLINE' }, at)
}

const isOffline = ({ heading }: FormPage): boolean => heading === 'JOURNEY_OFFLINE' || heading === 'KYC_OFFLINE'

/** It is asked again while its offer is awaited: until the window closes, or the borrower has chosen. */
export async function awayForNow(tx: Tx, journey: Journey, conversation: Conversation, at: Date): Promise<void> {
  await consentUnanswered(tx, journey, conversation, at)
  await scheduleFollowUp(tx, conversation, at)
}

/** A lender that was told of the approval and asks for the same consent still is told again after a while. */
async function consentRequested(
  tx: Tx,
  ctx: Context,
  journey: Journey,
  conversation: Conversation,
  { consentHandle }: NetworkOrder,
  at: Date,
): Promise<void> {
  const consent = { handle: consentHandle!, purpose: 'UNDERWRITING' } as const
  if (await requireConsent(tx, ctx, journey, conversation, consent, at)) await scheduleFollowUp(tx, conversation, at)
}
