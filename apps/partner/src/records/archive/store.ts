// Tables archive_key and archive_part: the key of each loan's case, its archived objects, and what moves there.
import { type ArchiveOwner, type ArchivePart, newArchiveKey } from '@lendloom/archive/archive'
import type { ArchivableRows } from '@lendloom/archive/archived-row'
import { required } from '@lendloom/foundation/required'
import { bytea, rowsAs, text } from '@lendloom/postgres/rows'
import { type Run, sql } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import { partnerColumns } from '#partner/sealed-columns.ts'

const archiveContext = (caseRef: string): string => `archive_key:${caseRef}`

export const ownerOf = (caseRef: string): ArchiveOwner => ({
  columns: { caseRef },
  isOwn: sql`case_ref = ${caseRef}`,
  context: archiveContext(caseRef),
})

/**
 * Gives a key to loans that were disbursed before the day `before`; returns their number, at most `limit`. Applications
 * without a loan get none, because they are deleted after a year.
 */
export async function addKeys(
  db: Run,
  seal: Seal,
  { before, at, limit }: { before: string; at: Date; limit: number },
): Promise<number> {
  const loans = await db<{ caseRef: string }>`
    select l.case_ref from loan l where l.disbursed_on < ${before}
      and not exists (select from archive_key k where k.case_ref = l.case_ref) order by l.disbursed_on limit ${limit}`
  if (loans.length > 0)
    await db`
      insert into archive_key (case_ref, key_sealed, due_at)
      select case_ref, key_sealed, ${at}::timestamptz
      from ${rowsAs(sql`input`, loans, {
        caseRef: text((loan) => loan.caseRef),
        keySealed: bytea((loan) => newArchiveKey(seal, archiveContext(loan.caseRef))),
      })}
      on conflict do nothing`
  return loans.length
}

/** Cases whose next part is due; `isEnded` if their loan ended before `before`. */
export const listDue = (db: Run, at: Date, before: Date, limit: number) => db<{ caseRef: string; isEnded: boolean }>`
  select k.case_ref, l.status in ('CLOSED', 'CANCELLED') and l.updated_at < ${before} as is_ended from archive_key k
  join loan l on l.case_ref = k.case_ref where k.due_at <= ${at} order by k.due_at limit ${limit}`

/** Lists parts, newest first. */
export const listArchived = (db: Run, caseRef: string | null, limit: number) => db<{ caseRef: string } & ArchivePart>`
  select case_ref, number, object_name, rows, bytes, archived_at from archive_part
  where (${caseRef}::text is null or case_ref = ${caseRef}::text) order by archived_at desc, case_ref limit ${limit}`

/** Events that were settled before `before`. Their rows stay: they refuse repetitions, and order later versions. */
export function archivableRows(caseRef: string, before: Date): ArchivableRows[] {
  const columnOf = (table: string) =>
    required(
      partnerColumns.find((each) => each.table === table),
      'a sealed column',
    )
  return [
    {
      columns: [columnOf('inbox')],
      condition: sql`t.received_at < ${before} and (t.sender, t.event_id) in (
          select o.sender, o.event_id from inbox_outcome o where o.case_ref = ${caseRef} and o.settled_at < ${before})
        and not exists (select from inbox_waiting w where w.sender = t.sender and w.case_ref = t.case_ref
          and w.entity_type = t.entity_type and w.entity_id = t.entity_id and w.entity_version = t.entity_version and w.event_id = t.event_id)`,
    },
    {
      columns: [columnOf('outbox')],
      condition: sql`t.case_ref = ${caseRef} and t.state = 'DELIVERED' and t.created_at < ${before}
        and coalesce(t.last_attempt_at, t.created_at) < ${before}`,
    },
  ]
}
