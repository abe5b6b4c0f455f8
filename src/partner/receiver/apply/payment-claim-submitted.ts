// PAYMENT_CLAIM_SUBMITTED: a borrower says that they paid; the bank is asked, and no balance changes by it (D3 §6 rule 4).
import type { EventOf } from '#contract/exchange/envelope.ts'
import { submitClaim } from '#partner/collection/claim.ts'
import type { TxContext } from '#partner/context.ts'
import { caseOf } from './case-of.ts'

export async function onPaymentClaim(ctx: TxContext, event: EventOf<'PAYMENT_CLAIM_SUBMITTED'>): Promise<void> {
  const { tx } = ctx
  await submitClaim(ctx, await caseOf(tx, event), event.data)
}
