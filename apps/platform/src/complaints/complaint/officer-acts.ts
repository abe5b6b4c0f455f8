// Acts of officers on a complaint: answer, annotate, assign, categorize, forward, close and reopen.

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import type { ComplaintCategory, ComplaintOutcome } from '@lendloom/wire/console/complaint-lists'
import { personIdOf, platformTenant } from '#platform/people/person.ts'
import { findPerson } from '#platform/people/store.ts'
import { type Attachment, type Complaint, isPending } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { scheduleClose, scheduleDeadlines } from './deadline-jobs.ts'
import { deadlinesFrom } from './deadlines.ts'
import { validateComplaintText } from './incoming-text.ts'
import { mailBorrower, mailStandardText } from './send-mails.ts'
import { sendToLender } from './send-to-lender.ts'
import { clearRepliedAt } from './store.ts'
import { addEntry, addEvent, afterTransition, type LockedComplaint, saveComplaint } from './thread.ts'

export interface StaffAnswer {
  text: string
  /** WORDS informs the borrower. A QUESTION waits for the borrower's answer. A RESOLUTION has an outcome. */
  kind: 'WORDS' | 'QUESTION' | 'RESOLUTION'
  outcome?: ComplaintOutcome | null
  attachments?: Attachment[]
  personId: string | null
}

/**
 * Answers the borrower on the page, and by mail if an address is known. Throws `wrong-state` if the complaint is not
 * pending, `invalid` if the text is invalid or has an unfilled placeholder or gap, or if the outcome of a resolution is missing.
 */
export async function answerComplaint(
  ctx: ActContext,
  { complaint }: LockedComplaint,
  answer: StaffAnswer,
): Promise<Complaint> {
  const { at, tx, config } = ctx
  const { kind, personId, attachments = [], outcome = null } = answer
  const text = validateComplaintText(answer.text)
  const [placeholder] = /\{\w+\}/.exec(text) ?? []
  if (placeholder) throw invalid({ path: 'text', message: `must not contain the placeholder ${placeholder}` })
  const [gap] = templateGap.exec(text) ?? []
  if (gap) throw invalid({ path: 'text', message: `must complete the template after "${gap.trim()}"` })
  if (kind === 'RESOLUTION' && outcome === null) throw invalid({ path: 'outcome', message: 'is required' })
  const answered = {
    ...afterTransition(complaint, kind === 'QUESTION' ? 'questioned' : kind === 'RESOLUTION' ? 'resolved' : 'taken'),
    firstAnsweredAt: complaint.firstAnsweredAt ?? at,
    repliedAt: null,
    // The command line of an installation is nobody who could handle it.
    assigneeId: complaint.assigneeId ?? (personId === null ? null : personIdOf({ personId })),
    ...(kind === 'RESOLUTION' && { resolvedAt: at, outcome }),
  }
  const mail = await mailBorrower(ctx, answered, {
    text,
    attachments,
    standardTexts: kind === 'RESOLUTION' ? ['resolvedFooter'] : [],
    personId,
  })
  await addEntry(ctx, complaint, {
    author: 'OFFICER',
    kind,
    shown: true,
    personId,
    attachments,
    mail,
    body: { text, ...(outcome && { values: { outcome } }) },
  })
  if (kind === 'RESOLUTION') await scheduleClose(tx, { ...answered, resolvedAt: at }, config)
  return saveComplaint(ctx, answered)
}

/** What a reply template leaves to the officer: the end of a line with a colon, or a rupee sign without an amount. */
const templateGap = /: \n|:$|₹(?! ?\d)/
const minNoteLength = 2

/** Adds a note that only staff see. `author` is OFFICER for platform staff and TENANT for tenant staff. */
export async function noteComplaint(
  ctx: ActContext,
  complaint: Complaint,
  note: { text: string; personId: string | null; author: 'OFFICER' | 'TENANT' },
): Promise<void> {
  const { personId, author } = note
  await addEntry(ctx, complaint, {
    author,
    kind: 'NOTE',
    personId,
    body: { text: validateComplaintText(note.text, 'text', minNoteLength) },
  })
  if (author === 'OFFICER') await clearRepliedAt(ctx.tx, complaint)
}

/** Ends the mark of a new message of the borrower, without an answer. */
export const markSeen = async (ctx: ActContext, complaint: Complaint): Promise<Complaint> =>
  (await clearRepliedAt(ctx.tx, complaint)) ? { ...complaint, repliedAt: null } : complaint

