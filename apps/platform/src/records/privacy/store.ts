// Store of erasure, legal_hold and nominee; also lists journeys for erasure, and recipients and complaints for a borrower's copy.

import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { ErasureState } from '@lendloom/wire/console/privacy'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import type { BorrowerKey } from './erase/store.ts'

export interface ErasureRow extends BorrowerKey {
  erasureId: string
  state: ErasureState
  reasonSealed: Buffer
  requestedBy: string | null
  requestedAt: Date
  decidedBy: string | null
  decidedAt: Date | null
  doneAt: Date | null
}

type ErasureKey = Pick<ErasureRow, 'tenantId' | 'erasureId'>

/** What the reason of an erasure is sealed to. */
export const erasureContext = ({ tenantId, erasureId }: ErasureKey): string => `erasure:${tenantId}:${erasureId}`

export interface HoldRow extends BorrowerKey {
  holdId: string
  reasonSealed: Buffer
  placedBy: string | null
  placedAt: Date
}

type HoldKey = Pick<HoldRow, 'tenantId' | 'holdId'>

/** What the reason of a hold is sealed to. */
export const holdContext = ({ tenantId, holdId }: HoldKey): string => `legal_hold:${tenantId}:${holdId}`

const erasureColumns = sql`
  tenant_id, erasure_id, borrower_id, state, reason_sealed, requested_by, requested_at, decided_by, decided_at, done_at`

/** Inserts a request; returns false if it exists, or the borrower has an open one. */
export async function insertErasure(
  tx: Tx,
  row: Omit<ErasureRow, 'decidedBy' | 'decidedAt' | 'doneAt'> & Partial<ErasureRow>,
): Promise<boolean> {
  const rows = await tx`insert into erasure ${tx({ ...row })} on conflict do nothing returning 1`
  return rows.length > 0
}

/** Locks a request until the transaction ends. */
export async function lockErasure(tx: Tx, erasureId: string): Promise<ErasureRow | undefined> {
  const [row] = await tx<ErasureRow>`select ${erasureColumns} from erasure where erasure_id = ${erasureId} for update`
  return row
}

type ErasureDecision = Pick<ErasureRow, 'state' | 'decidedBy' | 'decidedAt' | 'doneAt'>

/** Writes a decision on a locked request; the caller has checked its state. */
export async function updateErasure(
  tx: Tx,
  { tenantId, erasureId }: Pick<ErasureRow, 'tenantId' | 'erasureId'>,
  { state, decidedBy, decidedAt, doneAt }: ErasureDecision,
): Promise<void> {
  await tx`
    update erasure set state = ${state}, decided_by = ${decidedBy}, decided_at = ${decidedAt}, done_at = ${doneAt}
    where tenant_id = ${tenantId} and erasure_id = ${erasureId}`
}

/** Decides a request that waits; returns false if it does not. */
export async function decideWaiting(
  tx: Tx,
  { tenantId, erasureId }: Pick<ErasureRow, 'tenantId' | 'erasureId'>,
  { state, decidedBy, decidedAt, doneAt }: ErasureDecision,
): Promise<boolean> {
  const rows = await tx`
    update erasure set state = ${state}, decided_by = ${decidedBy}, decided_at = ${decidedAt}, done_at = ${doneAt}
    where tenant_id = ${tenantId} and erasure_id = ${erasureId} and state = 'WAITING' returning 1`
  return rows.length > 0
}

/** Lists approved requests by the time of the decision. */
export const listDecidedBetween = (db: Run, from: Date, until: Date) => db<ErasureRow>`
  select ${erasureColumns} from erasure
  where state in ('APPROVED', 'DONE') and decided_at >= ${from} and decided_at < ${until} order by erasure_id`

/** Which of these requests are approved. */
export async function listApprovedAmong(db: Run, erasureIds: string[]): Promise<Set<string>> {
  const rows = await db<{ erasureId: string }>`
    select erasure_id from erasure where erasure_id = any(${erasureIds}::uuid[]) and state in ('APPROVED', 'DONE')`
  return new Set(rows.map(({ erasureId }) => erasureId))
}

