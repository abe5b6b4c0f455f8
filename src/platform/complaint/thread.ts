// The thread of a complaint grows: words, notes and events are entered, and what of a complaint has changed is kept with them.
import type { ComplaintEvent, EntryAuthor, EntryKind } from '#contract/console/complaint-lists.ts'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { next } from '#kit/runtime/machine.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lockJourney } from '#platform/journey/store.ts'
import type { QueuedMail } from '#platform/mail/mail.ts'
import {
  type Attachment,
  type Complaint,
  type ComplaintKey,
  type ComplaintMove,
  complaintMachine,
  type EntryBody,
} from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { insertEntry } from './entry/store.ts'
import { findComplaint, keepComplaint, lockComplaint } from './store.ts'

export interface NewEntry {
  author: EntryAuthor
  kind: EntryKind
  code?: ComplaintEvent
  /** Whether the borrower sees it. */
  shown?: boolean
  personId?: string | null
  body?: Partial<EntryBody>
  attachments?: Attachment[]
  /** Its outgoing or incoming mail. */
  mail?: QueuedMail | { messageId: string } | null
  sourceKey?: string
  at?: Date
}

/** False when its source was entered before. */
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
    ...{ tenantId, complaintId, author, kind, code, shown, personId, sourceKey },
    entryId: uuidv7(ctx.at.getTime(), bucketOf(complaintId)),
    at: entry.at ?? ctx.at,
    body: { text: '', attachments, ...body },
    mailId: mail && 'mailId' in mail ? mail.mailId : null,
    messageId: mail?.messageId ?? null,
  })
}

/** Records an event; the borrower sees it only if marked so. */
export const addEvent = (
  ctx: ActContext,
  place: ComplaintKey,
  code: ComplaintEvent,
  more: Omit<NewEntry, 'author' | 'kind' | 'code'> & { values?: Record<string, string> } = {},
): Promise<boolean> => {
  const { values, body, ...rest } = more
  return addEntry(ctx, place, {
    ...rest,
    author: 'SYSTEM',
    kind: 'EVENT',
    code,
    body: { ...body, ...(values && { values }) },
  })
}

/** The complaint after a move. Refused as `wrong-state` where its table has no such move. */
export function moved(complaint: Complaint, move: ComplaintMove): Complaint {
  const status = next(complaintMachine, complaint.status, move)
  if (status === undefined)
    throw new Refusal('wrong-state', `the complaint is ${complaint.status}, so it cannot be ${move}`, {
      status: complaint.status,
    })
  return { ...complaint, status }
}

/** Writes changes and returns the complaint. */
export async function keep(ctx: ActContext, complaint: Complaint): Promise<Complaint> {
  const now = { ...complaint, updatedAt: ctx.at }
  await keepComplaint(ctx.tx, now)
  return { ...now, version: now.version + 1 }
}

export interface LockedComplaint {
  complaint: Complaint
  /** Null where it is about none. */
  journey: Journey | null
}

/** Locks the journey that it is about, and then the complaint: always in this order. Undefined when there is none. */
export async function findHeld(
  { tx, seal }: Pick<ActContext, 'tx' | 'seal'>,
  place: ComplaintKey,
): Promise<LockedComplaint | undefined> {
  const seen = await findComplaint(tx, seal, place)
  const journey = seen?.journeyId ? ((await lockJourney(tx, seen.tenantId, seen.journeyId)) ?? null) : null
  const complaint = seen && (await lockComplaint(tx, seal, place))
  return complaint && { complaint, journey }
}

/** As above. Refused as `absent`. */
export async function holdComplaint(
  ctx: Pick<ActContext, 'tx' | 'seal'>,
  place: ComplaintKey,
): Promise<LockedComplaint> {
  const held = await findHeld(ctx, place)
  if (!held) throw noSuchComplaint()
  return held
}

export const noSuchComplaint = () => new Refusal('absent', 'there is no such complaint')

/** Refused as `wrong-state` when the complaint changed since it was read. */
export function checkVersion({ version }: Complaint, seen: number): void {
  if (version !== seen)
    throw new Refusal('wrong-state', 'somebody has changed this complaint meanwhile; look at it again', { version })
}
