// What on_select brings: a consent to be given, a first offer, the final terms of the chosen one, or an error in place of either (FIS12 §8.1, §3.2).

import { effectOf, isMomentary, reasonOf } from '#contract/network/errors.ts'
import { customerForm, type FormPage } from '#contract/network/v203/page.ts'
import type { NetworkOrder } from '#contract/network/v203/read-order.ts'
import type { Tx } from '#kit/db/sql.ts'
import { required } from '#kit/runtime/required.ts'
import { wantHandle } from '#platform/aa/handle.ts'
import { consentRefused, consentTaken, consentUnanswered } from '#platform/aa/lender-message.ts'
import { requireConsent } from '#platform/aa/require.ts'
import { scheduleFollowUp } from '#platform/application/network/follow-up.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { isSwitchedOff } from '#platform/lender/switch/store.ts'
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
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  { order, error, move, solicited }: InboundMessage<'on_select'>,
): Promise<void> {
  const { tx, at } = ctx
  if (!conversation || !journey.active) return
  const chosen = journey.status !== 'STARTED' && journey.status !== 'PROFILED' && journey.status !== 'OFFERED'
  if (error) {
    if (chosen) return lenderError(ctx, journey, conversation, { code: error.code, solicited })
    if (isMomentary(error.code)) return awayForNow(tx, journey, conversation, at)
    const effect = effectOf(error.code, 'before-offer', dialectOf(journey))
    if (effect === 'aaIdNeeded' && (await wantHandle(ctx, journey, conversation))) return
    const isAway = effect === 'retry'
    if (isAway) ctx.log.warn({ party: conversation.bppId, code: error.code }, 'a lender could not answer')
    const reason = isAway ? 'LENDER_UNREACHABLE' : reasonOf(error.code)
    await consentRefused(ctx, journey, conversation, reason)
    await endConversation(tx, conversation, `error ${error.code}`, at)
    await noOffer(ctx, journey, conversation, reason)
    return
  }
  if (move === 'consentRequested')
    return consentRequested(ctx, journey, conversation, required(order, 'the order that asks for a consent'))
  if (!order?.terms) return
  const maySecond = move === 'offered' && conversation.formHeading === customerForm
  if (maySecond && !(await isSwitchedOff(tx, conversation))) await askSecondOffer(ctx, journey, conversation)
  await consentTaken(tx, journey, conversation, at)
  await keepBranches(ctx, journey, conversation.conversationId, order)
  await receiveTerms(ctx, journey, conversation, order.terms)
  // Against mutual funds no page comes with the final terms: the account is told first (FIS12 §10.2 row 5).
  if (move === 'pledgeTerms')
    await stepReady(tx, journey, {
      name: 'bankMandate',
      page: { url: null, formId: required(conversation.formId, 'the form that the terms answer') },
      at,
    })
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
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { consentHandle }: NetworkOrder,
): Promise<void> {
  const { tx, at } = ctx
  const consent = {
    handle: required(consentHandle, 'the handle of the consent that is asked for'),
    purpose: 'UNDERWRITING',
  } as const
  if (await requireConsent(ctx, journey, conversation, consent)) await scheduleFollowUp(tx, conversation, at)
}