interface ErasureFilter {
  tenantId: string | null
  state: ErasureState | null
  after: string | null
  limit: number
}

/** Lists requests, newest first. */
export const listErasures = (db: Run, { tenantId, state, after, limit }: ErasureFilter) => db<ErasureRow>`
  select ${erasureColumns} from erasure
  where (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid) and (${state}::text is null or state = ${state}::text)
    and (${after}::uuid is null or erasure_id < ${after}::uuid)
  order by erasure_id desc limit ${limit}`

/** Lists the requests about a borrower, newest first. */
export const listErasuresOf = (db: Run, { tenantId, borrowerId }: BorrowerKey) => db<ErasureRow>`
  select ${erasureColumns} from erasure where tenant_id = ${tenantId} and borrower_id = ${borrowerId} order by erasure_id desc`

export async function replaceErasureReason(tx: Tx, { tenantId, erasureId }: ErasureKey, reasonSealed: Buffer) {
  await tx`
    update erasure set reason_sealed = ${reasonSealed} where tenant_id = ${tenantId} and erasure_id = ${erasureId}`
}

/** Lists approved requests with their borrowers, oldest first. */
export const listApproved = (db: Run, after: string | null, limit: number) => db<ErasureRow>`
  select ${erasureColumns} from erasure where state = 'APPROVED' and (${after}::uuid is null or erasure_id > ${after}::uuid)
  order by erasure_id limit ${limit}`

/** Inserts a hold; returns false if one is in force. */
export async function insertHold(tx: Tx, row: HoldRow): Promise<boolean> {
  const rows = await tx`insert into legal_hold ${tx({ ...row })} on conflict do nothing returning 1`
  return rows.length > 0
}

/** Releases the hold in force; returns false if there is none. */
export async function releaseHold(tx: Tx, { tenantId, borrowerId }: BorrowerKey, by: string | null, at: Date) {
  const rows = await tx`
    update legal_hold set released_by = ${by}, released_at = ${at}
    where tenant_id = ${tenantId} and borrower_id = ${borrowerId} and released_at is null returning 1`
  return rows.length > 0
}

/** Lists the holds on a borrower's data, released ones too. */
export const listHoldsOf = (db: Run, { tenantId, borrowerId }: BorrowerKey) => db<{ holdId: string }>`
  select hold_id from legal_hold where tenant_id = ${tenantId} and borrower_id = ${borrowerId}`

export async function replaceHoldReason(tx: Tx, { tenantId, holdId }: HoldKey, reasonSealed: Buffer): Promise<void> {
  await tx`
    update legal_hold set reason_sealed = ${reasonSealed} where tenant_id = ${tenantId} and hold_id = ${holdId}`
}

/** Finds the hold in force. */
export async function findHold(db: Run, { tenantId, borrowerId }: BorrowerKey): Promise<HoldRow | undefined> {
  const [row] = await db<HoldRow>`
    select tenant_id, hold_id, borrower_id, reason_sealed, placed_by, placed_at from legal_hold
    where tenant_id = ${tenantId} and borrower_id = ${borrowerId} and released_at is null`
  return row
}

interface NomineeRow {
  nomineeSealed: Buffer
  namedAt: Date
}

/** Stores the nominee of a borrower, in place of an earlier one. */
export async function upsertNominee(tx: Tx, key: BorrowerKey, row: NomineeRow): Promise<void> {
  await tx`
    insert into nominee ${tx({ bucket: bucketOf(key.borrowerId), ...key, ...row })}
    on conflict (bucket, tenant_id, borrower_id) do update
      set nominee_sealed = excluded.nominee_sealed, named_at = excluded.named_at`
}

export async function findNominee(db: Run, { tenantId, borrowerId }: BorrowerKey): Promise<NomineeRow | undefined> {
  const [row] = await db<NomineeRow>`
    select nominee_sealed, named_at from nominee
    where bucket = ${bucketOf(borrowerId)} and tenant_id = ${tenantId} and borrower_id = ${borrowerId}`
  return row
}

export interface IdentifiedBorrower {
  externalId: string
  createdAt: Date
  prefillSealed: Buffer | null
}

