// Advice to a borrower whose journey ended without a loan, and the credit bureau behind the decision.

import type { EmbedView, Screen } from '#contract/hosted/embed.ts'
import { adviceOn, bureauIn } from '#contract/reason/advice.ts'
import type { StoredReason } from '#contract/reason/reason.ts'
import type { Context } from '#platform/context.ts'
import { bureauBehind } from '#platform/exchange/bureau.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { Offer } from '#platform/offer/offer.ts'
import type { SearchedLender } from './store.ts'

interface EndedJourney {
  journey: Journey
  screen: Screen
  chosen: Pick<Offer, 'lenderId'> | undefined
  lenders: SearchedLender[]
}

/** Uses the journey's reason, or the lenders' if none offered. Looks up the bureau only if credit was the reason. */
export async function adviceParts(ctx: Context, ended: EndedJourney): Promise<Pick<EmbedView, 'advice' | 'bureau'>> {
  const reasons = reasonsOf(ended)
  const advice = adviceOn(reasons.map(({ reason }) => reason))
  const named = reasons.map(({ reason }) => bureauIn(reason)).find((bureau) => bureau !== null)
  if (named || !advice.includes('CREDIT')) return { advice, bureau: named ?? null }
  const onCredit = reasons.filter(({ reason }) => adviceOn([reason]).includes('CREDIT'))
  const lenderIds = onCredit.flatMap(({ lenderId }) => lenderId ?? [])
  return { advice, bureau: await bureauBehind(ctx.db, ctx, ended.journey, lenderIds) }
}

/** Returns each reason with its lender. */
function reasonsOf({
  journey,
  screen,
  chosen,
  lenders,
}: EndedJourney): { reason: StoredReason; lenderId: string | undefined }[] {
  const own = screen === 'REJECTED' || screen === 'EXPIRED' ? journey.endReason : null
  return [
    ...(own === null ? [] : [{ reason: own, lenderId: chosen?.lenderId }]),
    ...(screen === 'NOT_OFFERED' ? lenders : []).flatMap(({ reason, lenderId }) =>
      reason === null ? [] : [{ reason, lenderId }],
    ),
  ]
}
