// Table of profile.

import type { Run } from '#kit/sql.ts'
import { type Fragment, sql, type Tx } from '#kit/sql.ts'

/** The profile of the journey that `given` (a `from` item) yields. */
export const newProfile = (
  tenantId: string,
  journeyId: string,
  profileSealed: Buffer,
  at: Date,
  given: Fragment,
): Fragment => sql`
  insert into profile (tenant_id, journey_id, profile_sealed, updated_at)
  select ${tenantId}::uuid, ${journeyId}::uuid, ${profileSealed}::bytea, ${at}::timestamptz from ${given} as given`

export async function findProfile(
  db: Run,
  tenantId: string,
  journeyId: string,
): Promise<{ profileSealed: Buffer; submittedAt: Date | null } | undefined> {
  const [row] = await db<{ profileSealed: Buffer; submittedAt: Date | null }>`
    select profile_sealed, submitted_at from profile where tenant_id = ${tenantId} and journey_id = ${journeyId}`
  return row
}

export async function updateProfile(
  tx: Tx,
  tenantId: string,
  journeyId: string,
  profileSealed: Buffer,
  at: Date,
): Promise<void> {
  await tx`update profile set profile_sealed = ${profileSealed}, updated_at = ${at} where tenant_id = ${tenantId} and journey_id = ${journeyId}`
}

export async function setSubmitted(
  tx: Tx,
  tenantId: string,
  journeyId: string,
  submittedAt: Date | null,
): Promise<void> {
  await tx`update profile set submitted_at = ${submittedAt} where tenant_id = ${tenantId} and journey_id = ${journeyId}`
}
