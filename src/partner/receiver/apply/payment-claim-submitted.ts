// PAYMENT_CLAIM_SUBMITTED: a borrower says that they paid; the bank is asked, and no balance changes by it (D3 §6 rule 4).
import type { EventOf } from '#contract/exchange/envelope.ts'
import type { Tx } from '#kit/sql.ts'
import { submitClaim } from '#partner/collection/claim.ts'
import type { World } from '#partner/world.ts'
import { caseOf } from './case-of.ts'

export async function onPaymentClaim(
  tx: Tx,
  world: World,
  event: EventOf<'PAYMENT_CLAIM_SUBMITTED'>,
  at: Date,
): Promise<void> {
  await submitClaim(tx, world, await caseOf(tx, event), event.data, at)
}
