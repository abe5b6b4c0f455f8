// Automatic progress with the partner ends before there is an offer: a decline, a doubt, or silence (D3 §4.1).
import type { Tx } from '#kit/sql.ts'
import { endCase } from '#platform/exchange/open-case.ts'
import { noOffer } from '#platform/offer/receive.ts'
import type { World } from '#platform/world.ts'
import type { Concerned } from './case-job.ts'

/** `because` is for the record, `reason` is in words for the borrower. The lender stays listed, without an offer. */
export async function stop(
  tx: Tx,
  world: World,
  { kase, journey }: Concerned,
  because: string,
  reason: string,
  at: Date,
): Promise<void> {
  await endCase(tx, kase, because, at)
  if (journey.active && kase.lenderId !== null)
    await noOffer(tx, world, journey, { conversationId: kase.caseRef, lenderId: kase.lenderId }, reason, at)
}
