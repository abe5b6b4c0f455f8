// An offer that nobody decided on ends by time, once no decision made in time can still be on its way (D3 §3, §8).
import { secondsAfter } from '#kit/clock.ts'
import { moveCase } from '#partner/case/move.ts'
import { lockCase } from '#partner/case/store.ts'
import type { World } from '#partner/world.ts'
import { currentOffer, lapsedOffers, recordDecision } from './store.ts'

const batch = 100

/** Ends the offers whose time is over; gives how many. What somebody decided meanwhile is left alone. */
export async function lapseOffers(world: World, at: Date): Promise<number> {
  const before = secondsAfter(at, -60 * world.config.PARTNER_OFFER_GRACE_MINUTES)
  const due = await lapsedOffers(world.db, before, batch)
  for (const { caseRef } of due)
    await world.db.tx(async (tx) => {
      const kase = await lockCase(tx, caseRef)
      const offer = await currentOffer(tx, caseRef)
      if (kase.status !== 'OFFERED' || offer?.decision !== 'PENDING' || offer.validUntil >= before) return
      const ended = { decision: 'EXPIRE' as const, sourceEventId: null, decidedAt: offer.validUntil, recordedAt: at }
      await recordDecision(tx, offer, ended)
      await moveCase(tx, kase, 'expired', at)
    })
  return due.length
}
