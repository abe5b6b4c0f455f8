// CSV exports: one complaint with its thread, a list of complaints, a monthly report.
import { ageBands } from '#contract/console/complaint-lists.ts'
import type { ComplaintReport } from '#contract/console/complaint-report.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Run } from '#kit/db/sql.ts'
import { csvOf } from '#kit/files/csv.ts'
import { tenantIn } from '#kit/staff/person.ts'
import { listMailsAbout } from '#platform/mail/queue-mail.ts'
import { platformTenant } from '#platform/staff/person.ts'
import { ageInDays, type Complaint, type ComplaintEntry, type ComplaintKey } from './complaint.ts'
import { listEntries } from './entry/store.ts'
import { findComplaint } from './store.ts'
import { noSuchComplaint } from './thread.ts'

const complaintColumnNames = [
  'number',
  'tenant_id',
  'journey_id',
  'category',
  'status',
  'origin',
  'route',
  'language',
  'received_at',
  'first_answer_due_at',
  'first_answered_at',
  'resolution_due_at',
  'resolved_at',
  'closed_at',
  'escalated_at',
  'escalated_because',
  'ombudsman_at',
  'outcome',
  'satisfied',
  'reopened',
  'age_days',
]

/** One line per complaint, without personal data. */
export const queueCsv = (complaints: Omit<Complaint, 'contact'>[], at: Date): string =>
  csvOf(
    complaintColumnNames,
    complaints.map((each) => [
      each.number,
      each.tenantId,
      each.journeyId,
      each.category,
      each.status,
      each.origin,
      each.route,
      each.language,
      each.receivedAt,
      each.firstAnswerDueAt,
      each.firstAnsweredAt,
      each.resolutionDueAt,
      each.resolvedAt,
      each.closedAt,
      each.escalatedAt,
      each.escalatedBecause,
      each.ombudsmanAt,
      each.outcome,
      each.satisfied,
      each.reopened,
      ageInDays(each, at),
    ]),
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
  csvOf(
    [
      'number',
      'at',
      'author',
      'kind',
      'event',
      'shown_to_borrower',
      'person',
      'from',
      'subject',
      'text',
      'files',
      'mail',
    ],
    entries.map(({ at, author, kind, code, shown, person, from, subject, text, files, mail }) => [
      number,
      at,
      author,
      kind,
      code,
      shown,
      person,
      from,
      subject,
      text,
      files.join('; '),
      mail,
    ]),
  )

export function reportCsv({ month, lines, total }: ComplaintReport): string {
  const bands = ageBands.map(({ from, to }) =>
    to === null ? `pending_over_${from - 1}_days` : `pending_${from}_to_${to}_days`,
  )
  return csvOf(
    [
      'month',
      'category',
      'pending_at_start',
      'received',
      'resolved',
      'upheld',
      'resolved_within_30_days',
      'reopened',
      'escalated',
      'pending_at_end',
      ...bands,
      'average_days',
    ],
    [...lines, total].map((line) => [
      month,
      line.category ?? 'TOTAL',
      line.brought,
      line.received,
      line.resolved,
      line.upheld,
      line.inTime,
      line.reopened,
      line.escalated,
      line.pending,
      ...line.ages,
      line.averageDays,
    ]),
  )
}

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
