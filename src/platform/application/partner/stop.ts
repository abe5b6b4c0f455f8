// The way to the partner ends: before there is an offer (D3 §4.1), or with the journey that chose it.
import type { EndReason, OfferReason } from '#contract/reason/reason.ts'
import type { TxContext } from '#platform/context.ts'
import { endCase } from '#platform/exchange/open-case.ts'
import { noOffer } from '#platform/offer/receive.ts'
import { lenderRejected } from '#platform/step/outcome.ts'
import type { Concerned } from './case-job.ts'

/** `because` is for the record, `reason` is told to the borrower. The lender stays listed, without an offer. */
export async function stop(
  ctx: TxContext,
  { application, journey }: Concerned,
  because: string,
  reason: OfferReason,
): Promise<void> {
  const { tx, at } = ctx
  await endCase(tx, application, because, at)
  if (journey.active && application.lenderId !== null)
    await noOffer(ctx, journey, { conversationId: application.caseRef, lenderId: application.lenderId }, reason)
}

/** The lender will not lend: the case has ended, and so has the journey where it still goes on. Both as they are then. */
export async function reject(
  ctx: TxContext,
  { application, journey }: Concerned,
  because: string,
  reason: EndReason,
): Promise<Concerned> {
  const { tx, at } = ctx
  const ended = await endCase(tx, application, because, at)
  return {
    application: ended,
    journey: journey.active ? await lenderRejected(ctx, journey, reason) : journey,
  }
}
