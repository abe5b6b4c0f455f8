// Table complaint. Its thread, officers, queue and report have their own stores.

import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import { platformTenant } from '#platform/people/person.ts'
import {
  type Complaint,
  type ComplaintKey,
  type Contact,
  contactSealContext,
  isRefusedOrWithdrawn,
} from './complaint.ts'

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

export type ExitRequest = Pick<Complaint, 'number' | 'receivedAt' | 'origin' | 'status' | 'outcome'>

export interface LoanComplaints {
  /** The newest request to exit the loan, unless it was withdrawn or refused, or has ended with the loan. */
  exitRequest: ExitRequest | undefined
  exitRequestedAt: Date | null
  /** Whether a request is closed because the loan is cancelled. */
  isExitGranted: boolean
  /** Whether there was ever a request to exit, also a withdrawn or refused one. */
  hasRequestedExit: boolean
  /** Whether the borrower has an answer or a question to read under Help; grievances of the network have their own. */
  isAnswered: boolean
  isOpen: boolean
  ofGrievances: Pick<Complaint, 'number' | 'category' | 'grievanceId'>[]
}

const isExitGranted = sql`c.category = 'COOLING_OFF' and c.outcome = 'UPHELD' and exists (
  select from complaint_entry e where e.tenant_id = c.tenant_id and e.complaint_id = c.complaint_id
    and e.author = 'SYSTEM' and e.kind = 'RESOLUTION')`

export async function findLoanComplaints(
  db: Run,
  { tenantId, journeyId, closedAt }: { tenantId: string; journeyId: string; closedAt: Date | null },
): Promise<LoanComplaints> {
  const rows = await db<ExitRequest & Pick<Complaint, 'category' | 'grievanceId'> & { isGranted: boolean }>`
    select c.number, c.received_at, c.origin, c.status, c.category, c.outcome, c.grievance_id,
      ${isExitGranted} as is_granted
    from complaint c
    where c.tenant_id = ${tenantId} and c.journey_id = ${journeyId} and c.status <> 'MERGED'
    order by c.received_at desc, c.complaint_id desc limit 50`
  const isExit = ({ category }: (typeof rows)[number]) => category === 'COOLING_OFF'
  const ofHelp = rows.filter((row) => !isExit(row) && !row.grievanceId)
  const exitRequest = rows.find((row) => isExit(row) && !(row.status === 'CLOSED' && isRefusedOrWithdrawn(row)))
  return {
    exitRequest: closedAt === null || exitRequest?.status !== 'CLOSED' ? exitRequest : undefined,
    exitRequestedAt: exitRequest?.receivedAt ?? null,
    isExitGranted: rows.some(({ isGranted }) => isGranted),
    hasRequestedExit: rows.some(isExit),
    isAnswered: ofHelp.some(({ status }) => ['RESOLVED', 'WAITING_FOR_BORROWER'].includes(status)),
    isOpen: ofHelp.some(({ status }) => status !== 'CLOSED'),
    ofGrievances: rows.filter(({ grievanceId }) => grievanceId !== null),
  }
}

export async function listCancelledLoans(
  db: Run,
  journeys: { tenantId: string; journeyId: string }[],
): Promise<string[]> {
  if (journeys.length === 0) return []
  const rows = await db<{ journeyId: string }>`
    select distinct c.journey_id from complaint c
    where c.tenant_id = any(${journeys.map(({ tenantId }) => tenantId)}::uuid[])
      and c.journey_id = any(${journeys.map(({ journeyId }) => journeyId)}::uuid[]) and ${isExitGranted}`
  return rows.map(({ journeyId }) => journeyId)
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
const allOwners = sql`(select tenant_id from tenant union all select ${platformTenant}::uuid) as t`

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

export async function findKeyByTag(db: Run, replyTag: string): Promise<ComplaintKey | undefined> {
  const [row] = await db<ComplaintKey>`
    select c.tenant_id, c.complaint_id from ${allOwners}
    join complaint c on c.tenant_id = t.tenant_id and c.reply_tag = ${replyTag} limit 1`
  return row
}

/**
 * Finds the complaint whose thread contains one of these mails, of which the likeliest stands first. The sender's own
 * complaints are preferred, then other people's that contain a mail of ours. The ids of others' mails are not unique:
 * if several complaints of other people contain one, returns undefined.
 */
export async function findKeyByMessage(
  db: Run,
  messageIds: string[],
  senderDigest: Buffer,
): Promise<ComplaintKey | undefined> {
  if (messageIds.length === 0) return undefined
  const [first, second] = await db<ComplaintKey & { isSenders: boolean; isOurs: boolean }>`
    select tenant_id, complaint_id, is_senders, is_ours from (
      select c.tenant_id, c.complaint_id, c.contact_digest is not distinct from ${senderDigest} as is_senders,
        bool_or(e.mail_id is not null) as is_ours, min(array_position(${messageIds}::text[], e.message_id)) as position
      from ${allOwners}
      join complaint_entry e on e.tenant_id = t.tenant_id and e.message_id = any(${messageIds}::text[])
      join complaint c on c.tenant_id = e.tenant_id and c.complaint_id = e.complaint_id
      group by c.tenant_id, c.complaint_id, c.contact_digest
    ) as found
    order by is_senders desc, (is_ours and not is_senders) desc, position, complaint_id desc
    limit 2`
  if (!first) return undefined
  const isAmbiguous = !first.isSenders && !first.isOurs && second !== undefined
  return isAmbiguous ? undefined : { tenantId: first.tenantId, complaintId: first.complaintId }
}

/** Counts complaints from an address since an instant, across all tenants. */
export async function countFromAddress(db: Run, digest: Buffer, since: Date): Promise<number> {
  const [row] = await db<{ count: number }>`
    select count(*)::integer as count from ${allOwners}
    join complaint c on c.tenant_id = t.tenant_id and c.contact_digest = ${digest} and c.received_at > ${since}`
  return row?.count ?? 0
}

export interface KnownBorrower {
  tenantId: string
  borrowerId: string
  journeyId: string
}

/** At most two borrowers whose profile has this address, with their newest journeys. Two are already ambiguous. */
export const borrowersByEmail = (db: Run, digest: Buffer): Promise<KnownBorrower[]> => db<KnownBorrower>`
  select distinct on (j.tenant_id, j.borrower_id) j.tenant_id, j.borrower_id, j.journey_id
  from tenant t join profile p on p.tenant_id = t.tenant_id and (p.email_digest = ${digest} or p.official_email_digest = ${digest})
  join journey j on j.bucket = p.bucket and j.tenant_id = p.tenant_id and j.journey_id = p.journey_id
  order by j.tenant_id, j.borrower_id, j.journey_id desc limit 2`

/** Deletes an unmatched complaint. The caller then inserts the complaint under a tenant. */
export async function deleteUnmatched(tx: Tx, complaintId: string): Promise<void> {
  await tx`delete from complaint_entry where tenant_id = ${platformTenant} and complaint_id = ${complaintId}`
  await tx`delete from complaint where tenant_id = ${platformTenant} and complaint_id = ${complaintId}`
}
