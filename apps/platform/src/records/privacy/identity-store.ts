// The identity of a borrower: the row of table borrower and its sessions, with or without a journey.

import { isUuid } from '@lendloom/foundation/uuid'
import { type Fragment, type Run, sql } from '@lendloom/postgres/sql'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { borrowerBucketIn } from '#platform/lending/borrower/store.ts'
import { type BorrowerKey, erasedExternalId } from './erase/store.ts'
import type { StoredIdentity } from './retention-period.ts'

/** The facts that decide whether the identity may be erased; undefined if it is erased. */
export async function findIdentity(
  db: Run,
  { tenantId, borrowerId }: BorrowerKey,
): Promise<StoredIdentity | undefined> {
  const bucket = bucketOf(borrowerId)
  const [row] = await db<Omit<StoredIdentity, 'isHeld'>>`
    select (select max(s.created_at) from headless_session s
      where s.bucket = ${bucket} and s.tenant_id = b.tenant_id and s.borrower_id = b.borrower_id) as last_session_at
    from borrower b where b.bucket = ${bucket} and b.tenant_id = ${tenantId} and b.borrower_id = ${borrowerId}
      and b.external_id <> ${erasedExternalId(borrowerId)}`
  if (!row) return undefined
  const held = await db`
    select 1 from legal_hold where tenant_id = ${tenantId} and borrower_id = ${borrowerId} and released_at is null`
  return { ...row, isHeld: held.length > 0 }
}

/**
 * Selects borrowers whose app opened sessions, the last one before `before`, and who have no journey with personal data.
 * An id begins with its time, so the primary key passes over newer borrowers. A hosted borrower always has a journey.
 */
export const withoutJourney = (before: Date, after: BorrowerKey | null, limit: number): Fragment => sql`
  select b.tenant_id, b.borrower_id from borrower b
  where b.borrower_id < ${firstIdOf(before)} and b.prefill_sealed is not null
    ${after ? sql`and (b.tenant_id, b.borrower_id) > (${after.tenantId}::uuid, ${after.borrowerId}::uuid)` : sql``}
    and not exists (select from journey j
      where j.bucket = b.bucket and j.tenant_id = b.tenant_id and j.borrower_id = b.borrower_id and j.erased_at is null)
    and not exists (select from headless_session s
      where s.bucket = b.bucket and s.tenant_id = b.tenant_id and s.borrower_id = b.borrower_id and s.created_at >= ${before})
  order by b.tenant_id, b.borrower_id limit ${limit}`

export const listWithoutJourney = (db: Run, before: Date, after: BorrowerKey | null, limit: number) =>
  db<BorrowerKey>`${withoutJourney(before, after, limit)}`

/** The smallest id of a millisecond. */
const firstIdOf = (at: Date): string => `${uuidv7(at.getTime(), 0).slice(0, 15)}000-8000-000000000000`

interface SoughtBorrower {
  /** Null for all tenants. */
  tenantId: string | null
  /** The integrator's identifier, ours, or the id of a journey. */
  identifier: string
  mobileDigest: Buffer
}

/** Finds borrowers, newest first, by the integrator's identifier, our id, the id of a journey or the mobile number. */
export async function findBorrowers(db: Run, { tenantId, identifier, mobileDigest }: SoughtBorrower) {
  const rows = await db<BorrowerKey & { createdAt: Date }>`
    with searched as (select tenant_id from tenant where ${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)
    select tenant_id, borrower_id, created_at from (
      select b.tenant_id, b.borrower_id, b.created_at from searched w join borrower b on b.tenant_id = w.tenant_id
        and b.bucket = ${borrowerBucketIn(sql`w.tenant_id`, identifier)} and b.external_id = ${identifier}
      union select b.tenant_id, b.borrower_id, b.created_at from searched w join borrower b on b.tenant_id = w.tenant_id
        and b.bucket = ${bucketOf(identifier)} and b.borrower_id = ${isUuid(identifier) ? identifier : null}::uuid
      union select b.tenant_id, b.borrower_id, b.created_at from searched w join journey j on j.tenant_id = w.tenant_id
        and j.bucket = ${bucketOf(identifier)} and j.journey_id = ${isUuid(identifier) ? identifier : null}::uuid
        join borrower b on b.tenant_id = j.tenant_id and b.bucket = j.bucket and b.borrower_id = j.borrower_id
      union select b.tenant_id, b.borrower_id, b.created_at from searched w join borrower b on b.tenant_id = w.tenant_id
        and b.mobile_digest = ${mobileDigest}) as found
    order by borrower_id desc limit ${maxFound}`
  const counts = await countJourneys(db, rows)
  return rows.map((row) => ({ ...row, journeys: counts.get(row.borrowerId) ?? 0 }))
}

const maxFound = 50

/** A statement of its own, because a distributed database cannot count for rows that it has found. */
async function countJourneys(db: Run, borrowers: BorrowerKey[]): Promise<Map<string, number>> {
  const rows = await db<{ borrowerId: string; journeys: number }>`
    select borrower_id, count(*)::integer as journeys from journey
    where bucket = any(${borrowers.map(({ borrowerId }) => bucketOf(borrowerId))}::smallint[])
      and tenant_id = any(${borrowers.map(({ tenantId }) => tenantId)}::uuid[])
      and borrower_id = any(${borrowers.map(({ borrowerId }) => borrowerId)}::uuid[])
    group by borrower_id`
  return new Map(rows.map(({ borrowerId, journeys }) => [borrowerId, journeys]))
}

/** The key of a borrower by our id; in any tenant if `tenantId` is null. */
export async function findBorrowerKey(
  db: Run,
  borrowerId: string,
  tenantId: string | null,
): Promise<BorrowerKey | undefined> {
  const [key] = await db<BorrowerKey>`
    select b.tenant_id, b.borrower_id from tenant t
    join borrower b on b.bucket = ${bucketOf(borrowerId)} and b.tenant_id = t.tenant_id and b.borrower_id = ${borrowerId}
    where ${tenantId}::uuid is null or t.tenant_id = ${tenantId}::uuid limit 1`
  return key
}
