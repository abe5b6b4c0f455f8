// A complaint: its fields, thread entries and status machine (D3 §1).

import { daysAfter } from '@lendloom/foundation/clock'
import { next, type Table } from '@lendloom/foundation/machine'
import type { Language } from '@lendloom/lending/language'
import type {
  ComplaintCategory,
  ComplaintEvent,
  ComplaintOrigin,
  ComplaintOutcome,
  ComplaintRoute,
  ComplaintStatus,
  EntryAuthor,
  EntryKind,
  EscalationReason,
} from '@lendloom/wire/console/complaint-lists'
import type { GrievanceStatus } from '#platform/complaints/grievance/grievance.ts'
import { isMailAddress } from '#platform/mail/outgoing-mail.ts'

export interface Contact {
  name: string | null
  email: string | null
  mobile: string | null
}

/** The address for our mails; null if there is none, or one that a mail can name but that we cannot answer. */
export const answerableEmail = ({ email }: Contact): string | null =>
  email !== null && isMailAddress(email) ? email : null

export interface ComplaintKey {
  tenantId: string
  complaintId: string
}

export interface Complaint extends ComplaintKey {
  number: string
  replyTag: string
  origin: ComplaintOrigin
  category: ComplaintCategory
  status: ComplaintStatus
  route: ComplaintRoute
  language: Language
  journeyId: string | null
  borrowerId: string | null
  lenderId: string | null
  grievanceId: string | null
  mirroredStatus: GrievanceStatus | null
  contact: Contact
  assigneeId: string | null
  version: number
  receivedAt: Date
  /** The start of the deadlines, which reopening resets. */
  sinceAt: Date
  firstAnswerDueAt: Date
  resolutionDueAt: Date
  limitAt: Date
  firstAnsweredAt: Date | null
  resolvedAt: Date | null
  closedAt: Date | null
  escalatedAt: Date | null
  escalatedBecause: EscalationReason | null
  ombudsmanAt: Date | null
  /** The last day to pay for the cancellation that the complaint requests; null for others. */
  exitPayBy: string | null
  outcome: ComplaintOutcome | null
  satisfied: boolean | null
  reopened: number
  mergedInto: string | null
  /** The time of the borrower's last message; null after an officer answers, adds a note or marks it as seen. */
  repliedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface Attachment {
  name: string
  type: string
  size: number
  /** Null for a rejected file; `why` has the reason. */
  objectKey: string | null
  why: string | null
}

export interface EntryBody {
  text: string
  subject?: string
  from?: string
  fromName?: string
  to?: string
  attachments: Attachment[]
  values?: Record<string, string>
}

export interface ComplaintEntry extends ComplaintKey {
  entryId: string
  at: Date
  author: EntryAuthor
  kind: EntryKind
  code: ComplaintEvent | null
  shown: boolean
  personId: string | null
  body: EntryBody
  mailId: string | null
  messageId: string | null
  sourceKey: string | null
}

/**
 * Transitions of a complaint. `acknowledged`: the platform sent the complaint's number. `taken`: an officer or lender
 * started work. `questioned`: an officer or lender asked the borrower. `answered`: the borrower sent a message.
 */
export type ComplaintTransition =
  | 'acknowledged'
  | 'taken'
  | 'questioned'
  | 'answered'
  | 'resolved'
  | 'closed'
  | 'reopened'
  | 'merged'

export const complaintMachine: Table<ComplaintStatus, ComplaintTransition> = {
  NEW: {
    acknowledged: 'ACKNOWLEDGED',
    taken: 'IN_PROGRESS',
    questioned: 'WAITING_FOR_BORROWER',
    answered: 'NEW',
    resolved: 'RESOLVED',
    closed: 'CLOSED',
    merged: 'MERGED',
  },
  ACKNOWLEDGED: {
    taken: 'IN_PROGRESS',
    questioned: 'WAITING_FOR_BORROWER',
    answered: 'ACKNOWLEDGED',
    resolved: 'RESOLVED',
    closed: 'CLOSED',
    merged: 'MERGED',
  },
  IN_PROGRESS: {
    taken: 'IN_PROGRESS',
    questioned: 'WAITING_FOR_BORROWER',
    answered: 'IN_PROGRESS',
    resolved: 'RESOLVED',
    closed: 'CLOSED',
    merged: 'MERGED',
  },
  WAITING_FOR_BORROWER: {
    taken: 'IN_PROGRESS',
    questioned: 'WAITING_FOR_BORROWER',
    answered: 'IN_PROGRESS',
    resolved: 'RESOLVED',
    closed: 'CLOSED',
    merged: 'MERGED',
  },
  RESOLVED: { closed: 'CLOSED', reopened: 'IN_PROGRESS', merged: 'MERGED' },
  CLOSED: { reopened: 'IN_PROGRESS' },
  MERGED: {},
}

export const isPending = ({ status }: Pick<Complaint, 'status'>): boolean =>
  next(complaintMachine, status, 'questioned') !== undefined

export const isRefusedOrWithdrawn = ({ outcome }: Pick<Complaint, 'outcome'>): boolean =>
  outcome === 'NOT_UPHELD' || outcome === 'WITHDRAWN'

export const mayReopen = (
  { status, resolvedAt, closedAt }: Pick<Complaint, 'status' | 'resolvedAt' | 'closedAt'>,
  { COMPLAINT_REOPEN_DAYS: days }: { COMPLAINT_REOPEN_DAYS: number },
  at: Date,
): boolean => {
  const endedAt = resolvedAt ?? closedAt
  return next(complaintMachine, status, 'reopened') !== undefined && endedAt !== null && at <= daysAfter(endedAt, days)
}

/** Whole days from receipt to resolution, or to `at` if unresolved. */
export const ageInDays = ({ receivedAt, resolvedAt }: Pick<Complaint, 'receivedAt' | 'resolvedAt'>, at: Date): number =>
  Math.floor(((resolvedAt ?? at).getTime() - receivedAt.getTime()) / 86_400_000)

/** Whether tenant staff may see an entry. They do not see notes of platform officers. */
export const isForTenant = ({ author, kind }: Pick<ComplaintEntry, 'author' | 'kind'>): boolean =>
  kind !== 'NOTE' || author !== 'OFFICER'

export const contactSealContext = ({ tenantId, complaintId }: ComplaintKey): string =>
  `complaint:${tenantId}:${complaintId}`

export const entrySealContext = ({ tenantId, complaintId, entryId }: ComplaintKey & { entryId: string }): string =>
  `complaint_entry:${tenantId}:${complaintId}:${entryId}`

export const officerSealContext = ({
  tenantId,
  party,
  level,
}: {
  tenantId: string
  party: string
  level: string
}): string => `complaint_officer:${tenantId}:${party}:${level}`
