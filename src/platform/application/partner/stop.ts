// The way to the partner ends: before there is an offer (D3 §4.1), or with the journey that chose it.
import type { EndReason, OfferReason } from '#contract/reason/reason.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Context } from '#platform/context.ts'
import { endCase } from '#platform/exchange/open-case.ts'
import { noOffer } from '#platform/offer/receive.ts'
import { lenderRejected } from '#platform/step/outcome.ts'
import type { Concerned } from './case-job.ts'

/** `because` is for the record, `reason` is told to the borrower. The lender stays listed, without an offer. */
export async function stop(
  tx: Tx,
  ctx: Context,
  { application, journey }: Concerned,
  because: string,
  reason: OfferReason,
  at: Date,
): Promise<void> {
  await endCase(tx, application, because, at)
  if (journey.active && application.lenderId !== null)
    await noOffer(tx, ctx, journey, { conversationId: application.caseRef, lenderId: application.lenderId }, reason, at)
}

/** The lender will not lend: the case has ended, and so has the journey where it still goes on. Both as they are then. */
export async function reject(
  tx: Tx,
  ctx: Context,
  { application, journey }: Concerned,
  because: string,
  reason: EndReason,
  at: Date,
): Promise<Concerned> {
  const ended = await endCase(tx, application, because, at)
  return {
    application: ended,
    journey: journey.active ? await lenderRejected(tx, ctx, journey, { reason, at }) : journey,
  }
}
