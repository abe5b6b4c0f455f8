// Store of journey and lifecycle_event. It also reads other modules' data for lifecycle updates.

import { keysOf } from '@lendloom/foundation/record'
import type { Lender } from '@lendloom/lending/lender'
import type { ProductId } from '@lendloom/lending/product/products'
import { bigints, instants, uuids } from '@lendloom/postgres/binary-array'
import { boolean, bytea, insertInto, integer, text, timestamptz, uuid } from '@lendloom/postgres/insert'
import { sharedStatement } from '@lendloom/postgres/shared-statement'
import { Fragment, join, oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'
import type { Installment } from './installment.ts'
import type { Journey, JourneyChange, JourneyKey } from './journey.ts'
import type { StoredTerms } from './stored-terms.ts'

/** Inserts journeys in STARTED. If `given` is not null, inserts only journeys whose borrower it selects. */
export const newJourneys = insertInto<Journey>({
  insert: 'insert into journey',
  bucketOf: ({ journeyId }) => bucketOf(journeyId),
  columns: {
    tenantId: uuid,
    journeyId: uuid,
    applicationId: uuid,
    borrowerId: uuid,
    type: text,
    status: text,
    active: boolean,
    networkTransactionId: uuid,
    endUse: text,
    bureauConsent: boolean,
    callbackUrlSealed: bytea,
    returnUrlSealed: bytea,
    lastBorrowerActAt: timestamptz,
    createdAt: timestamptz,
    updatedAt: timestamptz,
  },
  key: 'borrowerId',
  ending: 'returning journey_id',
})

export interface NewEvent {
  tenantId: string
  journeyId: string
  status: LifecycleStatus
  sequence: number
  eventId: string
  payloadSealed: Buffer
  correlationId: string | null
  at: Date
}

/** Inserts lifecycle events. If `given` is not null, inserts only events whose journey it selects. */
export const newEvents = insertInto<NewEvent>({
  insert: 'insert into lifecycle_event',
  bucketOf: ({ journeyId }) => bucketOf(journeyId),
  columns: {
    tenantId: uuid,
    journeyId: uuid,
    status: text,
    sequence: integer,
    eventId: uuid,
    payloadSealed: bytea,
    correlationId: text,
    at: timestamptz,
  },
  key: 'journeyId',
})

export async function insertEvent(tx: Tx, row: NewEvent): Promise<void> {
  await tx`${newEvents([row], null)}`
}

/** Explicit column names, so that a new column does not change the result of a prepared statement. */
export const journeyColumns = sql`
  j.tenant_id, j.journey_id, j.application_id, j.borrower_id, j.type, j.status, j.active, j.network_transaction_id, j.end_use,
    j.bureau_consent, j.lender_mode, j.change_in_offer, j.preferred_amount_paise, j.preferred_tenure_months, j.decision,
    j.search, j.end_reason, j.callback_url_sealed, j.page_sequence, j.page_id, j.return_url_sealed, j.refused_lenders, j.version, j.last_borrower_act_at, j.closed_at,
    j.created_at, j.updated_at`

export async function findJourney(db: Run, tenantId: string, journeyId: string): Promise<Journey | undefined> {
  const [row] = await db<Journey>`
    select ${journeyColumns} from journey j where j.bucket = ${bucketOf(journeyId)} and j.tenant_id = ${tenantId} and j.journey_id = ${journeyId}`
  return row
}

/** Locks and returns the journey. Every write starts with this lock. */
export async function lockJourney(tx: Tx, tenantId: string, journeyId: string): Promise<Journey | undefined> {
  const [row] = await tx<Journey>`
    select ${journeyColumns} from journey j where j.bucket = ${bucketOf(journeyId)} and j.tenant_id = ${tenantId} and j.journey_id = ${journeyId} for update`
  return row
}

/** Lets no other transaction add an update to the journey until this one ends. */
export async function holdJourney(tx: Tx, { tenantId, journeyId }: JourneyKey): Promise<void> {
  await tx`select 1 from journey where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} for no key update`
}

const inputOf = (keys: JourneyKey[], at: Date[]): Fragment => sql`unnest(
  ${bigints(keys.map(({ journeyId }) => bucketOf(journeyId)))}::bigint[], ${uuids(keys.map(({ tenantId }) => tenantId))}::uuid[],
  ${uuids(keys.map(({ journeyId }) => journeyId))}::uuid[], ${instants(at)}::timestamptz[]
) with ordinality as input (bucket, tenant_id, journey_id, at, position)`

/** Locks a journey like `lockJourney`; writes that share a transaction lock theirs by one statement. */
export const lockInSharedCommit = sharedStatement(async (tx, keys: JourneyKey[]): Promise<(Journey | undefined)[]> => {
  const [first, ...others] = keys
  if (first && others.length === 0) return [await lockJourney(tx, first.tenantId, first.journeyId)]
  const rows = await tx<Journey & { position: bigint }>`
    select input.position, ${journeyColumns} from ${inputOf(keys, [])}
    join journey j on j.bucket = input.bucket and j.tenant_id = input.tenant_id and j.journey_id = input.journey_id
    order by input.position for update of j`
  const journeys: (Journey | undefined)[] = Array(keys.length).fill(undefined)
  for (const { position, ...journey } of rows) journeys[Number(position) - 1] = journey
  return journeys
})

/** Whether the personal data of a journey was erased. */
export async function isErased(db: Run, { tenantId, journeyId }: JourneyKey): Promise<boolean> {
  const rows = await db`
    select 1 from journey
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and erased_at is not null`
  return rows.length > 0
}

/** Returns when the data of a journey was erased; null if it was not. Locks the journey, so that no erasure runs meanwhile. */
export async function lockErasedAt(tx: Tx, { tenantId, journeyId }: JourneyKey): Promise<Date | null> {
  const [row] = await tx<{ erasedAt: Date | null }>`
    select erased_at from journey where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} for update`
  return row?.erasedAt ?? null
}

export async function findByTransaction(db: Run, networkTransactionId: string): Promise<Journey | undefined> {
  const [row] = await db<Journey>`
    select ${journeyColumns} from journey j
    where j.bucket = ${bucketOf(networkTransactionId)} and j.network_transaction_id = ${networkTransactionId}`
  return row
}

export interface BorrowerJourneysKey {
  tenantId: string
  applicationId: string
  borrowerId: string
  type: ProductId
}

const isOfBorrower = ({ tenantId, applicationId, borrowerId }: Omit<BorrowerJourneysKey, 'type'>) =>
  sql`bucket = ${bucketOf(borrowerId)} and tenant_id = ${tenantId} and borrower_id = ${borrowerId} and application_id = ${applicationId}`

const isOf = (key: BorrowerJourneysKey) => sql`${isOfBorrower(key)} and type = ${key.type}`

export async function lockActiveBorrowerJourney(tx: Tx, key: BorrowerJourneysKey): Promise<Journey | undefined> {
  const [row] = await tx<Journey>`select ${journeyColumns} from journey j where ${isOf(key)} and active for update`
  return row
}

export async function findNewestJourney(db: Run, key: BorrowerJourneysKey): Promise<Journey | undefined> {
  const [row] = await db<Journey>`
    select ${journeyColumns} from journey j where ${isOf(key)}
    order by active desc, created_at desc, journey_id desc limit 1`
  return row
}

/** The borrower's earlier journeys of this type in the application, newest first. */
export const listEarlierJourneys = (db: Run, journey: Journey): Promise<Journey[]> => db<Journey>`
  select ${journeyColumns} from journey j where ${isOf(journey)} and journey_id < ${journey.journeyId}
  order by journey_id desc limit 10`

/**
 * The newest loan of the borrower in the application that was closed before this journey began, of whatever kind;
 * undefined also once its data is erased.
 */
export async function findClosedLoan(db: Run, journey: Journey): Promise<Journey | undefined> {
  const [row] = await db<Journey>`
    select ${journeyColumns} from journey j
    where ${isOfBorrower(journey)} and journey_id < ${journey.journeyId} and closed_at is not null and erased_at is null
    order by journey_id desc limit 1`
  return row
}

interface StatusChange {
  to: LifecycleStatus
  active: boolean
  at: Date
}

/** Changes the status. Returns false if another transaction has changed the status since `journey` was read. */
export async function setStatus(tx: Tx, journey: Journey, { to, active, at }: StatusChange): Promise<boolean> {
  const rows = await tx`
    update journey set status = ${to}, active = ${active}, version = version + 1, updated_at = greatest(updated_at, ${at})
    where bucket = ${bucketOf(journey.journeyId)} and tenant_id = ${journey.tenantId} and journey_id = ${journey.journeyId} and status = ${journey.status} returning 1`
  return rows.length > 0
}

const columns: Record<keyof JourneyChange, string> = {
  endUse: 'end_use',
  bureauConsent: 'bureau_consent',
  lenderMode: 'lender_mode',
  changeInOffer: 'change_in_offer',
  preferredAmountPaise: 'preferred_amount_paise',
  preferredTenureMonths: 'preferred_tenure_months',
  decision: 'decision',
  search: 'search',
  endReason: 'end_reason',
  active: 'active',
  lastBorrowerActAt: 'last_borrower_act_at',
  closedAt: 'closed_at',
  callbackUrlSealed: 'callback_url_sealed',
  returnUrlSealed: 'return_url_sealed',
  refusedLenders: 'refused_lenders',
}

export async function updateJourney(tx: Tx, journey: JourneyKey, change: JourneyChange, at: Date): Promise<void> {
  const sets = keysOf(change).map((name) => new Fragment([`${columns[name]} = `, ''], [change[name]]))
  await tx`
    update journey set ${join([...sets, sql`version = version + 1`, sql`updated_at = greatest(updated_at, ${at})`], ', ')}
    where bucket = ${bucketOf(journey.journeyId)} and tenant_id = ${journey.tenantId} and journey_id = ${journey.journeyId}`
}

/** Counts a change of other rows of the journey; writes that share a transaction do so by one statement. */
export const touchInSharedCommit = sharedStatement(
  async (tx, touched: (JourneyKey & { at: Date })[]): Promise<null[]> => {
    const [first, ...others] = touched
    if (first && others.length === 0) await updateJourney(tx, first, {}, first.at)
    else
      await tx`
    update journey j set version = version + 1, updated_at = greatest(updated_at, input.at)
    from ${inputOf(
      touched,
      touched.map(({ at }) => at),
    )}
    where j.bucket = input.bucket and j.tenant_id = input.tenant_id and j.journey_id = input.journey_id`
    return touched.map(() => null)
  },
)

/** Makes this page load the only page load that may act on the journey. */
export async function setPage(db: Run, { tenantId, journeyId }: JourneyKey, pageId: string): Promise<void> {
  await db`update journey set page_id = ${pageId} where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`
}

/** Records the last lifecycle update that the page has shown; never goes back. */
export async function setPageSequence(db: Run, tenantId: string, journeyId: string, sequence: number): Promise<void> {
  await db`
    update journey set page_sequence = ${sequence}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and page_sequence < ${sequence}`
}

/** Lists the updates after `after` that are not in the archive. */
export const findEvents = (db: Run, tenantId: string, journeyId: string, after: number) => db<{
  status: LifecycleStatus
  sequence: number
  payloadSealed: Buffer
}>`
  select status, sequence, payload_sealed from lifecycle_event
  where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and sequence > ${after}
    and payload_sealed is not null order by sequence`

export async function lastSequence(tx: Tx, journey: Journey): Promise<number> {
  const rows = await tx<{ last: number }>`
    select coalesce(max(sequence), 0) as last from lifecycle_event where bucket = ${bucketOf(journey.journeyId)} and tenant_id = ${journey.tenantId} and journey_id = ${journey.journeyId}`
  return oneRow(rows).last
}

export interface ReportedOffer {
  offerId: string
  lenderId: string
  accepted: boolean
  terms: StoredTerms
  validUntil: Date | null
  installments: Installment[]
}

export interface ReportedLender {
  lenderId: string
  identity: Pick<Lender, 'name' | 'contact'>
}

export interface ReportedStep {
  name: string
  status: string
  attempts: number
}

/**
 * Reads other modules' data about a journey. The pipelined statements need one round trip. `informedLenders` selects the
 * ids of the lenders that have the borrower's data.
 */
export async function readUpdateContent(
  tx: Run,
  { tenantId, journeyId, borrowerId }: Pick<Journey, 'tenantId' | 'journeyId' | 'borrowerId'>,
  informedLenders: Fragment,
) {
  const [borrowers, lenders, offers, steps] = await Promise.all([
    tx<{ externalId: string; profileSealed: Buffer }>`
      select b.external_id, p.profile_sealed from borrower b join profile p on p.bucket = ${bucketOf(journeyId)} and p.tenant_id = b.tenant_id and p.journey_id = ${journeyId}
      where b.bucket = ${bucketOf(borrowerId)} and b.tenant_id = ${tenantId} and b.borrower_id = ${borrowerId}`,
    tx<ReportedLender>`
      select l.lender_id, l.identity from (${informedLenders}) as informed
      join lender l on l.tenant_id = ${tenantId} and l.lender_id = informed.lender_id order by l.lender_id`,
    tx<ReportedOffer>`
      select offer_id, lender_id, accepted, terms, valid_until, installments from offer
      where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and terms is not null order by offer_id`,
    tx<ReportedStep>`select name, status, attempts from step where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`,
  ])
  return { ...oneRow(borrowers), lenders, offers, steps }
}

/** `hasPaidOut` is an SQL condition: a lender has paid out the loan of `journey`. */
interface Idleness {
  before: Date
  hasPaidOut: Fragment
}

const isIdle = ({ before, hasPaidOut }: Idleness): Fragment => sql`(
  active and status <> 'DISBURSED' and last_borrower_act_at < ${before} and not ${hasPaidOut} and not exists (
    select 1 from offer o where o.bucket = journey.bucket and o.tenant_id = journey.tenant_id and o.journey_id = journey.journey_id
      and o.line_opened_at is not null and o.rejected_at is null))`

/**
 * Lists active journeys whose borrower has not acted since `before`, except disbursed loans, open credit lines, and loans
 * that `hasPaidOut` selects.
 */
export const idleJourneys = (db: Run, { limit, ...idleness }: Idleness & { limit: number }) => db<JourneyKey>`
  select tenant_id, journey_id from journey where ${isIdle(idleness)} order by last_borrower_act_at limit ${limit}`

/** Whether `idleJourneys` would still list the journey. The caller holds its lock. */
export async function isStillIdle(tx: Tx, { tenantId, journeyId }: JourneyKey, idleness: Idleness): Promise<boolean> {
  const found = await tx`
    select 1 from journey where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and ${isIdle(idleness)}`
  return found.length > 0
}
