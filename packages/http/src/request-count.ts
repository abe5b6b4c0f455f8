// Counts requests in the database, for all processes: a token bucket per caller.

import { oneRow, type Run, sql } from '@lendloom/postgres/sql'

export interface RequestCountKey {
  tenantId: string
  caller: string
}

export interface RequestBatch {
  requests: number
  /** Tokens per second, and tokens of a full bucket. */
  limit: { perSecond: number; burst: number }
  at: Date
}

/**
 * Takes a token for each request of the batch, last at `at`, and returns the tokens that remain: below zero for a debt.
 * Clocks of processes may differ by `toleranceMs`: the foremost one refills the bucket. A count that is further in the
 * future comes from a clock that was set back since; the bucket continues at `at`. Citus permits neither a subquery in
 * the update nor a time plus an interval, which depends on the time zone.
 */
export async function countRequests(
  db: Run,
  { tenantId, caller }: RequestCountKey,
  { requests, limit, at }: RequestBatch,
  toleranceMs: number,
): Promise<number> {
  const { perSecond, burst } = limit
  const leftOver = sql`least(${burst}::float8, c.tokens + ${perSecond}::float8 * greatest(0,
    extract(epoch from excluded.counted_at - c.counted_at)::float8)) - ${requests}::float8`
  const refilledAt = sql`case when c.counted_at - excluded.counted_at > ${toleranceMs}::float8 * interval '1 millisecond'
    then excluded.counted_at else greatest(c.counted_at, excluded.counted_at) end`
  const { tokens } = oneRow(
    await db<{ tokens: number }>`
      insert into request_count as c (tenant_id, caller, tokens, counted_at, full_at)
      values (${tenantId}, ${caller}, ${burst}::float8 - ${requests}::float8, ${at},
        ${at}::timestamptz + ${requests}::float8 / ${perSecond}::float8 * interval '1 second')
      on conflict (tenant_id, caller) do update set tokens = ${leftOver}, counted_at = ${refilledAt},
        full_at = to_timestamp(extract(epoch from ${refilledAt} - ${new Date(0)}::timestamptz)::float8
          + (${burst}::float8 - (${leftOver})) / ${perSecond}::float8)
      returning tokens`,
  )
  return tokens
}

/** Deletes full buckets, which equal missing ones. */
export async function deleteFullCounts(db: Run, before: Date): Promise<void> {
  await db`delete from request_count where full_at < ${before}`
}