export async function findBorrower(
  db: Run,
  { tenantId, borrowerId }: BorrowerKey,
): Promise<IdentifiedBorrower | undefined> {
  const [row] = await db<IdentifiedBorrower>`
    select external_id, created_at, prefill_sealed from borrower
    where bucket = ${bucketOf(borrowerId)} and tenant_id = ${tenantId} and borrower_id = ${borrowerId}`
  return row
}

export interface UnerasedJourney extends JourneyKey, BorrowerKey {
  createdAt: Date
}

interface UnerasedFilter {
  /** When applications must have ended, and loans must have been repaid. */
  before: Record<'APPLICATION' | 'LOAN', Date>
  after: UnerasedJourney | null
  limit: number
}

/** Lists ended journeys with personal data whose period may be over, oldest first, after the journey `after`. */
export const listUnerased = (db: Run, { before, after, limit }: UnerasedFilter) =>
  db<UnerasedJourney>`
    select tenant_id, journey_id, borrower_id, created_at from journey
    where not active and erased_at is null and created_at < ${before.APPLICATION} and updated_at < ${before.APPLICATION}
      and (closed_at is null and status <> 'DISBURSED' or coalesce(closed_at, updated_at) < ${before.LOAN})
      ${after ? sql`and (created_at, journey_id) > (${after.createdAt}::timestamptz, ${after.journeyId}::uuid)` : sql``}
    order by created_at, journey_id limit ${limit}`

export interface RecentErasure extends JourneyKey, BorrowerKey {
  erasedAt: Date
}

/** Lists journeys that were erased since `since`, oldest first, after the journey `after`. */
export const listErasedSince = (db: Run, since: Date, after: RecentErasure | null, limit: number) =>
  db<RecentErasure>`
    select tenant_id, journey_id, borrower_id, erased_at from journey where erased_at >= ${since}
      ${after ? sql`and (erased_at, journey_id) > (${after.erasedAt}::timestamptz, ${after.journeyId}::uuid)` : sql``}
    order by erased_at, journey_id limit ${limit}`

/** Lists the lenders that were sent data of a journey, with the time of the first message. */
export const listRecipients = (db: Run, { tenantId, journeyId }: JourneyKey) => db<{ name: string; since: Date }>`
  select l.identity->>'name' as name, min(m.at) as since
  from network_message m
  join conversation c on c.bucket = m.bucket and c.tenant_id = m.tenant_id and c.journey_id = m.journey_id and c.conversation_id = m.conversation_id
  join lender l on l.tenant_id = c.tenant_id and l.lender_id = c.lender_id
  where m.bucket = ${bucketOf(journeyId)} and m.tenant_id = ${tenantId} and m.journey_id = ${journeyId} and m.direction = 'sent' and m.sent_at is not null
  group by 1
  union all
  select lp.name, p.created_at from partner_case p join lending_partner lp on lp.partner_id = p.partner_id
  where p.bucket = ${bucketOf(journeyId)} and p.tenant_id = ${tenantId} and p.journey_id = ${journeyId}
  order by 2`

export const listComplaintsOf = (db: Run, tenantId: string, journeyIds: string[]) =>
  db<{ number: string; category: string; status: string; receivedAt: Date }>`
    select number, category, status, received_at from complaint
    where tenant_id = ${tenantId} and journey_id = any(${journeyIds}::uuid[]) order by received_at`

/** Returns the id of each borrower's newest journey, by borrower. */
export async function listNewestJourneys(db: Run, borrowers: BorrowerKey[]): Promise<Map<string, string>> {
  const rows = await db<{ borrowerId: string; journeyId: string }>`
    select distinct on (borrower_id) borrower_id, journey_id from journey
    where bucket = any(${borrowers.map(({ borrowerId }) => bucketOf(borrowerId))}::smallint[])
      and tenant_id = any(${borrowers.map(({ tenantId }) => tenantId)}::uuid[])
      and borrower_id = any(${borrowers.map(({ borrowerId }) => borrowerId)}::uuid[])
    order by borrower_id, journey_id desc`
  return new Map(rows.map(({ borrowerId, journeyId }) => [borrowerId, journeyId]))
}
