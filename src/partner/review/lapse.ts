// An offer that nobody decided on ends by time, once no decision made in time can still be on its way (D3 §3, §8).
import { secondsAfter } from '#kit/runtime/clock.ts'
import { moveCase } from '#partner/case/move.ts'
import { lockCase } from '#partner/case/store.ts'
import type { Context } from '#partner/context.ts'
import { currentOffer, lapsedOffers, recordDecision } from './store.ts'

const batch = 100

/** Ends the offers whose time is over; gives how many. What somebody decided meanwhile is left alone. */
export async function lapseOffers(ctx: Context, at: Date): Promise<number> {
  const before = secondsAfter(at, -60 * ctx.config.PARTNER_OFFER_GRACE_MINUTES)
  const due = await lapsedOffers(ctx.db, before, batch)
  for (const { caseRef } of due)
    await ctx.db.tx(async (tx) => {
      const loanCase = await lockCase(tx, caseRef)
      const offer = await currentOffer(tx, caseRef)
      if (loanCase.status !== 'OFFERED' || offer?.decision !== 'PENDING' || offer.validUntil >= before) return
      const ended = { decision: 'EXPIRE' as const, sourceEventId: null, decidedAt: offer.validUntil, recordedAt: at }
      await recordDecision(tx, offer, ended)
      await moveCase(tx, loanCase, 'expired', at)
    })
  return due.length
}
