// After the sanction a lender may want to watch the account: the borrower is asked, and the money waits for it (FIS12 §8.1 rows 18–20).
import type { NetworkOrder } from '#contract/network/v203/read-order.ts'
import type { Tx } from '#kit/sql.ts'
import { consentTaken } from '#platform/aa/lender-word.ts'
import { requireConsent } from '#platform/aa/require.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import type { HeardMove } from '#platform/network/stage.ts'
import { sanctioned } from '#platform/step/outcome.ts'
import { scheduleChase } from '#platform/subscriber/chase.ts'
import type { World } from '#platform/world.ts'

/** The lender has sanctioned the loan, and asks for a consent before it pays; asked again, it is told again after a while. */
export async function monitoringAsked(
  tx: Tx,
  world: World,
  journey: Journey,
  conversation: Conversation,
  { consentHandle }: NetworkOrder,
  at: Date,
): Promise<void> {
  await sanctioned(tx, journey, at)
  const consent = { handle: consentHandle!, purpose: 'MONITORING' } as const
  if (await requireConsent(tx, world, journey, conversation, consent, at)) await scheduleChase(tx, conversation, at)
}

/** The lender took the approval and asks for nothing more: from now on only the money is waited for. */
export async function monitoringTaken(
  tx: Tx,
  world: World,
  journey: Journey,
  conversation: Conversation,
  move: HeardMove,
  at: Date,
): Promise<void> {
  if (conversation.stage !== 'MONITORING_GIVEN' || move !== 'refreshed') return
  await consentTaken(tx, journey, conversation, at)
  await scheduleChase(tx, conversation, at, world.config.STATUS_POLL_SECONDS)
}
