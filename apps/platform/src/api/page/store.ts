// Queries of the hosted page that join tables of several modules.

import type { Lender } from '@lendloom/lending/lender'
import type { OfferReason } from '@lendloom/lending/reason/reason'
import { Fragment, join, oneRow, type Run, sql } from '@lendloom/postgres/sql'
import { noTenantId } from '@lendloom/queue/queue'
import { bucketOf } from '@lendloom/seal/id'
import type { Journey, JourneyKey } from '#platform/lending/journey/journey.ts'
import { hasLoan } from '#platform/lending/journey/journey.ts'
import { journeyColumns } from '#platform/lending/journey/store.ts'
import type { LenderKey } from '#platform/lending/lender/switch/store.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'
import { offerColumns } from '#platform/lending/offer/store.ts'

export interface SearchedLender extends LenderKey {
  lenderId: string
  identity: Lender
  status: 'OFFER_RECEIVED' | 'OFFER_AWAITED' | 'NO_OFFER_AVAILABLE'
  reason: OfferReason | null
  requestedAt: Date
}

/** Reads every offer of a journey with its lender, as the page shows both. */
export const searchedOffers = (db: Run, { tenantId, journeyId }: JourneyKey) => db<Offer & SearchedLender>`
  select ${offerColumns}, l.bpp_id, l.provider_id, l.identity, o.created_at as requested_at
  from offer o join lender l on l.tenant_id = o.tenant_id and l.lender_id = o.lender_id
  where o.bucket = ${bucketOf(journeyId)} and o.tenant_id = ${tenantId} and o.journey_id = ${journeyId} order by o.offer_id`

export type ShownJourney = Journey & { profileSealed: Buffer; hostName: string | null; hostOrigins: string[] | null }

/** Reads a journey with its profile, and with the name and origins of the app that shows it. */
export async function findShownJourney(
  db: Run,
  { tenantId, journeyId }: JourneyKey,
): Promise<ShownJourney | undefined> {
  const [row] = await db<ShownJourney>`
    select ${journeyColumns}, p.profile_sealed, a.name as host_name, a.origins as host_origins
    from journey j join profile p on p.bucket = j.bucket and p.tenant_id = j.tenant_id and p.journey_id = j.journey_id
    left join application a on a.tenant_id = j.tenant_id and a.application_id = j.application_id
    where j.bucket = ${bucketOf(journeyId)} and j.tenant_id = ${tenantId} and j.journey_id = ${journeyId}`
  return row
}

/** A test compares them with the statements of the view. */
const journeyTables = [
  'profile',
  'consent_withdrawal',
  'portfolio',
  'lifecycle_event',
  'conversation',
  'step',
  'aa_session',
  'fund_statement',
  'servicing',
  'drawdown',
  'grievance',
]
const versionReads: readonly Fragment[] = [
  ...journeyTables.map(
    (table) => `r.xmin::text as version, null as status, null::int as page_sequence from ${table} r`,
  ),
  `concat_ws('+', r.xmin, a.xmin), r.status, r.page_sequence from journey r
     left join application a on a.tenant_id = r.tenant_id and a.application_id = r.application_id`,
  `concat_ws('+', r.xmin, l.xmin, s.xmin), null, null from offer r
     left join lender l on l.tenant_id = r.tenant_id and l.lender_id = r.lender_id
     left join lender_switch s on s.tenant_id in (l.tenant_id, '${noTenantId}') and s.bpp_id = l.bpp_id and s.provider_id = l.provider_id`,
  `concat_ws('+', r.xmin, d.xmin), null, null from partner_case r
     left join partner_document d on d.bucket = r.bucket and d.tenant_id = r.tenant_id and d.case_ref = r.case_ref`,
].map((read) => new Fragment(Object.freeze([`select ${read}`]), []))

/** Each version of a row has its own `xmin`, so no writer must remember to increase a version. */
export async function rowVersionsOf(
  db: Run,
  { tenantId, journeyId }: JourneyKey,
): Promise<{ versions: string; pageSequence: number | null }> {
  const reads = versionReads.map(
    (read) =>
      sql`${read} where r.bucket = ${bucketOf(journeyId)} and r.tenant_id = ${tenantId} and r.journey_id = ${journeyId}`,
  )
  const rows = await db<{ versions: string; status: Journey['status'] | null; pageSequence: number | null }>`
    select string_agg(version, ',') as versions, max(status) as status, max(page_sequence) as page_sequence
    from (${join(reads, ' union all ')}) as rows_of_journey`
  const { versions, status, pageSequence } = oneRow(rows)
  if (status === null || !hasLoan({ status })) return { versions, pageSequence }
  // Complaints are on another server of a distributed database, where a join does not return `xmin`.
  const complaints = await db<{ versions: string }>`
    select string_agg(xmin::text, ',') as versions from complaint where tenant_id = ${tenantId} and journey_id = ${journeyId}`
  return { versions: `${versions} ${oneRow(complaints).versions}`, pageSequence }
}
