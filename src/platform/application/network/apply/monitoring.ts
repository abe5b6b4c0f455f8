// After the sanction a lender may want to watch the account: the borrower is asked, and the money waits for it (FIS12 §8.1 rows 18–20).
import type { NetworkOrder } from '#contract/network/v203/read-order.ts'
import type { Tx } from '#kit/db/sql.ts'
import { consentTaken } from '#platform/aa/lender-message.ts'
import { requireConsent } from '#platform/aa/require.ts'
import { scheduleFollowUp } from '#platform/application/network/follow-up.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import type { InboundMove } from '#platform/network/stage.ts'
import { sanctioned } from '#platform/step/outcome.ts'

/** The lender has sanctioned the loan, and asks for a consent before it pays; asked again, it is told again after a while. */
export async function monitoringRequested(
  tx: Tx,
  ctx: Context,
  journey: Journey,
  conversation: Conversation,
  { consentHandle }: NetworkOrder,
  at: Date,
): Promise<void> {
  await sanctioned(tx, journey, at)
  const consent = { handle: consentHandle!, purpose: 'MONITORING' } as const
  if (await requireConsent(tx, ctx, journey, conversation, consent, at)) await scheduleFollowUp(tx, conversation, at)
}

/** The lender took the approval and asks for nothing more: from now on only the money is waited for. */
export async function monitoringTaken(
  tx: Tx,
  ctx: Context,
  journey: Journey,
  conversation: Conversation,
  move: InboundMove,
  at: Date,
): Promise<void> {
  if (conversation.stage !== 'MONITORING_GIVEN' || move !== 'refreshed') return
  await consentTaken(tx, journey, conversation, at)
  await scheduleFollowUp(tx, conversation, at, ctx.config.STATUS_POLL_SECONDS)
}
