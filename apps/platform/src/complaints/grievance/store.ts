// Reads and writes the table grievance, and reads the loan that a grievance is about.

import { isUuid } from '@lendloom/foundation/uuid'
import type { Lender } from '@lendloom/lending/lender'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { IgmVersion } from '@lendloom/wire/network/igm/codec'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import type { ChannelName } from '#platform/lending/lender/channel.ts'
import { type Detail, type Grievance, grievanceSealContext } from './grievance.ts'
import { enqueueChange } from './send-issue.ts'

type GrievanceRow = Omit<Grievance, 'detail'> & { detailSealed: Buffer }

const columns = sql`tenant_id, journey_id, grievance_id, conversation_id, igm_version, topic, category, sub_category, status, issue_type,
  rating, resolution_action, refund_paise, since_at, response_due_at, resolution_due_at, late_at, escalation_offered_at,
  request_id, refused_code, detail_sealed, created_at, updated_at`

function fromRow(seal: Seal, { detailSealed, ...row }: GrievanceRow): Grievance {
  return { ...row, detail: seal.openJson<Detail>(detailSealed, grievanceSealContext(row)) }
}

/** Lists a journey's grievances, oldest first. */
export async function listGrievances(db: Run, seal: Seal, { tenantId, journeyId }: JourneyKey): Promise<Grievance[]> {
  const rows = await db<GrievanceRow>`
    select ${columns} from grievance where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}
    order by created_at, grievance_id`
  return rows.map((row) => fromRow(seal, row))
}

export async function findGrievance(
  db: Run,
  seal: Seal,
  { tenantId, journeyId }: JourneyKey,
  grievanceId: string,
): Promise<Grievance | undefined> {
  if (!isUuid(grievanceId)) return undefined
  const [row] = await db<GrievanceRow>`
    select ${columns} from grievance
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and grievance_id = ${grievanceId}`
  return row && fromRow(seal, row)
}

export async function insertGrievance(tx: Tx, seal: Seal, { detail, ...row }: Grievance): Promise<void> {
  await tx`insert into grievance ${tx({ bucket: bucketOf(row.journeyId), ...row, detailSealed: seal.json(detail, grievanceSealContext(row)) })}`
  await enqueueChange(tx, row)
}

/** Writes all mutable columns. The caller holds the journey's lock. */
export async function updateGrievance(tx: Tx, seal: Seal, { detail, ...row }: Grievance): Promise<void> {
  await tx`
    update grievance set igm_version = ${row.igmVersion}, status = ${row.status}, issue_type = ${row.issueType}, rating = ${row.rating},
      resolution_action = ${row.resolutionAction}, refund_paise = ${row.refundPaise}, since_at = ${row.sinceAt},
      response_due_at = ${row.responseDueAt}, resolution_due_at = ${row.resolutionDueAt}, late_at = ${row.lateAt},
      escalation_offered_at = ${row.escalationOfferedAt}, request_id = ${row.requestId}, refused_code = ${row.refusedCode},
      detail_sealed = ${seal.json(detail, grievanceSealContext(row))}, updated_at = ${row.updatedAt}
    where bucket = ${bucketOf(row.journeyId)} and tenant_id = ${row.tenantId} and journey_id = ${row.journeyId} and grievance_id = ${row.grievanceId}`
  await enqueueChange(tx, row)
}

/** The version of IGM that a lender answered last; undefined before its first answer. */
export async function igmVersionOfLender(db: Run, tenantId: string, bppId: string): Promise<IgmVersion | undefined> {
  const [row] = await db<{ version: IgmVersion }>`
    select version from lender_igm_version where tenant_id = ${tenantId} and bpp_id = ${bppId}`
  return row?.version
}

export async function recordIgmVersion(
  tx: Tx,
  lender: { tenantId: string; bppId: string },
  version: IgmVersion,
  at: Date,
): Promise<void> {
  await tx`insert into lender_igm_version ${tx({ ...lender, version, updatedAt: at })}
    on conflict (tenant_id, bpp_id) do update set version = excluded.version, updated_at = excluded.updated_at
    where lender_igm_version.version <> excluded.version`
}

/** A grievance without personal data, for lists across journeys. */
export type GrievanceSummary = Omit<Grievance, 'detail'>

/** Lists grievances of one tenant, or of all tenants if null. Open grievances come first, then the newest. */
export const newestGrievances = (db: Run, tenantId: string | null, limit: number): Promise<GrievanceSummary[]> =>
  db<GrievanceSummary>`
    select tenant_id, journey_id, grievance_id, conversation_id, igm_version, topic, category, sub_category, status, issue_type, rating,
      resolution_action, refund_paise, since_at, response_due_at, resolution_due_at, late_at, escalation_offered_at,
      request_id, refused_code, created_at, updated_at
    from grievance where ${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid
    order by status in ('CLOSED', 'REFUSED'), created_at desc limit ${limit}`

export async function findGrievanceJourney(db: Run, grievanceId: string): Promise<JourneyKey | undefined> {
  if (!isUuid(grievanceId)) return undefined
  const [row] =
    await db<JourneyKey>`select tenant_id, journey_id from grievance where bucket = ${bucketOf(grievanceId)} and grievance_id = ${grievanceId}`
  return row
}

export interface ChosenLoan {
  channel: ChannelName
  conversationId: string
  lender: Lender
  /** Null until the lender has confirmed the loan. */
  orderId: string | null
}

/** Reads the chosen loan of a journey with its lender; undefined before the borrower has chosen a loan. */
export async function chosenLoan(db: Run, { tenantId, journeyId }: JourneyKey): Promise<ChosenLoan | undefined> {
  const [row] = await db<ChosenLoan>`
    select o.via as channel, o.conversation_id, l.identity as lender, c.order_id
    from journey j
    join offer o on o.bucket = j.bucket and o.tenant_id = j.tenant_id and o.journey_id = j.journey_id
    join lender l on l.tenant_id = o.tenant_id and l.lender_id = o.lender_id
    left join conversation c on c.bucket = o.bucket and c.tenant_id = o.tenant_id and c.journey_id = o.journey_id and c.conversation_id = o.conversation_id
    where j.bucket = ${bucketOf(journeyId)} and j.tenant_id = ${tenantId} and j.journey_id = ${journeyId}
      and o.selected_at is not null and o.rejected_at is null`
  return row
}
