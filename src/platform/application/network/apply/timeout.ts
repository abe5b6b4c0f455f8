// Nobody answered, or our message was turned away: another try later, no offer, or the end (FIS12 §3.1, §3.3).
import { effectOf, isMomentary, reasonOf } from '#contract/network/errors.ts'
import type { Tx } from '#kit/db/sql.ts'
import { isRequestedWithHandle } from '#platform/aa/handle.ts'
import { consentRefused, consentUnanswered } from '#platform/aa/lender-message.ts'
import { scheduleFollowUp } from '#platform/application/network/follow-up.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import { dialectOf } from '#platform/network/dialect.ts'
import type { InboundMessage } from '#platform/network/inbound/inbound-message.ts'
import { endConversation } from '#platform/network/open-conversation.ts'
import { closeSearch, noOffer, searchFailed } from '#platform/offer/receive.ts'
import { scheduleWindow } from '#platform/offer/window.ts'
import { servicingFailed } from '#platform/servicing/receive.ts'
import { stepFailed } from '#platform/step/move.ts'
import { lenderError } from './lender-error.ts'
import { awayForNow } from './offered.ts'

const beforeChoice = ({ status }: Journey): boolean =>
  status === 'STARTED' || status === 'PROFILED' || status === 'OFFERED'

export async function onNacked(
  tx: Tx,
  ctx: Context,
  journey: Journey,
  conversation: Conversation | null,
  { action, error }: InboundMessage<'nacked'>,
  at: Date,
): Promise<void> {
  if (!conversation) return void (await searchFailed(tx, journey, at))
  if (journey.status === 'DISBURSED') {
    const asked = action === 'update' ? action : 'status'
    return servicingFailed(tx, ctx, journey, conversation, { code: error.code, action: asked }, at)
  }
  if (!beforeChoice(journey))
    return lenderError(tx, ctx, journey, conversation, { code: error.code, solicited: true }, at)
  if (action === 'select' && isMomentary(error.code)) return awayForNow(tx, journey, conversation, at)
  const reason =
    effectOf(error.code, 'before-offer', dialectOf(journey)) === 'retry'
      ? 'LENDER_UNREACHABLE'
      : reasonOf(error.code, dialectOf(journey))
  await consentRefused(tx, journey, conversation, reason, at)
  await endConversation(tx, conversation, `turned away: ${error.code}`, at)
  await noOffer(tx, ctx, journey, conversation, reason, at)
}

export async function onUnanswered(
  tx: Tx,
  ctx: Context,
  journey: Journey,
  conversation: Conversation | null,
  { action, purpose }: InboundMessage<'unanswered'>,
  at: Date,
): Promise<void> {
  if (!conversation) return void (await searchFailed(tx, journey, at))
  // What was asked after disbursal is looked after by its own watch.
  if (journey.status === 'DISBURSED') return
  if (action === 'form' && purpose === 'BANK')
    return void (await stepFailed(tx, journey, {
      name: 'bankMandate',
      problem: 'ACCOUNT_TO_SEND_AGAIN',
      retryable: true,
      at,
    }))
  if (await isRequestedWithHandle(tx, journey, conversation)) {
    // It waits for nothing that the borrower could do, and its window may have closed.
    await consentRefused(tx, journey, conversation, 'LENDER_UNREACHABLE', at)
    return void (await noOffer(tx, ctx, journey, conversation, 'LENDER_UNREACHABLE', at))
  }
  if (action !== 'form') await consentUnanswered(tx, journey, conversation, at)
  // Whoever was told of a consent has no window to answer in, so it is told again.
  if (!beforeChoice(journey) || conversation.stage === 'CONSENT_GIVEN') return scheduleFollowUp(tx, conversation, at)
  // A first offer that comes later still counts while the window is open, so the conversation goes on listening.
  // One whose profile form could not be reached stays open as well: the borrower may send the profile again.
  if (action === 'form') await noOffer(tx, ctx, journey, conversation, 'LENDER_UNREACHABLE', at)
}

/** The fan-in window is over: nobody joins any more, and those who were asked have until the product's window closes. */
export async function onSearchClosed(
  tx: Tx,
  ctx: Context,
  journey: Journey,
  _: Conversation | null,
  __: InboundMessage<'search_closed'>,
  at: Date,
): Promise<void> {
  await closeSearch(tx, ctx, journey, at)
  await scheduleWindow(tx, ctx, journey, at)
}
