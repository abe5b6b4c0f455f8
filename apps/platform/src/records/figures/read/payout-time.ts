// Computes from the figures how long lenders take from accepted terms to payout. Borrowers see this with the offers.

import { type Cache, cache, perDatabase, shareRunning } from '@lendloom/foundation/cache'
import type { Db } from '@lendloom/postgres/sql'
import { dayMs, halfHourAfter } from '#platform/records/figures/half-hours.ts'
import { percentileOf } from '#platform/records/figures/percentile.ts'
import { sumBySubject } from './store.ts'
import { timeSlicesOf } from './window.ts'

/** Only payouts of these days count, so that the median follows what a lender does now. */
const countedDays = 90
/** Minimum number of loans for a median. */
const minLoans = 10

/** Median payout time in whole seconds, keyed by lender id. */
export type Payouts = ReadonlyMap<string, number>
type FindMedianPayouts = (tenantId: string, at: Date) => Promise<Payouts>

/** Finds the median payout times of a tenant's lenders. The result is cached for ten minutes. */
export const medianPayoutsOf = perDatabase(({ db }: { db: Db }): FindMedianPayouts => {
  const cached: Cache<Payouts> = cache({
    name: 'payouts',
    maxBytes: 1_000_000,
    lifetimeMs: 600_000,
    weigh: ({ size }) => 150 * size,
  })
  // After the cached value has expired, concurrent requests share one query.
  const shareQuery = shareRunning<Payouts>()
  return async (tenantId, at) => {
    const cachedPayouts = cached.get(tenantId)
    if (cachedPayouts) return cachedPayouts
    const payouts = await shareQuery(tenantId, () => payoutsOf(db, tenantId, at))
    cached.set(tenantId, payouts)
    return payouts
  }
})

async function payoutsOf(db: Db, tenantId: string, at: Date): Promise<Payouts> {
  const slices = timeSlicesOf({ from: new Date(at.getTime() - countedDays * dayMs), until: halfHourAfter(at) })
  const rows = await sumBySubject(db, { tenantId, applicationId: null, product: null }, 'payout-time', slices)
  const medians = new Map<string, number>()
  for (const [lenderId, buckets] of Map.groupBy(rows, ({ subject }) => subject)) {
    const counts = new Map(buckets.map(({ outcome, count }) => [Number(outcome), count]))
    const loans = buckets.reduce((sum, { count }) => sum + count, 0)
    const median = percentileOf(counts, 0.5)
    if (loans >= minLoans && median !== null) medians.set(lenderId, Math.round(median))
  }
  return medians
}
