// Store of network_report: which messages the network's collector has accepted.

import { secondsAfter } from '@lendloom/foundation/clock'
import { rowsAs, smallint, timestamptz, uuid } from '@lendloom/postgres/rows'
import { type Fragment, oneRow, type Run, sql } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import { reportedActions } from '@lendloom/wire/network/collector-reports'
import type { ArchiveKey } from '#platform/lenders/network/messages/store.ts'

export interface LeasedReport extends ArchiveKey {
  at: Date
  isMessageAccepted: boolean
  attempt: number
  leaseUntil: Date
}

/** An attempt may still be under way when the ttl of a message ends. */
const longestAttemptSeconds = 60

/** The answer is final: of a received message, and of a sent one that was answered or whose ttl has ended. */
const isReportable = (at: Date): Fragment => sql`
  m.action = any(${reportedActions}::text[]) and m.outcome is not null and (m.direction = 'received'
    or m.tries > 0 and (m.outcome = 'ACK' or m.outcome like 'NACK%' or m.expires_at < ${secondsAfter(at, -longestAttemptSeconds)}))`

const sameMessage = sql`r.bucket = m.bucket and r.tenant_id = m.tenant_id and r.journey_id = m.journey_id and r.message_key = m.message_key`

interface Period {
  from: Date
  until: Date
}

/** Makes a due report for each reportable message of the period that has none; returns how many. */
export async function addReports(db: Run, { from, until }: Period, at: Date): Promise<number> {
  const rows = await db`
    insert into network_report (bucket, tenant_id, journey_id, message_key, at, due_at)
    select m.bucket, m.tenant_id, m.journey_id, m.message_key, m.at, ${at}::timestamptz from network_message m
    where m.at >= ${from} and m.at < ${until} and ${isReportable(at)}
      and not exists (select from network_report r where ${sameMessage})
    on conflict do nothing returning 1`
  return rows.length
}

/** Deletes the reports of messages before an instant. */
export const deleteReports = (db: Run, before: Date) => db`delete from network_report where at < ${before}`

/** Selects when the next report is due. */
export const nextReport = sql`select due_at from network_report where due_at is not null order by due_at limit 1`

/** Claims due reports by compare-and-set on `due_at`, so that only one worker gets each. */
export async function claimReports(db: Run, at: Date, leaseUntil: Date, limit: number): Promise<LeasedReport[]> {
  const due = await db<ArchiveKey & { dueAt: Date }>`
    select tenant_id, journey_id, message_key, due_at from network_report where due_at <= ${at} order by due_at limit ${limit}`
  if (due.length === 0) return []
  return db<LeasedReport>`
    update network_report r set due_at = ${leaseUntil}
    from ${rowsAs(sql`m`, due, {
      bucket: smallint((report) => bucketOf(report.journeyId)),
      tenantId: uuid((report) => report.tenantId),
      journeyId: uuid((report) => report.journeyId),
      messageKey: uuid((report) => report.messageKey),
      dueAt: timestamptz((report) => report.dueAt),
    })}
    where ${sameMessage} and r.due_at = m.due_at
    returning r.tenant_id, r.journey_id, r.message_key, r.at, r.is_message_accepted, r.attempt, r.due_at as lease_until`
}

export interface ReportResult {
  state: 'WAITING' | 'REPORTED' | 'REFUSED'
  isMessageAccepted: boolean
  dueAt: Date | null
  attempt: number
  note: string | null
}

/** Whether the lease still holds: after it, another worker may have claimed the report, which changes `due_at`. */
const isHeld = ({ tenantId, journeyId, messageKey, leaseUntil }: LeasedReport): Fragment => sql`
  bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and message_key = ${messageKey}
    and due_at = ${leaseUntil}`

/** Records the result of an attempt, and when the next one is due. Does nothing if the lease was lost. */
export async function recordResult(db: Run, held: LeasedReport, result: ReportResult, at: Date): Promise<void> {
  const { state, isMessageAccepted, dueAt, attempt, note } = result
  await db`
    update network_report set state = ${state}, is_message_accepted = ${isMessageAccepted}, due_at = ${dueAt}, attempt = ${attempt},
      note = ${note}, reported_at = ${state === 'REPORTED' ? at : null}
    where ${isHeld(held)}`
}

/** Deletes a report that this worker has leased. */
export async function dropReport(db: Run, held: LeasedReport): Promise<void> {
  await db`delete from network_report where ${isHeld(held)}`
}

/** Counts the reports still unsent of messages before `lateBefore`, and those refused of messages from `since` on. */
export const countReportProblems = async (db: Run, { lateBefore, since }: { lateBefore: Date; since: Date }) =>
  oneRow(
    await db<{ late: number; oldestAt: Date | null; refused: number }>`
      select count(due_at) filter (where at < ${lateBefore})::float8 as late, min(at) filter (where due_at is not null) as oldest_at,
        count(*) filter (where state = 'REFUSED' and at >= ${since})::float8 as refused
      from network_report where due_at is not null or state = 'REFUSED'`,
  )

interface ReportCounts {
  journal: number
  reported: number
  waiting: number
  refused: number
}

/** Compares the journal of a period with its reports. Messages without a report are waiting. */
export async function countReports(db: Run, { from, until }: Period, at: Date): Promise<ReportCounts> {
  const counts = oneRow(
    await db<Omit<ReportCounts, 'waiting'>>`
      select count(*)::float8 as journal, count(*) filter (where r.state = 'REPORTED')::float8 as reported,
        count(*) filter (where r.state = 'REFUSED')::float8 as refused
      from network_message m left join network_report r on ${sameMessage}
      where m.at >= ${from} and m.at < ${until} and ${isReportable(at)}`,
  )
  return { ...counts, waiting: counts.journal - counts.reported - counts.refused }
}

/** Counts the refused reports of a period by action and by the collector's reason, most frequent first. */
export const listRefusals = (db: Run, { from, until }: Period) =>
  db<{ action: string; note: string; count: number }>`
    select m.action, r.note, count(*)::float8 as count
    from network_report r join network_message m on ${sameMessage}
    where r.at >= ${from} and r.at < ${until} and r.state = 'REFUSED' group by m.action, r.note order by count desc, m.action limit 50`
