// Store of the table profile.

import { bytea, insertInto, timestamptz, uuid } from '@lendloom/postgres/insert'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { ProfileDigests } from '#platform/lending/borrower/digests.ts'

export interface ProfileRow extends ProfileDigests {
  tenantId: string
  journeyId: string
  profileSealed: Buffer
  updatedAt: Date
}

export const newProfiles = insertInto<ProfileRow>({
  insert: 'insert into profile',
  bucketOf: ({ journeyId }) => bucketOf(journeyId),
  columns: {
    tenantId: uuid,
    journeyId: uuid,
    profileSealed: bytea,
    panDigest: bytea,
    emailDigest: bytea,
    officialEmailDigest: bytea,
    updatedAt: timestamptz,
  },
  key: 'journeyId',
})

export async function findProfile(
  db: Run,
  tenantId: string,
  journeyId: string,
): Promise<{ profileSealed: Buffer; submittedAt: Date | null } | undefined> {
  const [row] = await db<{ profileSealed: Buffer; submittedAt: Date | null }>`
    select profile_sealed, submitted_at from profile where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`
  return row
}

export async function updateProfile(tx: Tx, row: ProfileRow): Promise<void> {
  const { tenantId, journeyId, profileSealed, panDigest, emailDigest, officialEmailDigest, updatedAt } = row
  await tx`
    update profile set profile_sealed = ${profileSealed}, pan_digest = ${panDigest}, email_digest = ${emailDigest},
      official_email_digest = ${officialEmailDigest}, updated_at = ${updatedAt}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`
}

export async function setSubmitted(
  tx: Tx,
  tenantId: string,
  journeyId: string,
  submittedAt: Date | null,
): Promise<void> {
  await tx`update profile set submitted_at = ${submittedAt} where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`
}
