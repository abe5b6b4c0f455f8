// Acts of the borrower on a complaint: add a message, judge the resolution, withdraw.

import { Refusal } from '@lendloom/foundation/refusal'
import { closeGrievance, replyToGrievance } from '#platform/complaints/grievance/borrower-acts.ts'
import { isOpen } from '#platform/complaints/grievance/grievance.ts'
import { findGrievance } from '#platform/complaints/grievance/store.ts'
import { type Attachment, type Complaint, isPending, mayReopen } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { informOfOmbudsman } from './deadline-jobs.ts'
import { countMessages } from './entry/store.ts'
import { escalateComplaint } from './escalate.ts'
import { exitNoticeFor } from './exit-payment.ts'
import { reopenComplaint } from './officer-acts.ts'
import { mailLender } from './send-mails.ts'
import { networkText } from './send-to-lender.ts'
import {
  addEntry,
  addEvent,
  afterTransition,
  asWithdrawn,
  type LockedComplaint,
  type NewEntry,
  saveComplaint,
} from './thread.ts'

export interface BorrowerMessage {
  text: string
  attachments: Attachment[]
  /** The mail or page request of the message. A message with a known source is not recorded again. */
  source?: Pick<NewEntry, 'mail' | 'sourceKey' | 'body'>
}

const maxMessagesPerDay = 50

/**
 * Adds a message, reopens a recently ended complaint, and forwards the message if a lender handles the complaint. Throws
 * `wrong-state` if the complaint ended too long ago or already has the maximum number of messages of a day.
 */
export async function addBorrowerMessage(
  ctx: ActContext,
  locked: LockedComplaint,
  { text, attachments, source }: BorrowerMessage,
): Promise<Complaint> {
  const { at, tx, config } = ctx
  const { complaint, journey } = locked
  if (!isPending(complaint) && !mayReopen(complaint, config, at))
    throw new Refusal('wrong-state', `the complaint is ${complaint.status}; open a new one`, {
      status: complaint.status,
    })
  if ((await countMessages(tx, complaint, new Date(at.getTime() - 86_400_000))) >= maxMessagesPerDay)
    throw new Refusal('wrong-state', `a complaint accepts at most ${maxMessagesPerDay} messages a day`)
  const isNew = await addEntry(ctx, complaint, {
    author: 'BORROWER',
    kind: 'WORDS',
    shown: true,
    attachments,
    ...source,
    body: { ...source?.body, text },
  })
  if (!isNew) return complaint
  const forwarded = await forwardToLender(ctx, locked, { text, attachments })
  if (forwarded) await addEntry(ctx, complaint, forwarded)
  if (!isPending(complaint)) return reopenComplaint(ctx, { complaint, journey }, { by: 'BORROWER', personId: null })
  return saveComplaint(ctx, { ...afterTransition(complaint, 'answered'), repliedAt: at })
}

/** Replies to the lender's question over the network, or mails the lender. Returns the entry of a mail. */
async function forwardToLender(
  ctx: ActContext,
  { complaint, journey }: LockedComplaint,
  { text, attachments }: BorrowerMessage,
): Promise<NewEntry | null> {
  const { route, grievanceId, number } = complaint
  if (route === 'LENDER_NETWORK' && journey && grievanceId !== null) {
    const grievance = await findGrievance(ctx.tx, ctx.seal, journey, grievanceId)
    if (grievance?.status === 'NEEDS_INFO')
      await replyToGrievance(ctx, journey, { grievanceId, reply: networkText(text, number) })
    return null
  }
  if (route !== 'LENDER_MAIL') return null
  const exit = await exitNoticeFor(ctx, complaint, journey)
  const mail = await mailLender(ctx, complaint, { message: text, attachments, exit })
  return mail && { author: 'SYSTEM', kind: 'FORWARD', mail, attachments, body: { text, to: mail.to } }
}

/**
 * Closes the complaint if the borrower accepts the resolution. Otherwise reopens the complaint, escalates it to the nodal
 * officer and informs the borrower of the ombudsman. Throws `wrong-state` without a resolution.
 */
export async function judgeResolution(
  ctx: ActContext,
  locked: LockedComplaint,
  isSatisfied: boolean,
): Promise<Complaint> {
  const { complaint } = locked
  if (complaint.status !== 'RESOLVED')
    throw new Refusal('wrong-state', `the complaint is ${complaint.status}`, { status: complaint.status })
  if (isSatisfied) {
    await closeGrievanceAsSatisfied(ctx, locked)
    await addEvent(ctx, complaint, 'CLOSED', { shown: true, values: { by: 'BORROWER' } })
    return saveComplaint(ctx, {
      ...afterTransition(complaint, 'closed'),
      closedAt: ctx.at,
      satisfied: true,
      repliedAt: null,
    })
  }
  const open = await reopenComplaint(ctx, locked, { by: 'BORROWER', personId: null })
  const unsatisfied = { ...open, satisfied: false }
  const escalated =
    open.escalatedAt === null
      ? await escalateComplaint(
          ctx,
          { ...locked, complaint: unsatisfied },
          { because: 'NOT_SATISFIED', personId: null },
        )
      : await saveComplaint(ctx, unsatisfied)
  return informOfOmbudsman(ctx, escalated)
}

async function closeGrievanceAsSatisfied(ctx: ActContext, { complaint, journey }: LockedComplaint): Promise<void> {
  const { grievanceId } = complaint
  const grievance = journey && grievanceId ? await findGrievance(ctx.tx, ctx.seal, journey, grievanceId) : undefined
  if (journey && grievance && grievance.status === 'RESOLVED')
    await closeGrievance(ctx, journey, { grievanceId: grievance.grievanceId, ratingCode: 'THUMBS-UP' })
}

/** Withdraws a complaint. Throws `wrong-state` if it has ended. */
export async function withdrawComplaint(ctx: ActContext, locked: LockedComplaint): Promise<Complaint> {
  const { complaint, journey } = locked
  if (!isPending(complaint))
    throw new Refusal('wrong-state', `the complaint is ${complaint.status}`, { status: complaint.status })
  const { grievanceId } = complaint
  const grievance = journey && grievanceId ? await findGrievance(ctx.tx, ctx.seal, journey, grievanceId) : undefined
  if (journey && grievance && isOpen(grievance) && grievance.status !== 'RESOLVED')
    await closeGrievance(ctx, journey, { grievanceId: grievance.grievanceId, ratingCode: null })
  await addEvent(ctx, complaint, 'CLOSED', { shown: true, values: { by: 'BORROWER' } })
  return saveComplaint(ctx, asWithdrawn(complaint, ctx.at))
}
