// Table complaint. What mails, loans, the queue and the report read of it has its own stores, as have thread and officers.

import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import { platformTenant } from '#platform/people/person.ts'
import { type Complaint, type ComplaintKey, type Contact, contactSealContext } from './complaint.ts'

export type ComplaintRow = Omit<Complaint, 'contact'> & { contactSealed: Buffer }

export const complaintColumns = sql`
  c.tenant_id, c.complaint_id, c.number, c.reply_tag, c.origin, c.category, c.status, c.route, c.language, c.journey_id,
  c.borrower_id, c.lender_id, c.grievance_id, c.mirrored_status, c.contact_sealed, c.assignee_id, c.version, c.received_at,
  c.since_at, c.first_answer_due_at, c.resolution_due_at, c.limit_at, c.first_answered_at, c.resolved_at, c.closed_at,
  c.escalated_at, c.escalated_because, c.ombudsman_at, c.outcome, c.satisfied, c.reopened, c.merged_into, c.created_at,
  c.updated_at, c.replied_at, c.exit_pay_by`

export function unsealComplaint(seal: Seal, { contactSealed, ...row }: ComplaintRow): Complaint {
  return { ...row, contact: seal.openJson<Contact>(contactSealed, contactSealContext(row)) }
}

export const contactDigest = (seal: Seal, email: string): Buffer =>
  seal.digest(email.trim().toLowerCase(), 'complaint.email')

export async function insertComplaint(tx: Tx, seal: Seal, { contact, ...row }: Complaint): Promise<void> {
  const contactSealed = seal.json(contact, contactSealContext(row))
  const digest = contact.email === null ? null : contactDigest(seal, contact.email)
  await tx`insert into complaint ${tx({ ...row, contactSealed, contactDigest: digest })}`
}

/** Writes all mutable columns and increments the version. The caller holds the complaint's lock. */
export async function updateComplaint(tx: Tx, row: Complaint): Promise<void> {
  await tx`
    update complaint set category = ${row.category}, status = ${row.status}, route = ${row.route}, lender_id = ${row.lenderId},
      grievance_id = ${row.grievanceId}, mirrored_status = ${row.mirroredStatus}, assignee_id = ${row.assigneeId},
      version = version + 1, since_at = ${row.sinceAt}, first_answer_due_at = ${row.firstAnswerDueAt},
      resolution_due_at = ${row.resolutionDueAt}, limit_at = ${row.limitAt}, first_answered_at = ${row.firstAnsweredAt},
      resolved_at = ${row.resolvedAt}, closed_at = ${row.closedAt}, escalated_at = ${row.escalatedAt},
      escalated_because = ${row.escalatedBecause}, ombudsman_at = ${row.ombudsmanAt}, outcome = ${row.outcome},
      satisfied = ${row.satisfied}, reopened = ${row.reopened}, merged_into = ${row.mergedInto}, replied_at = ${row.repliedAt},
      updated_at = ${row.updatedAt}
    where tenant_id = ${row.tenantId} and complaint_id = ${row.complaintId}`
}

/** Marks the borrower's last message as handled and keeps the version. Returns false if it was already handled. */
export async function clearRepliedAt(tx: Tx, { tenantId, complaintId }: ComplaintKey): Promise<boolean> {
  const rows = await tx`
    update complaint set replied_at = null
    where tenant_id = ${tenantId} and complaint_id = ${complaintId} and replied_at is not null returning 1`
  return rows.length > 0
}

export async function findComplaint(
  db: Run,
  seal: Seal,
  { tenantId, complaintId }: ComplaintKey,
): Promise<Complaint | undefined> {
  const [row] = await db<ComplaintRow>`
    select ${complaintColumns} from complaint c where c.tenant_id = ${tenantId} and c.complaint_id = ${complaintId}`
  return row && unsealComplaint(seal, row)
}

/** Locks a complaint, as every act on it must do first. */
export async function lockComplaint(
  tx: Tx,
  seal: Seal,
  { tenantId, complaintId }: ComplaintKey,
): Promise<Complaint | undefined> {
  const [row] = await tx<ComplaintRow>`
    select ${complaintColumns} from complaint c where c.tenant_id = ${tenantId} and c.complaint_id = ${complaintId} for update`
  return row && unsealComplaint(seal, row)
}

/** A borrower's complaints in one journey, newest first. */
export async function listByJourney(
  db: Run,
  seal: Seal,
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
): Promise<Complaint[]> {
  const rows = await db<ComplaintRow>`
    select ${complaintColumns} from complaint c where c.tenant_id = ${tenantId} and c.journey_id = ${journeyId}
    order by c.received_at desc, c.complaint_id desc limit 50`
  return rows.map((row) => unsealComplaint(seal, row))
}

export interface GrievanceKey {
  tenantId: string
  journeyId: string
  grievanceId: string
}

export async function findByGrievance(
  db: Run,
  { tenantId, journeyId, grievanceId }: GrievanceKey,
): Promise<ComplaintKey | undefined> {
  const [row] = await db<ComplaintKey>`
    select tenant_id, complaint_id from complaint
    where tenant_id = ${tenantId} and journey_id = ${journeyId} and grievance_id = ${grievanceId}`
  return row
}

/** All owners of complaints: the tenants, and the platform for unmatched complaints. */
export const allOwners = sql`(select tenant_id from tenant union all select ${platformTenant}::uuid) as t`

/** Finds a complaint's key by id, in one tenant, or in all tenants if `tenantId` is null. */
export async function findKeyById(
  db: Run,
  complaintId: string,
  tenantId: string | null,
): Promise<ComplaintKey | undefined> {
  const [row] = await db<ComplaintKey>`
    select c.tenant_id, c.complaint_id from ${allOwners}
    join complaint c on c.tenant_id = t.tenant_id and c.complaint_id = ${complaintId}::uuid
    where ${tenantId}::uuid is null or t.tenant_id = ${tenantId}::uuid limit 1`
  return row
}

export async function findKeyByNumber(
  db: Run,
  number: string,
  tenantId: string | null,
): Promise<ComplaintKey | undefined> {
  const [row] = await db<ComplaintKey>`
    select c.tenant_id, c.complaint_id from ${allOwners} join complaint c on c.tenant_id = t.tenant_id and c.number = ${number}
    where ${tenantId}::uuid is null or t.tenant_id = ${tenantId}::uuid limit 1`
  return row
}

/** Deletes an unmatched complaint. The caller then inserts the complaint under a tenant. */
export async function deleteUnmatched(tx: Tx, complaintId: string): Promise<void> {
  await tx`delete from complaint_entry where tenant_id = ${platformTenant} and complaint_id = ${complaintId}`
  await tx`delete from complaint where tenant_id = ${platformTenant} and complaint_id = ${complaintId}`
}
