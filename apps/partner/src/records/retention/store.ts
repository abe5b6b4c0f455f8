// The rows of an application, table by table, and their deletion, also of those that never became a case. A test compares the list with the schema.
import { rowsAs, text, uuid } from '@lendloom/postgres/rows'
import { type Fragment, type Run, sql, type Tx } from '@lendloom/postgres/sql'

/** An application that ended before `before` without a payout. An open task keeps its case, such as for a dispute. */
const isEnded = (before: Date): Fragment => sql`
  f.status in ('REJECTED', 'EXPIRED') and f.updated_at < ${before}
    and not exists (select from loan l where l.case_ref = f.case_ref)
    and not exists (select from disbursement d where d.case_ref = f.case_ref and d.status <> 'FAILED')
    and not exists (select from case_task t where t.case_ref = f.case_ref and t.done_at is null)`

/** Returns at most `max` cases of ended applications, the longest unchanged first. */
export const listEnded = (db: Run, before: Date, max: number) => db<{ caseRef: string }>`
  select f.case_ref from case_file f where ${isEnded(before)} order by f.updated_at, f.case_ref limit ${max}`

/** Locks a case; false if it is no longer an ended application, or another process has it. */
export async function lockEnded(tx: Tx, caseRef: string, before: Date): Promise<boolean> {
  const rows = await tx`select 1 from case_file f where f.case_ref = ${caseRef} for update`
  const ended = await tx`select 1 from case_file f where f.case_ref = ${caseRef} and ${isEnded(before)}`
  return rows.length > 0 && ended.length > 0
}

/** Returns the stored files of a case, which the caller deletes from the object store. */
export const listObjects = (tx: Tx, caseRef: string) => tx<{ objectName: string }>`
  select object_name from stored_document where case_ref = ${caseRef}`

/**
 * Deletes everything about a case. Versions and outcomes of events stay, so that an event that is repeated later is not
 * applied again.
 */
export async function deleteCase(tx: Tx, caseRef: string): Promise<void> {
  await deleteEvents(tx, await tx<EventKey>`select sender, event_id from inbox_outcome where case_ref = ${caseRef}`)
  await tx`delete from outbox where case_ref = ${caseRef}`
  await tx`delete from job where payload->>'caseRef' = ${caseRef}`
  await tx`delete from expected_document where case_ref = ${caseRef}`
  await tx`delete from stored_document where case_ref = ${caseRef}`
  await tx`delete from document_request where case_ref = ${caseRef}`
  await tx`delete from dedupe_check where case_ref = ${caseRef}`
  await tx`delete from dedupe_review where case_ref = ${caseRef}`
  await tx`delete from case_lead where case_ref = ${caseRef}`
  await tx`delete from case_search_key where case_ref = ${caseRef}`
  await tx`delete from case_check where case_ref = ${caseRef}`
  await tx`delete from case_move where case_ref = ${caseRef}`
  await tx`delete from case_stop where case_ref = ${caseRef}`
  await tx`delete from failure_notice where case_ref = ${caseRef}`
  await tx`delete from case_note where case_ref = ${caseRef}`
  await tx`delete from case_task where case_ref = ${caseRef}`
  await tx`delete from case_bank_review where case_ref = ${caseRef}`
  await tx`delete from case_offer where case_ref = ${caseRef}`
  await tx`delete from case_review where case_ref = ${caseRef}`
  await tx`delete from disbursement where case_ref = ${caseRef}`
  await tx`delete from name_review where case_ref = ${caseRef}`
  await tx`delete from account_change where case_ref = ${caseRef}`
  await tx`delete from approval_request where case_ref = ${caseRef}`
  // Another case of the borrower inserts the lock again.
  await tx`
    delete from borrower_lock where pan_digest = (select pan_digest from case_file where case_ref = ${caseRef})`
  await tx`delete from case_file where case_ref = ${caseRef}`
}

/**
 * Lists case references after `after`, in order, with identity checks or unapplied events from before `before`. Most have
 * a case; those that have none never became an application. A review that waits for an officer keeps its check.
 */
export const listOldRefs = (db: Run, before: Date, after: string, limit: number) => db<{ caseRef: string }>`
  select case_ref from (
    select c.case_ref from dedupe_check c where c.checked_at < ${before} and not exists (
      select from dedupe_review r where r.case_ref = c.case_ref and r.decision is null)
    union select r.case_ref from dedupe_review r where r.decided_at < ${before}
    union select w.case_ref from inbox_waiting w where w.received_at < ${before}
    union select o.case_ref from inbox_outcome o join inbox i on i.sender = o.sender and i.event_id = o.event_id
      where o.outcome <> 'APPLIED' and o.settled_at < ${before}) as old
  where case_ref > ${after} order by case_ref limit ${limit}`

/** Returns those of the case references that have a case. */
export const listCases = (db: Run, caseRefs: string[]) => db<{ caseRef: string }>`
  select case_ref from case_file where case_ref = any(${caseRefs}::text[])`

/**
 * Deletes the identity checks and events from before `before` of a case reference without a case. Outcomes and versions of
 * events stay, so that an event that is repeated later is not applied.
 */
export async function deleteOldRows(tx: Tx, caseRef: string, before: Date): Promise<void> {
  await tx`delete from dedupe_review where case_ref = ${caseRef} and decided_at < ${before}`
  await tx`
    delete from dedupe_check c where c.case_ref = ${caseRef} and c.checked_at < ${before} and not exists (
      select from dedupe_review r where r.case_ref = c.case_ref and r.decision is null)`
  const waiting = await tx<EventKey>`
    delete from inbox_waiting where case_ref = ${caseRef} and received_at < ${before} returning sender, event_id`
  const unapplied = await tx<EventKey>`
    select sender, event_id from inbox_outcome
    where case_ref = ${caseRef} and outcome <> 'APPLIED' and settled_at < ${before}`
  await deleteEvents(tx, [...waiting, ...unapplied])
  await tx`delete from outbox where case_ref = ${caseRef} and created_at < ${before}`
  await tx`delete from job where payload->>'caseRef' = ${caseRef} and enqueued_at < ${before}`
}

interface EventKey {
  sender: string
  eventId: string
}

const deleteEvents = (tx: Tx, events: EventKey[]) => tx`
  delete from inbox i
  using ${rowsAs(sql`e`, events, {
    sender: text(({ sender }) => sender),
    eventId: uuid(({ eventId }) => eventId),
  })}
  where i.sender = e.sender and i.event_id = e.event_id`

/** Whether a case was deleted: its events were applied, and it does not exist. */
export async function isCaseDeleted(db: Run, caseRef: string): Promise<boolean> {
  const rows = await db`
    select 1 from inbox_outcome o where o.case_ref = ${caseRef} and o.outcome = 'APPLIED'
      and not exists (select from case_file f where f.case_ref = o.case_ref) limit 1`
  return rows.length > 0
}
