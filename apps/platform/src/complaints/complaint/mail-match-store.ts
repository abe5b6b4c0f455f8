// Finds the complaint or the borrower that a mail is about, and counts the complaints of an address.

import type { Run } from '@lendloom/postgres/sql'
import type { ComplaintKey } from './complaint.ts'
import { allOwners } from './store.ts'

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
