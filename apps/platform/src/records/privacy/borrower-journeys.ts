// The journeys of a borrower, with the facts that decide whether their data may be erased.

import type { ProductId } from '@lendloom/lending/product/products'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import type { BorrowerKey } from './erase/store.ts'
import type { ErasableJourney } from './retention-period.ts'

export interface BorrowerJourney extends ErasableJourney, JourneyKey {
  type: ProductId
  createdAt: Date
  erasedAt: Date | null
}

/**
 * The facts of `erasureObstacle` that are stored with the journey. Complaints, holds and events are in other places. Each
 * table is read by a constant bucket, so that a distributed database needs one server.
 */
const journeyFacts = (bucket: number) => sql`
  select j.tenant_id, j.journey_id, j.borrower_id, j.type, j.status, j.active, j.closed_at, j.created_at, j.updated_at, j.erased_at,
    exists (select from grievance g where g.bucket = ${bucket} and g.tenant_id = j.tenant_id and g.journey_id = j.journey_id
      and g.status not in ('RESOLVED', 'REFUSED', 'CLOSED')) as has_open_grievance,
    exists (select from webhook_delivery d where d.bucket = ${bucket} and d.tenant_id = j.tenant_id and d.journey_id = j.journey_id
      and d.state = 'PENDING') as has_pending_delivery,
    array(select p.stage from partner_case p where p.bucket = ${bucket} and p.tenant_id = j.tenant_id
        and p.journey_id = j.journey_id and p.stage in ('ACCEPTED', 'DISBURSED')
      union all select c.stage from conversation c where c.bucket = ${bucket} and c.tenant_id = j.tenant_id
        and c.journey_id = j.journey_id and c.ended_because is null and j.closed_at is null
        and c.stage in ('CONFIRMED', 'MONITORING_REQUESTED', 'MONITORING_GIVEN', 'DISBURSED')) as loan_stages,
    array(select p.case_ref::text from partner_case p where p.bucket = ${bucket} and p.tenant_id = j.tenant_id
      and p.journey_id = j.journey_id) as case_refs
  from journey j where j.bucket = ${bucket}`

interface JourneyFacts
  extends Omit<BorrowerJourney, 'awaitsPayout' | 'isHeld' | 'hasOpenComplaint' | 'hasUndelivered'>,
    Pick<BorrowerKey, 'borrowerId'> {
  hasOpenGrievance: boolean
  hasPendingDelivery: boolean
  /** Stages in which a lender pays out or has a running loan, perhaps of a journey that has expired meanwhile. */
  loanStages: string[]
  caseRefs: string[]
}

/** Locks the journeys of a borrower until the transaction ends, in one order, so that two such locks cannot deadlock. */
export async function lockJourneysOf(tx: Tx, { tenantId, borrowerId }: BorrowerKey): Promise<void> {
  await tx`
    select 1 from journey where bucket = ${bucketOf(borrowerId)} and tenant_id = ${tenantId} and borrower_id = ${borrowerId}
    order by journey_id for update`
}

/** Lists the journeys of a borrower, newest first. */
export async function listJourneysOf(db: Run, { tenantId, borrowerId }: BorrowerKey): Promise<BorrowerJourney[]> {
  const rows = await db<JourneyFacts>`
    ${journeyFacts(bucketOf(borrowerId))} and j.tenant_id = ${tenantId} and j.borrower_id = ${borrowerId}
    order by j.journey_id desc`
  return withOtherFacts(db, tenantId, rows)
}

/** Adds the facts from tables that are not distributed with the journey. */
async function withOtherFacts(db: Run, tenantId: string, rows: JourneyFacts[]): Promise<BorrowerJourney[]> {
  const caseRefs = rows.flatMap((row) => row.caseRefs)
  const held = await db<{ borrowerId: string }>`
    select borrower_id from legal_hold where tenant_id = ${tenantId} and borrower_id = any(${rows.map((row) => row.borrowerId)}::uuid[])
      and released_at is null`
  const complained = await db<{ journeyId: string }>`
    select journey_id from complaint where tenant_id = ${tenantId} and journey_id = any(${rows.map((row) => row.journeyId)}::uuid[])
      and status not in ('RESOLVED', 'CLOSED', 'MERGED') and category <> 'PRIVACY'`
  const pending = await db<{ caseRef: string }>`
    select case_ref from outbox where tenant_id = ${tenantId} and case_ref = any(${caseRefs}::text[]) and state = 'PENDING'
    union select case_ref from inbox_waiting where case_ref = any(${caseRefs}::text[])`
  return rows.map(({ hasOpenGrievance, hasPendingDelivery, loanStages, caseRefs: ownRefs, ...row }) => ({
    ...row,
    active: row.active || loanStages.includes('DISBURSED'),
    awaitsPayout: loanStages.length > 0,
    isHeld: held.some(({ borrowerId }) => borrowerId === row.borrowerId),
    hasOpenComplaint: hasOpenGrievance || complained.some(({ journeyId }) => journeyId === row.journeyId),
    hasUndelivered: hasPendingDelivery || pending.some(({ caseRef }) => ownRefs.includes(caseRef)),
  }))
}
