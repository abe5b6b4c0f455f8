// After the sanction a lender may want to watch the account: the borrower is asked, and the money waits for it (FIS12 §8.1 rows 18–20).

import type { NetworkOrder } from '#contract/network/v203/read-order.ts'
import { required } from '#kit/runtime/required.ts'
import { consentTaken } from '#platform/aa/lender-message.ts'
import { requireConsent } from '#platform/aa/require.ts'
import { scheduleFollowUp } from '#platform/application/network/follow-up.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import type { InboundMove } from '#platform/network/stage.ts'
import { sanctioned } from '#platform/step/outcome.ts'

/** The lender has sanctioned the loan, and asks for a consent before it pays; asked again, it is told again after a while. */
export async function monitoringRequested(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { consentHandle }: NetworkOrder,
): Promise<void> {
  const { tx, at } = ctx
  await sanctioned(tx, journey, at)
  const consent = {
    handle: required(consentHandle, 'the handle of the consent that is asked for'),
    purpose: 'MONITORING',
  } as const
  if (await requireConsent(ctx, journey, conversation, consent)) await scheduleFollowUp(tx, conversation, at)
}

/** The lender took the approval and asks for nothing more: from now on only the money is waited for. */
export async function monitoringTaken(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  move: InboundMove,
): Promise<void> {
  const { tx, at } = ctx
  if (conversation.stage !== 'MONITORING_GIVEN' || move !== 'refreshed') return
  await consentTaken(tx, journey, conversation, at)
  await scheduleFollowUp(tx, conversation, at, ctx.config.STATUS_POLL_SECONDS)
}
