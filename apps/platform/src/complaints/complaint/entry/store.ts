// Table complaint_entry: the thread of a complaint.

import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import {
  type ComplaintEntry,
  type ComplaintKey,
  type EntryBody,
  entrySealContext,
} from '#platform/complaints/complaint/complaint.ts'

type EntryRow = Omit<ComplaintEntry, 'body'> & { bodySealed: Buffer }

const columns = sql`tenant_id, complaint_id, entry_id, at, author, kind, code, shown, person_id, body_sealed, mail_id, message_id,
  source_key`

const fromRow = (seal: Seal, { bodySealed, ...row }: EntryRow): ComplaintEntry => ({
  ...row,
  body: seal.openJson<EntryBody>(bodySealed, entrySealContext(row)),
})

/** Inserts an entry; returns false if an entry with the same source exists. */
export async function insertEntry(tx: Tx, seal: Seal, { body, ...row }: ComplaintEntry): Promise<boolean> {
  const inserted = await tx`
    insert into complaint_entry ${tx({ ...row, bodySealed: seal.json(body, entrySealContext(row)) })}
    on conflict (tenant_id, complaint_id, source_key) do nothing returning 1`
  return inserted.length > 0
}

export async function listEntries(
  db: Run,
  seal: Seal,
  { tenantId, complaintId }: ComplaintKey,
): Promise<ComplaintEntry[]> {
  const rows = await db<EntryRow>`
    select ${columns} from complaint_entry where tenant_id = ${tenantId} and complaint_id = ${complaintId} order by at, entry_id`
  return rows.map((row) => fromRow(seal, row))
}

/** The borrower's first message in each complaint, by complaint id. */
export async function firstBorrowerMessages(
  db: Run,
  seal: Seal,
  keys: ComplaintKey[],
): Promise<Map<string, EntryBody>> {
  const rows = await db<EntryRow>`
    select distinct on (tenant_id, complaint_id) ${columns} from complaint_entry
    where tenant_id = any(${[...new Set(keys.map(({ tenantId }) => tenantId))]}::uuid[])
      and complaint_id = any(${keys.map(({ complaintId }) => complaintId)}::uuid[]) and author = 'BORROWER'
    order by tenant_id, complaint_id, at, entry_id`
  return new Map(rows.map((row) => [row.complaintId, fromRow(seal, row).body]))
}

export async function findEntry(
  db: Run,
  seal: Seal,
  { tenantId, complaintId }: ComplaintKey,
  entryId: string,
): Promise<ComplaintEntry | undefined> {
  const [row] = await db<EntryRow>`
    select ${columns} from complaint_entry
    where tenant_id = ${tenantId} and complaint_id = ${complaintId} and entry_id = ${entryId}`
  return row && fromRow(seal, row)
}

export async function updateUnverifiedEntry(
  tx: Tx,
  { tenantId, complaintId, entryId }: Pick<ComplaintEntry, 'tenantId' | 'complaintId' | 'entryId'>,
  change: Pick<ComplaintEntry, 'kind' | 'shown'>,
): Promise<void> {
  await tx`
    update complaint_entry set kind = ${change.kind}, shown = ${change.shown}
    where tenant_id = ${tenantId} and complaint_id = ${complaintId} and entry_id = ${entryId}`
}

/** Returns the Message-ID of the newest mail to or from the borrower, or null. */
export async function newestMessageId(db: Run, { tenantId, complaintId }: ComplaintKey): Promise<string | null> {
  const [row] = await db<{ messageId: string }>`
    select message_id from complaint_entry
    where tenant_id = ${tenantId} and complaint_id = ${complaintId} and message_id is not null and kind in ('WORDS', 'QUESTION', 'RESOLUTION', 'EVENT')
      and author <> 'LENDER'
    order by at desc, entry_id desc limit 1`
  return row?.messageId ?? null
}

/** Counts the borrower's messages since an instant, for the daily limit. */
export async function countMessages(db: Run, { tenantId, complaintId }: ComplaintKey, since: Date): Promise<number> {
  const [row] = await db<{ count: number }>`
    select count(*)::integer as count from complaint_entry
    where tenant_id = ${tenantId} and complaint_id = ${complaintId} and author = 'BORROWER' and at > ${since}`
  return row?.count ?? 0
}
