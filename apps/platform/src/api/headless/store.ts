// Tables journey_note and operation, and the columns of several modules from which a journey's status is computed.

import { productsThat } from '@lendloom/lending/product/products'
import type { EndReason } from '@lendloom/lending/reason/reason'
import { numberedRowsAs, smallint, uuid } from '@lendloom/postgres/rows'
import { type Fragment, oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { JourneyType } from '@lendloom/wire/headless/enums'
import type { OperationKind } from '@lendloom/wire/headless/operation'
import type { BorrowerOfApplication } from '#platform/integrators/access/headless/authentication.ts'
import type { Journey, JourneyKey } from '#platform/lending/journey/journey.ts'
import { journeyColumns } from '#platform/lending/journey/store.ts'
import { shownStatus } from '#platform/lending/offer/store.ts'
import type { StatusRows } from './journey-status.ts'

export interface HeadlessJourneyRow
  extends Pick<StatusRows, 'profileBegun' | 'offers' | 'steps' | 'aaSessions'>,
    Pick<Journey, 'journeyId' | 'status' | 'active' | 'search' | 'closedAt' | 'createdAt' | 'updatedAt'> {
  type: JourneyType
  endReason: EndReason | null
  lastCompletedStep: string | null
  lastViewedOfferId: string | null
  metadataSealed: Buffer | null
}

/** Selects the API's fields of a journey `j` and its note `n`. */
const columns = sql`
  j.journey_id, j.type, j.status, j.active, j.search, j.closed_at, j.created_at, j.updated_at, j.end_reason,
    j.last_borrower_act_at > j.created_at as profile_begun, n.last_completed_step, n.last_viewed_offer_id, n.metadata_sealed,
    (select coalesce(json_agg(json_build_object('offerId', o.offer_id, 'status', ${shownStatus},
      'selected', o.selected_at is not null and o.rejected_at is null, 'finalTerms', o.final_terms)), '[]')
      from offer o where o.bucket = j.bucket and o.tenant_id = j.tenant_id and o.journey_id = j.journey_id) as offers,
    (select coalesce(json_agg(json_build_object('name', s.name, 'status', s.status,
      'hasPage', s.resource_url is not null or s.resource_url_sealed is not null, 'retryable', (s.diagnostics->>'retryable')::boolean)), '[]')
      from step s where s.bucket = j.bucket and s.tenant_id = j.tenant_id and s.journey_id = j.journey_id) as steps,
    (select coalesce(json_agg(json_build_object('offerId', a.offer_id, 'purpose', a.purpose, 'state', a.state)), '[]')
      from aa_session a where a.bucket = j.bucket and a.tenant_id = j.tenant_id and a.journey_id = j.journey_id) as aa_sessions`
/** The API treats journeys of other products as absent (D2 §2.2). */
const headlessProducts = productsThat('isHeadless')
const joinNote = sql`left join journey_note n on n.bucket = j.bucket and n.tenant_id = j.tenant_id and n.journey_id = j.journey_id`

/** Reads the borrower's journeys that match the SQL condition `filter`, in one round trip. */
const journeyRows = (
  db: Run,
  { tenantId, applicationId, borrowerId }: BorrowerOfApplication,
  filter: Fragment,
) => db<HeadlessJourneyRow>`
  select ${columns} from journey j ${joinNote}
  where j.bucket = ${bucketOf(borrowerId)} and j.tenant_id = ${tenantId} and j.borrower_id = ${borrowerId} and j.application_id = ${applicationId} and j.type = any(${headlessProducts}::text[]) ${filter}`

export interface JourneyLookup {
  who: BorrowerOfApplication
  journeyId: string
}

/** Reads one journey per look-up, in the same order, and undefined for a journey of another borrower. */
export async function findJourneyRows(db: Run, lookups: JourneyLookup[]): Promise<(HeadlessJourneyRow | undefined)[]> {
  const rows = await db<HeadlessJourneyRow & { place: bigint }>`
    select lookup.place, ${columns}
    from ${numberedRowsAs(sql`lookup`, lookups, {
      bucket: smallint(({ journeyId }) => bucketOf(journeyId)),
      tenantId: uuid(({ who }) => who.tenantId),
      applicationId: uuid(({ who }) => who.applicationId),
      borrowerId: uuid(({ who }) => who.borrowerId),
      journeyId: uuid(({ journeyId }) => journeyId),
    })}
    join journey j on j.bucket = lookup.bucket and j.tenant_id = lookup.tenant_id and j.journey_id = lookup.journey_id
      and j.application_id = lookup.application_id and j.borrower_id = lookup.borrower_id and j.type = any(${headlessProducts}::text[])
    ${joinNote}`
  const journeys: (HeadlessJourneyRow | undefined)[] = Array(lookups.length).fill(undefined)
  for (const { place, ...row } of rows) journeys[Number(place) - 1] = row
  return journeys
}

/** Returns undefined for a journey of another borrower. */
export async function findJourneyRow(
  db: Run,
  who: BorrowerOfApplication,
  journeyId: string,
): Promise<HeadlessJourneyRow | undefined> {
  const [row] = await journeyRows(db, who, sql`and j.journey_id = ${journeyId}`)
  return row
}

/** Returns the newest active journey of the requested type, or of any type if the borrower has none of that type. */
export async function findNewestActive(
  db: Run,
  who: BorrowerOfApplication,
  type: string | null,
): Promise<HeadlessJourneyRow | undefined> {
  const [row] = await journeyRows(
    db,
    who,
    sql`and j.active order by coalesce(j.type = ${type}::text, false) desc, j.journey_id desc limit 1`,
  )
  return row
}

/** One page of journeys, newest first. The page starts after the journey with the id `after`. */
interface JourneyPage {
  type: string | null
  after: string | null
  limit: number
}

export const listJourneyRows = (db: Run, who: BorrowerOfApplication, { type, after, limit }: JourneyPage) =>
  journeyRows(
    db,
    who,
    sql`and (${type}::text is null or j.type = ${type}) and (${after}::uuid is null or j.journey_id < ${after}::uuid)
    order by j.journey_id desc limit ${limit}`,
  )

/** Locks a borrower's active journeys without a submitted profile, and their profiles. */
export const lockUnsubmitted = (tx: Tx, { tenantId, applicationId, borrowerId }: BorrowerOfApplication) => tx<
  Journey & { profileSealed: Buffer }
>`
  select ${journeyColumns}, p.profile_sealed from journey j
  join profile p on p.bucket = j.bucket and p.tenant_id = j.tenant_id and p.journey_id = j.journey_id
  where j.bucket = ${bucketOf(borrowerId)} and j.tenant_id = ${tenantId} and j.borrower_id = ${borrowerId} and j.application_id = ${applicationId} and j.active and j.status = 'STARTED'
  order by j.journey_id for update of j, p`

export interface Note {
  metadataSealed: Buffer | null
  lastCompletedStep: string | null
  lastViewedOfferId: string | null
}

const emptyNote: Note = { metadataSealed: null, lastCompletedStep: null, lastViewedOfferId: null }

export async function findNote(db: Run, { tenantId, journeyId }: JourneyKey): Promise<Note> {
  const [row] = await db<Note>`
    select metadata_sealed, last_completed_step, last_viewed_offer_id from journey_note
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`
  return row ?? emptyNote
}

/** Merges fields into the journey's note and returns the note. The caller must hold the lock of the journey. */
export async function saveNote(
  tx: Tx,
  { tenantId, journeyId }: JourneyKey,
  note: Partial<Note>,
  at: Date,
): Promise<Note> {
  const rows = await tx<Note>`
    insert into journey_note as stored ${tx({ bucket: bucketOf(journeyId), tenantId, journeyId, ...emptyNote, ...note, updatedAt: at })}
    on conflict (bucket, tenant_id, journey_id) do update set updated_at = excluded.updated_at,
      metadata_sealed = case when ${'metadataSealed' in note}::boolean then excluded.metadata_sealed else stored.metadata_sealed end,
      last_completed_step = case when ${'lastCompletedStep' in note}::boolean then excluded.last_completed_step else stored.last_completed_step end,
      last_viewed_offer_id = case when ${'lastViewedOfferId' in note}::boolean then excluded.last_viewed_offer_id else stored.last_viewed_offer_id end
    returning metadata_sealed, last_completed_step, last_viewed_offer_id`
  return oneRow(rows)
}

export interface AcceptedOperation {
  operationId: string
  kind: OperationKind
  startedAt: Date
}

export async function insertOperation(
  tx: Tx,
  { tenantId, journeyId }: JourneyKey,
  { operationId, kind, startedAt }: AcceptedOperation,
): Promise<void> {
  await tx`insert into operation ${tx({ bucket: bucketOf(journeyId), tenantId, journeyId, operationId, kind, startedAt })}`
}

/** Lists the operations of a journey, newest first. */
export const listOperations = (db: Run, { tenantId, journeyId }: JourneyKey) => db<AcceptedOperation>`
  select operation_id, kind, started_at from operation
  where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} order by operation_id desc`