interface Assignment {
  assigneeId: string | null
  personId: string | null
}

const officerRoles = ['operator', 'grievance-officer', 'admin']

/** Assigns a complaint. Throws `invalid` when `assigneeId` is not a platform employee who handles complaints. */
export async function assignComplaint(
  ctx: ActContext,
  { complaint }: LockedComplaint,
  { assigneeId, personId }: Assignment,
): Promise<Complaint> {
  const person = assigneeId === null ? undefined : await findPerson(ctx.tx, platformTenant, assigneeId)
  if (assigneeId !== null && !(person && officerRoles.includes(person.role)))
    throw invalid({ path: 'assigneeId', message: 'is not a person who handles complaints' })
  if (complaint.assigneeId === assigneeId) return complaint
  await addEvent(ctx, complaint, 'ASSIGNED', { personId, values: assigneeId === null ? {} : { assigneeId } })
  const startsWork = assigneeId !== null && (complaint.status === 'ACKNOWLEDGED' || complaint.status === 'NEW')
  return saveComplaint(ctx, { ...(startsWork ? afterTransition(complaint, 'taken') : complaint), assigneeId })
}

/** Changes the category. The route stays, even if another party handles the new category. */
export async function categorizeComplaint(
  ctx: ActContext,
  { complaint }: LockedComplaint,
  { category, personId }: { category: ComplaintCategory; personId: string | null },
): Promise<Complaint> {
  if (complaint.category === category) return complaint
  await addEvent(ctx, complaint, 'CATEGORIZED', { personId, values: { category } })
  return saveComplaint(ctx, { ...complaint, category })
}

/** Forwards a complaint to the lender. Throws `wrong-state` if it was already forwarded or no lender has an address. */
export async function forwardComplaint(
  ctx: ActContext,
  { complaint, journey }: LockedComplaint,
  { text, attachments = [] }: { text: string; attachments?: Attachment[] },
): Promise<Complaint> {
  if (!isPending(complaint)) throw new Refusal('wrong-state', `the complaint is ${complaint.status}`)
  if (complaint.route !== 'PLATFORM')
    throw new Refusal('wrong-state', 'the complaint was already forwarded to the lender')
  const sent = await sendToLender(ctx, complaint, { journey, text: validateComplaintText(text), attachments })
  if (sent.route === 'PLATFORM')
    throw new Refusal('wrong-state', 'the complaint has no responsible lender with an email address')
  return saveComplaint(ctx, afterTransition(sent, 'taken'))
}

interface ClosingDetails {
  outcome?: ComplaintOutcome | null
  personId: string | null
}

/** Closes a complaint. Throws `invalid` if neither the complaint nor the call has an outcome. */
export async function closeComplaint(
  ctx: ActContext,
  { complaint }: LockedComplaint,
  { outcome = null, personId }: ClosingDetails,
): Promise<Complaint> {
  const { at } = ctx
  if (complaint.outcome === null && outcome === null) throw invalid({ path: 'outcome', message: 'is required' })
  const closed = {
    ...afterTransition(complaint, 'closed'),
    closedAt: at,
    resolvedAt: complaint.resolvedAt ?? at,
    outcome: outcome ?? complaint.outcome,
    firstAnsweredAt: complaint.firstAnsweredAt ?? at,
    repliedAt: null,
  }
  const mail = await mailStandardText(ctx, closed, 'closed')
  await addEvent(ctx, complaint, 'CLOSED', { shown: true, personId, mail, values: { by: 'OFFICER' } })
  return saveComplaint(ctx, closed)
}

/** Reopens an ended complaint for the borrower or an officer; its deadlines begin again. */
export async function reopenComplaint(
  ctx: ActContext,
  { complaint }: LockedComplaint,
  { by, personId }: { by: 'BORROWER' | 'OFFICER'; personId: string | null },
): Promise<Complaint> {
  const { at, config, tx } = ctx
  const open: Complaint = {
    ...afterTransition(complaint, 'reopened'),
    ...deadlinesFrom(config, at),
    firstAnsweredAt: null,
    resolvedAt: null,
    closedAt: null,
    outcome: null,
    satisfied: null,
    ...(by === 'BORROWER' && { repliedAt: at }),
    reopened: complaint.reopened + 1,
  }
  await addEvent(ctx, complaint, 'REOPENED', { shown: true, personId, values: { by } })
  await scheduleDeadlines(tx, open)
  return saveComplaint(ctx, open)
}
