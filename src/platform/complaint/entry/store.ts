// Table complaint_entry: the thread of a complaint.
import type { Seal } from '#kit/crypto/seal.ts'
import { type Run, sql, type Tx } from '#kit/db/sql.ts'
import { type ComplaintEntry, type ComplaintKey, type EntryBody, entryPlace } from '#platform/complaint/complaint.ts'

type EntryRow = Omit<ComplaintEntry, 'body'> & { bodySealed: Buffer }

const columns = sql`tenant_id, complaint_id, entry_id, at, author, kind, code, shown, person_id, body_sealed, mail_id, message_id,
  source_key`

const opened = (seal: Seal, { bodySealed, ...row }: EntryRow): ComplaintEntry => ({
  ...row,
  body: seal.openJson<EntryBody>(bodySealed, entryPlace(row)),
})

/** Adds an entry; false when its source was entered before. */
export async function insertEntry(tx: Tx, seal: Seal, { body, ...row }: ComplaintEntry): Promise<boolean> {
  const added = await tx`
    insert into complaint_entry ${tx({ ...row, bodySealed: seal.json(body, entryPlace(row)) })}
    on conflict (tenant_id, complaint_id, source_key) do nothing returning 1`
  return added.length > 0
}

/** In order of arrival. */
export async function listEntries(
  db: Run,
  seal: Seal,
  { tenantId, complaintId }: ComplaintKey,
): Promise<ComplaintEntry[]> {
  const rows = await db<EntryRow>`
    select ${columns} from complaint_entry where tenant_id = ${tenantId} and complaint_id = ${complaintId} order by at, entry_id`
  return rows.map((row) => opened(seal, row))
}

/** The borrower's first message of each complaint, by its id; absent when there is none. */
export async function firstOfBorrowers(db: Run, seal: Seal, places: ComplaintKey[]): Promise<Map<string, EntryBody>> {
  const rows = await db<EntryRow>`
    select distinct on (tenant_id, complaint_id) ${columns} from complaint_entry
    where tenant_id = any(${[...new Set(places.map(({ tenantId }) => tenantId))]}::uuid[])
      and complaint_id = any(${places.map(({ complaintId }) => complaintId)}::uuid[]) and author = 'BORROWER'
    order by tenant_id, complaint_id, at, entry_id`
  return new Map(rows.map((row) => [row.complaintId, opened(seal, row).body]))
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
  return row && opened(seal, row)
}

/** Settles a mail that waited for acceptance: it becomes a message of the thread, or stays unaccepted. */
export async function settleEntry(
  tx: Tx,
  { tenantId, complaintId, entryId }: Pick<ComplaintEntry, 'tenantId' | 'complaintId' | 'entryId'>,
  change: Pick<ComplaintEntry, 'kind' | 'shown'>,
): Promise<void> {
  await tx`
    update complaint_entry set kind = ${change.kind}, shown = ${change.shown}
    where tenant_id = ${tenantId} and complaint_id = ${complaintId} and entry_id = ${entryId}`
}

/** The Message-ID of the newest mail to or from the borrower; null without one. */
export async function newestMessage(db: Run, { tenantId, complaintId }: ComplaintKey): Promise<string | null> {
  const [row] = await db<{ messageId: string }>`
    select message_id from complaint_entry
    where tenant_id = ${tenantId} and complaint_id = ${complaintId} and message_id is not null and kind in ('WORDS', 'QUESTION', 'RESOLUTION', 'EVENT')
      and author <> 'LENDER'
    order by at desc, entry_id desc limit 1`
  return row?.messageId ?? null
}

/** The number of the borrower's messages since an instant, to limit them. */
export async function countMessages(db: Run, { tenantId, complaintId }: ComplaintKey, since: Date): Promise<number> {
  const [row] = await db<{ count: number }>`
    select count(*)::integer as count from complaint_entry
    where tenant_id = ${tenantId} and complaint_id = ${complaintId} and author = 'BORROWER' and at > ${since}`
  return row?.count ?? 0
}
