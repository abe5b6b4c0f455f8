// Handles requests that a lender rejected or did not answer in time, and the end of the search (FIS12 §3.1, §3.3).
import { effectOf, isTransient, reasonOf } from '@lendloom/wire/network/errors'
import type { TxContext } from '#platform/context.ts'
import {
  isAnswerToNewHandleAwaited,
  recordConsentRefused,
  recordConsentUnanswered,
} from '#platform/lenders/network/consent/consent-request.ts'
import { type Conversation, hasStops, isServiced } from '#platform/lenders/network/conversation.ts'
import { dialectOf } from '#platform/lenders/network/dialect.ts'
import { scheduleFollowUp } from '#platform/lenders/network/follow-up.ts'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import { endConversation } from '#platform/lenders/network/open-conversation.ts'
import { retryUnavailableLender } from '#platform/lenders/network/reactions/appliers/select-answer.ts'
import { failServicing } from '#platform/lenders/network/servicing/apply-loan-message.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import {
  closeSearch,
  hasUnlistedLender,
  recordNoOffer,
  recordSearchFailure,
} from '#platform/lending/offer/lender-answers.ts'
import { scheduleWindow } from '#platform/lending/offer/offer-window.ts'
import { listOffers } from '#platform/lending/offer/store.ts'
import { markStepFailed } from '#platform/lending/step/move-step.ts'
import { applyLenderError } from './lender-error.ts'
import { applyAfterCheck } from './submit-profile-form.ts'

/**
 * Ends a search that reached no lender of the network. If a lender outside it was asked, its answer decides, and the window
 * for it begins; otherwise the borrower may search again.
 */
async function endFailedSearch(ctx: TxContext, journey: Journey): Promise<void> {
  const { tx, at } = ctx
  const isOtherLenderAsked = (await listOffers(tx, journey)).length > 0 || (await hasUnlistedLender(ctx, journey))
  if (!isOtherLenderAsked) return recordSearchFailure(tx, journey, at)
  return onSearchClosed(ctx, journey)
}

const isBeforeChoice = ({ status }: Journey): boolean =>
  status === 'STARTED' || status === 'PROFILED' || status === 'OFFERED'

/** Whether a request is about a disbursed loan, or a payment of an open credit line. */
const isOfService = ({ status }: Journey, conversation: Conversation, action: string): boolean =>
  status === 'DISBURSED' || (action === 'update' && isServiced(conversation))

/** A lender rejected a request: before the choice its offer ends, or the request is repeated; later the error decides. */
export async function onNacked(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  { action, error }: InboundMessage<'nacked'>,
): Promise<void> {
  const { tx, at } = ctx
  if (!conversation) return endFailedSearch(ctx, journey)
  if (conversation.stage === 'DEDUPE_SENT') return applyAfterCheck(ctx, journey, conversation)
  if (isOfService(journey, conversation, action)) {
    const requested = action === 'update' || action === 'cancel' ? action : 'status'
    return failServicing(ctx, journey, conversation, { code: error.code, action: requested })
  }
  // A lender that cannot answer now, or has no report yet, says nothing about the loan.
  if (action === 'status' && hasStops(conversation)) return scheduleFollowUp(tx, conversation, at)
  if (!isBeforeChoice(journey))
    return applyLenderError(ctx, journey, conversation, { code: error.code, solicited: true })
  if (action === 'select' && isTransient(error.code)) return retryUnavailableLender(tx, journey, conversation, at)
  const reason =
    effectOf(error.code, 'before-offer', dialectOf(journey)) === 'retry'
      ? 'LENDER_UNREACHABLE'
      : reasonOf(error.code, dialectOf(journey))
  await recordConsentRefused(ctx, journey, conversation, reason)
  await endConversation(tx, conversation, `rejected: ${error.code}`, at)
  await recordNoOffer(ctx, journey, conversation, reason)
}

/** A lender did not answer in time: the request is repeated, or the offer, step or operation that waited for it ends. */
export async function onUnanswered(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  { action, purpose }: InboundMessage<'unanswered'>,
): Promise<void> {
  const { tx, at } = ctx
  if (!conversation) return endFailedSearch(ctx, journey)
  if (conversation.stage === 'DEDUPE_SENT') return applyAfterCheck(ctx, journey, conversation)
  // Requests after disbursal are polled separately, except the cancellation (FIS12 §25).
  if (isOfService(journey, conversation, action))
    return action === 'cancel' ? failServicing(ctx, journey, conversation, { code: '80214', action }) : undefined
  if (action === 'form' && purpose === 'BANK')
    return void (await markStepFailed(tx, journey, {
      name: 'bankMandate',
      problem: 'ACCOUNT_TO_SEND_AGAIN',
      retryable: true,
      at,
    }))
  if (await isAnswerToNewHandleAwaited(tx, journey, conversation)) {
    // The lender gets no second attempt: the borrower cannot help, and the offer window may have closed.
    await recordConsentRefused(ctx, journey, conversation, 'LENDER_UNREACHABLE')
    return void (await recordNoOffer(ctx, journey, conversation, 'LENDER_UNREACHABLE'))
  }
  if (action !== 'form') await recordConsentUnanswered(tx, journey, conversation, at)
  // A lender may take any time to act on a consent, so the notification is repeated.
  if (!isBeforeChoice(journey) || conversation.stage === 'CONSENT_GIVEN') return scheduleFollowUp(tx, conversation, at)
  // The conversation stays open. A late first offer is accepted until the window closes, and the borrower may submit
  // the profile again after the profile form was unreachable.
  if (action === 'form') await recordNoOffer(ctx, journey, conversation, 'LENDER_UNREACHABLE')
}

/** Ends the search, so that no further lender joins. The requested lenders may answer until the offer window closes. */
export async function onSearchClosed(ctx: TxContext, journey: Journey): Promise<void> {
  await closeSearch(ctx, journey)
  await scheduleWindow(ctx, journey)
}
