// Adds messages, notes and events to the thread of a complaint, and saves the complaint.

import { next } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { ComplaintEvent, EntryAuthor, EntryKind } from '@lendloom/wire/console/complaint-lists'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import type { QueuedMail } from '#platform/mail/outgoing-mail.ts'
import {
  type Attachment,
  type Complaint,
  type ComplaintKey,
  type ComplaintTransition,
  complaintMachine,
  type EntryBody,
} from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { insertEntry } from './entry/store.ts'
import { findComplaint, lockComplaint, updateComplaint } from './store.ts'

export interface NewEntry {
  author: EntryAuthor
  kind: EntryKind
  code?: ComplaintEvent
  shown?: boolean
  personId?: string | null
  body?: Partial<EntryBody>
  attachments?: Attachment[]
  mail?: QueuedMail | { messageId: string } | null
  sourceKey?: string
  at?: Date
}

/** Adds an entry; returns false if an entry with the same source exists. */
export const addEntry = (
  ctx: ActContext,
  { tenantId, complaintId }: ComplaintKey,
  entry: NewEntry,
): Promise<boolean> => {
  const {
    author,
    kind,
    code = null,
    shown = false,
    personId = null,
    body,
    attachments = [],
    mail,
    sourceKey = null,
  } = entry
  return insertEntry(ctx.tx, ctx.seal, {
    tenantId,
    complaintId,
    author,
    kind,
    code,
    shown,
    personId,
    sourceKey,
    entryId: uuidv7(ctx.at.getTime(), bucketOf(complaintId)),
    at: entry.at ?? ctx.at,
    body: { text: '', attachments, ...body },
    mailId: mail && 'mailId' in mail ? mail.mailId : null,
    messageId: mail?.messageId ?? null,
  })
}

/** Records an event, which the borrower sees only if `shown` is set. */
export const addEvent = (
  ctx: ActContext,
  key: ComplaintKey,
  code: ComplaintEvent,
  options: Omit<NewEntry, 'author' | 'kind' | 'code'> & { values?: Record<string, string> } = {},
): Promise<boolean> => {
  const { values, body, ...entryFields } = options
  return addEntry(ctx, key, {
    ...entryFields,
    author: 'SYSTEM',
    kind: 'EVENT',
    code,
    body: { ...body, ...(values && { values }) },
  })
}

/** Returns the complaint with its new status. Throws `wrong-state` for an impossible transition. */
export function afterTransition(complaint: Complaint, transition: ComplaintTransition): Complaint {
  const status = next(complaintMachine, complaint.status, transition)
  if (status === undefined)
    throw new Refusal('wrong-state', `the complaint is ${complaint.status}, so it cannot be ${transition}`, {
      status: complaint.status,
    })
  return { ...complaint, status }
}

/** Returns the complaint as the borrower withdraws it. Throws `wrong-state` for an ended one. */
export const asWithdrawn = (complaint: Complaint, at: Date): Complaint => ({
  ...afterTransition(complaint, 'closed'),
  closedAt: at,
  resolvedAt: at,
  outcome: 'WITHDRAWN',
  repliedAt: null,
})

/** Writes the complaint and returns it with its new version. */
export async function saveComplaint(ctx: ActContext, complaint: Complaint): Promise<Complaint> {
  const updated = { ...complaint, updatedAt: ctx.at }
  await updateComplaint(ctx.tx, updated)
  return { ...updated, version: updated.version + 1 }
}

export interface LockedComplaint {
  complaint: Complaint
  /** Null for a complaint without a journey. */
  journey: Journey | null
}

/** Locks the journey and then the complaint, always in this order. Returns undefined for an unknown complaint. */
export async function lockComplaintWithJourney(
  { tx, seal }: Pick<ActContext, 'tx' | 'seal'>,
  key: ComplaintKey,
): Promise<LockedComplaint | undefined> {
  const unlocked = await findComplaint(tx, seal, key)
  const journey = unlocked?.journeyId ? ((await lockJourney(tx, unlocked.tenantId, unlocked.journeyId)) ?? null) : null
  const complaint = unlocked && (await lockComplaint(tx, seal, key))
  return complaint && { complaint, journey }
}

/** Like `lockComplaintWithJourney`; throws `absent` for an unknown complaint. */
export async function requireLockedComplaint(
  ctx: Pick<ActContext, 'tx' | 'seal'>,
  key: ComplaintKey,
): Promise<LockedComplaint> {
  const locked = await lockComplaintWithJourney(ctx, key)
  if (!locked) throw noSuchComplaint()
  return locked
}

export const noSuchComplaint = () => new Refusal('absent', 'the complaint does not exist')

/** Throws `wrong-state` if the complaint has changed since the caller read it. */
export function checkVersion({ version }: Complaint, expectedVersion: number): void {
  if (version !== expectedVersion)
    throw new Refusal('wrong-state', 'the complaint has changed since you opened it; reload it', { version })
}
