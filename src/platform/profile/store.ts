// Table of profile; and the statement that opens a journey, composed of the pieces that the modules below write.
import { bucketOf } from '#kit/crypto/id.ts'
import { bigints, byteas, instants, uuids } from '#kit/db/binary-array.ts'
import { insertParts, type Parts, valuesIf } from '#kit/db/given.ts'
import { type Fragment, type Run, sql, type Tx } from '#kit/db/sql.ts'
import type { ProfileDigests } from '#platform/borrower/borrower.ts'
import {
  type NewEvent,
  type NewJourney,
  newEvent,
  newEvents,
  newJourney,
  newJourneys,
} from '#platform/journey/store.ts'
import type { LifecycleDelivery } from '#platform/webhook/delivery.ts'
import { newDeliveries, newDeliveriesOf } from '#platform/webhook/store.ts'

/** The profile of a journey, if `given` (a `from` item) yields it or nothing is given. */
const newProfile = (
  { tenantId, journeyId, profileSealed, digests, at }: ProfileUpdate,
  given: Fragment | null,
): Fragment => sql`
  insert into profile (bucket, tenant_id, journey_id, profile_sealed, pan_digest, email_digest, official_email_digest, updated_at)
  ${valuesIf(
    given,
    sql`${bucketOf(journeyId)}::smallint, ${tenantId}::uuid, ${journeyId}::uuid, ${profileSealed}::bytea, ${digests.pan}::bytea,
    ${digests.email}::bytea, ${digests.officialEmail}::bytea, ${at}::timestamptz`,
  )}`

/** The same of several of one tenant, each of the journey that `given` (a `from` item) yields. */
const newProfiles = (tenantId: string, rows: Opening[], given: Fragment): Fragment => sql`
  insert into profile (bucket, tenant_id, journey_id, profile_sealed, pan_digest, email_digest, official_email_digest, updated_at)
  select row.bucket, ${tenantId}::uuid, row.journey_id, row.profile_sealed, row.pan_digest, row.email_digest, row.official_email_digest,
    row.at
  from ${given} as given
  join unnest(${bigints(rows.map(({ journey }) => bucketOf(journey.journeyId)))}::bigint[],
    ${uuids(rows.map(({ journey }) => journey.journeyId))}::uuid[],
    ${byteas(rows.map(({ profileSealed }) => profileSealed))}::bytea[],
    ${byteas(rows.map(({ digests }) => digests.pan))}::bytea[], ${byteas(rows.map(({ digests }) => digests.email))}::bytea[],
    ${byteas(rows.map(({ digests }) => digests.officialEmail))}::bytea[],
    ${instants(rows.map(({ journey }) => journey.at))}::timestamptz[]
  ) as row (bucket, journey_id, profile_sealed, pan_digest, email_digest, official_email_digest, at) on row.journey_id = given.journey_id`

export interface Opening {
  journey: NewJourney
  profileSealed: Buffer
  digests: ProfileDigests
  event: NewEvent
  delivery: LifecycleDelivery
}

/** Journey, profile, event and deliveries. The journey's part is named `begun`. */
export const openingParts = ({ journey, profileSealed, digests, event, delivery }: Opening): Parts => [
  { name: sql`begun`, insert: (given) => newJourney(journey, given) },
  { name: sql`profiled`, insert: (given) => newProfile({ ...journey, profileSealed, digests }, given) },
  { name: sql`event_row`, insert: (given) => newEvent(event, given) },
  { name: sql`sent`, insert: (given) => newDeliveries(delivery, journey.at, given) },
]

/** All of it, for a borrower who is known. */
export const insertOpening = (tx: Tx, opening: Opening): Promise<void> => insertParts(tx, openingParts(opening))

/** The same of several borrowers of one tenant, each for the borrower that `someone` yields. */
export function openingRowsOf(tenantId: string, openings: Opening[]): Fragment {
  const journeys = openings.map(({ journey }) => journey)
  const sent = openings.map(({ delivery, journey }) => ({ ...delivery, at: journey.at }))
  const events = openings.map(({ event }) => event)
  return sql`
    begun as (${newJourneys(tenantId, journeys, sql`someone`)}),
    profiled as (${newProfiles(tenantId, openings, sql`begun`)}),
    event_row as (${newEvents(tenantId, events, sql`begun`)}),
    sent as (${newDeliveriesOf(tenantId, sent, sql`begun`)})`
}

export async function findProfile(
  db: Run,
  tenantId: string,
  journeyId: string,
): Promise<{ profileSealed: Buffer; submittedAt: Date | null } | undefined> {
  const [row] = await db<{ profileSealed: Buffer; submittedAt: Date | null }>`
    select profile_sealed, submitted_at from profile where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`
  return row
}

interface ProfileUpdate {
  tenantId: string
  journeyId: string
  profileSealed: Buffer
  digests: ProfileDigests
  at: Date
}

export async function updateProfile(
  tx: Tx,
  { tenantId, journeyId, profileSealed, digests, at }: ProfileUpdate,
): Promise<void> {
  await tx`
    update profile set profile_sealed = ${profileSealed}, pan_digest = ${digests.pan}, email_digest = ${digests.email},
      official_email_digest = ${digests.officialEmail}, updated_at = ${at}
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
