// CSV exports: one complaint with its thread, a list of complaints, a monthly report.

import { type CsvColumn, csvOf } from '@lendloom/documents/csv'
import { tenantIn } from '@lendloom/identity/person'
import type { Run } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import { ageBands } from '@lendloom/wire/console/complaint-lists'
import type { ComplaintReport, ReportLine } from '@lendloom/wire/console/complaint-report'
import { listMailsAbout } from '#platform/mail/queue-mail.ts'
import { platformTenant } from '#platform/people/person.ts'
import { ageInDays, type Complaint, type ComplaintEntry, type ComplaintKey } from './complaint.ts'
import { listEntries } from './entry/store.ts'
import { findComplaint } from './store.ts'
import { noSuchComplaint } from './thread.ts'

type ComplaintLine = Omit<Complaint, 'contact'> & { ageDays: number }

const complaintColumns: CsvColumn<ComplaintLine>[] = [
  { head: 'number', of: (each) => each.number },
  { head: 'tenant_id', of: (each) => each.tenantId },
  { head: 'journey_id', of: (each) => each.journeyId },
  { head: 'category', of: (each) => each.category },
  { head: 'status', of: (each) => each.status },
  { head: 'origin', of: (each) => each.origin },
  { head: 'route', of: (each) => each.route },
  { head: 'language', of: (each) => each.language },
  { head: 'received_at', of: (each) => each.receivedAt },
  { head: 'first_answer_due_at', of: (each) => each.firstAnswerDueAt },
  { head: 'first_answered_at', of: (each) => each.firstAnsweredAt },
  { head: 'resolution_due_at', of: (each) => each.resolutionDueAt },
  { head: 'resolved_at', of: (each) => each.resolvedAt },
  { head: 'closed_at', of: (each) => each.closedAt },
  { head: 'escalated_at', of: (each) => each.escalatedAt },
  { head: 'escalated_because', of: (each) => each.escalatedBecause },
  { head: 'ombudsman_at', of: (each) => each.ombudsmanAt },
  { head: 'outcome', of: (each) => each.outcome },
  { head: 'satisfied', of: (each) => each.satisfied },
  { head: 'reopened', of: (each) => each.reopened },
  { head: 'age_days', of: (each) => each.ageDays },
]

/** One line per complaint, without personal data. */
export const queueCsv = (complaints: Omit<Complaint, 'contact'>[], at: Date): string =>
  csvOf(
    complaintColumns,
    complaints.map((each) => ({ ...each, ageDays: ageInDays(each, at) })),
  )

type ExportedEntry = Pick<ComplaintEntry, 'at' | 'author' | 'kind' | 'code' | 'shown'> & {
  person: string | null
  text: string
  subject: string | null
  from: string | null
  files: string[]
  mail: string | null
}

/** One line per entry of a complaint's thread. */
export const threadCsv = (number: string, entries: ExportedEntry[]): string =>
  csvOf<ExportedEntry>(
    [
      { head: 'number', of: () => number },
      { head: 'at', of: (entry) => entry.at },
      { head: 'author', of: (entry) => entry.author },
      { head: 'kind', of: (entry) => entry.kind },
      { head: 'event', of: (entry) => entry.code },
      { head: 'shown_to_borrower', of: (entry) => entry.shown },
      { head: 'person', of: (entry) => entry.person },
      { head: 'from', of: (entry) => entry.from },
      { head: 'subject', of: (entry) => entry.subject },
      { head: 'text', of: (entry) => entry.text },
      { head: 'files', of: (entry) => entry.files.join('; ') },
      { head: 'mail', of: (entry) => entry.mail },
    ],
    entries,
  )

export const reportCsv = ({ month, lines, total }: ComplaintReport): string =>
  csvOf<ReportLine>(
    [
      { head: 'month', of: () => month },
      { head: 'category', of: (line) => line.category ?? 'TOTAL' },
      { head: 'pending_at_start', of: (line) => line.brought },
      { head: 'received', of: (line) => line.received },
      { head: 'resolved', of: (line) => line.resolved },
      { head: 'upheld', of: (line) => line.upheld },
      { head: 'resolved_within_30_days', of: (line) => line.inTime },
      { head: 'reopened', of: (line) => line.reopened },
      { head: 'escalated', of: (line) => line.escalated },
      { head: 'pending_at_end', of: (line) => line.pending },
      ...ageBands.map(({ from, to }, i) => ({
        head: to === null ? `pending_over_${from - 1}_days` : `pending_${from}_to_${to}_days`,
        of: (line: ReportLine) => line.ages[i],
      })),
      { head: 'average_days', of: (line) => line.averageDays },
    ],
    [...lines, total],
  )

/** Returns a complaint with its thread. Throws `absent` for an unknown complaint. */
export async function complaintForExport(
  db: Run,
  seal: Seal,
  key: ComplaintKey,
  findNames: (personIds: string[]) => Promise<Map<string, string>>,
) {
  const complaint = await findComplaint(db, seal, key)
  if (!complaint) throw noSuchComplaint()
  const { replyTag: _, mirroredStatus: __, tenantId, ...fields } = complaint
  const entries = await listEntries(db, seal, key)
  const people = await findNames([...new Set(entries.flatMap(({ personId }) => personId ?? []))])
  const mails = [
    ...(await listMailsAbout(db, tenantId, 'complaint', key.complaintId)),
    ...(tenantId === platformTenant ? [] : await listMailsAbout(db, platformTenant, 'complaint', key.complaintId)),
  ]
  const states = new Map<string, string>(mails.map(({ mailId, state }) => [mailId, state]))
  const thread = entries.map(({ at, author, kind, code, shown, personId, body, mailId }): ExportedEntry => {
    const { text, subject = null, from = null, attachments } = body
    return {
      at,
      author,
      kind,
      code,
      shown,
      text,
      subject,
      from,
      person: personId === null ? null : (people.get(personId) ?? null),
      files: attachments.map(({ name }) => name),
      mail: mailId === null ? null : (states.get(mailId) ?? null),
    }
  })
  return { complaint: { ...fields, tenantId: tenantIn(tenantId) }, thread }
}
