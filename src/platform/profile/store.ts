// Table of profile; and the statement that opens a journey, composed of the pieces that the modules below write.
import { byteas, instants, uuids } from '#kit/db/binary-array.ts'
import { type Fragment, type Run, sql, type Tx } from '#kit/db/sql.ts'
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

/** The profile of the journey that `given` (a `from` item) yields. */
export const newProfile = ({ tenantId, journeyId, profileSealed, at }: ProfileUpdate, given: Fragment): Fragment => sql`
  insert into profile (tenant_id, journey_id, profile_sealed, updated_at)
  select ${tenantId}::uuid, ${journeyId}::uuid, ${profileSealed}::bytea, ${at}::timestamptz from ${given} as given`

/** The same of several of one tenant, each of the journey that `given` (a `from` item) yields. */
export const newProfiles = (tenantId: string, rows: Opening[], given: Fragment): Fragment => sql`
  insert into profile (tenant_id, journey_id, profile_sealed, updated_at)
  select ${tenantId}::uuid, row.journey_id, row.profile_sealed, row.at
  from ${given} as given
  join unnest(${uuids(rows.map(({ journey }) => journey.journeyId))}::uuid[],
    ${byteas(rows.map(({ profileSealed }) => profileSealed))}::bytea[],
    ${instants(rows.map(({ journey }) => journey.at))}::timestamptz[]
  ) as row (journey_id, profile_sealed, at) on row.journey_id = given.journey_id`

export interface Opening {
  journey: NewJourney
  profileSealed: Buffer
  event: NewEvent
  delivery: LifecycleDelivery
}

/** Journey, profile, event and deliveries for the borrower that `someone` yields; the journey is then named `begun`. */
export const openingRows = ({ journey, profileSealed, event, delivery }: Opening): Fragment => sql`
  begun as (${newJourney(journey, sql`someone`)}),
  profiled as (${newProfile({ ...journey, profileSealed }, sql`begun`)}),
  told as (${newEvent(event, sql`begun`)}),
  sent as (${newDeliveries(delivery, journey.at, sql`begun`)})`

/** All of it in one statement, for a borrower who is known. */
export async function insertOpening(tx: Run, borrowerId: string, opening: Opening): Promise<void> {
  await tx`with someone as (select ${borrowerId}::uuid as borrower_id), ${openingRows(opening)} select 1 from begun`
}

export interface OpeningFor {
  borrowerId: string
  opening: Opening
}

/** The same of several borrowers of one tenant, each with its own. */
export function openingRowsOf(tenantId: string, rows: OpeningFor[]): Fragment {
  const openings = rows.map(({ opening }) => opening)
  const journeys = rows.map(({ borrowerId, opening: { journey } }) => ({ ...journey, borrowerId }))
  const sent = openings.map(({ delivery, journey }) => ({ ...delivery, at: journey.at }))
  const events = openings.map(({ event }) => event)
  return sql`
    begun as (${newJourneys(tenantId, journeys, sql`someone`)}),
    profiled as (${newProfiles(tenantId, openings, sql`begun`)}),
    told as (${newEvents(tenantId, events, sql`begun`)}),
    sent as (${newDeliveriesOf(tenantId, sent, sql`begun`)})`
}

export async function findProfile(
  db: Run,
  tenantId: string,
  journeyId: string,
): Promise<{ profileSealed: Buffer; submittedAt: Date | null } | undefined> {
  const [row] = await db<{ profileSealed: Buffer; submittedAt: Date | null }>`
    select profile_sealed, submitted_at from profile where tenant_id = ${tenantId} and journey_id = ${journeyId}`
  return row
}

interface ProfileUpdate {
  tenantId: string
  journeyId: string
  profileSealed: Buffer
  at: Date
}

export async function updateProfile(tx: Tx, { tenantId, journeyId, profileSealed, at }: ProfileUpdate): Promise<void> {
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
