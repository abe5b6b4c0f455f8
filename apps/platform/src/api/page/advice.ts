// Advice to a borrower whose journey ended without a loan, and the credit bureau whose report led to the decision.

import { adviceOn } from '@lendloom/lending/reason/advice'
import type { Reason } from '@lendloom/lending/reason/reason'
import type { EmbedView, Screen } from '@lendloom/wire/hosted/embed-view'
import type { Context } from '#platform/context.ts'
import { findRejectingBureau } from '#platform/lenders/partner/rejecting-bureau.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'
import type { SearchedLender } from './store.ts'

interface EndedJourney {
  journey: Journey
  screen: Screen
  chosen: Pick<Offer, 'lenderId'> | undefined
  lenders: SearchedLender[]
}

/** Returns the advice for all end reasons, and the credit bureau if one of them concerns credit. */
export async function adviceFields(ctx: Context, ended: EndedJourney): Promise<Pick<EmbedView, 'advice' | 'bureau'>> {
  const reasons = reasonsOf(ended)
  const advice = adviceOn(reasons.map(({ reason }) => reason))
  if (!advice.includes('CREDIT')) return { advice, bureau: null }
  const creditReasons = reasons.filter(({ reason }) => adviceOn([reason]).includes('CREDIT'))
  const lenderIds = creditReasons.flatMap(({ lenderId }) => lenderId ?? [])
  return { advice, bureau: await findRejectingBureau(ctx.db, ctx, ended.journey, lenderIds) }
}

/** Returns the journey's end reason, or the reason of each lender that made no offer. */
function reasonsOf({
  journey,
  screen,
  chosen,
  lenders,
}: EndedJourney): { reason: Reason; lenderId: string | undefined }[] {
  const journeyReason = screen === 'REJECTED' || screen === 'EXPIRED' ? journey.endReason : null
  return [
    ...(journeyReason === null ? [] : [{ reason: journeyReason, lenderId: chosen?.lenderId }]),
    ...(screen === 'NOT_OFFERED' ? lenders : []).flatMap(({ reason, lenderId }) =>
      reason === null ? [] : [{ reason, lenderId }],
    ),
  ]
}
