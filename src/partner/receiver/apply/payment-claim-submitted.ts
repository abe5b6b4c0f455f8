// PAYMENT_CLAIM_SUBMITTED: a borrower says that they paid; the bank is asked, and no balance changes by it (D3 §6 rule 4).
import type { EventOf } from '#contract/exchange/envelope.ts'
import type { Tx } from '#kit/db/sql.ts'
import { submitClaim } from '#partner/collection/claim.ts'
import type { Context } from '#partner/context.ts'
import { caseOf } from './case-of.ts'

export async function onPaymentClaim(
  tx: Tx,
  ctx: Context,
  event: EventOf<'PAYMENT_CLAIM_SUBMITTED'>,
  at: Date,
): Promise<void> {
  await submitClaim(tx, ctx, await caseOf(tx, event), { claim: event.data, at })
}
