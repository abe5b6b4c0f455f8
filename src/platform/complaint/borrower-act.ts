// What the borrower does with a complaint, on the page or by mail: adds to it, says whether it is settled, withdraws it.
import { Refusal } from '#kit/http/refusal.ts'
import { closeGrievance, replyToGrievance } from '#platform/grievance/act.ts'
import { isOpen } from '#platform/grievance/grievance.ts'
import { findGrievance } from '#platform/grievance/store.ts'
import { reopenComplaint } from './act.ts'
import { tellOfOmbudsman } from './clock.ts'
import { type Attachment, type Complaint, isPending, mayReopen } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { countMessages } from './entry/store.ts'
import { escalate } from './escalate.ts'
import { networkText } from './open.ts'
import { mailLender } from './post.ts'
import { addEntry, addEvent, keep, type LockedComplaint, moved, type NewEntry } from './thread.ts'

export interface BorrowerMessage {
  text: string
  attachments: Attachment[]
  /** Where it comes from, so that it is entered once: the mail that brought it, or the request of the page. */
  source?: Pick<NewEntry, 'mail' | 'sourceKey' | 'body'>
}

/** So much is taken of one complaint in a day. */
const mostInADay = 50

/**
 * Adds words and files; one that was resolved or closed lately is opened again by them. What is with the lender goes on to it.
 * Refused as `wrong-state` when it is over for too long, or too much came in a day.
 */
export async function addWords(
  ctx: ActContext,
  held: LockedComplaint,
  { text, attachments, source }: BorrowerMessage,
): Promise<Complaint> {
  const { at, tx, config } = ctx
  const { complaint, journey } = held
  if (!isPending(complaint) && !mayReopen(complaint, config, at))
    throw new Refusal('wrong-state', `the complaint is ${complaint.status}; open a new one`, {
      status: complaint.status,
    })
  if ((await countMessages(tx, complaint, new Date(at.getTime() - 86_400_000))) >= mostInADay)
    throw new Refusal('wrong-state', 'much was added to this complaint today; it is being read')
  const isNew = await addEntry(ctx, complaint, {
    ...{ author: 'BORROWER', kind: 'WORDS', shown: true, attachments, ...source },
    body: { ...source?.body, text },
  })
  if (!isNew) return complaint
  const forwarded = await forward(ctx, held, { text, attachments })
  if (forwarded) await addEntry(ctx, complaint, forwarded)
  if (!isPending(complaint)) return reopenComplaint(ctx, { complaint, journey }, { by: 'BORROWER', personId: null })
  return keep(ctx, { ...moved(complaint, 'answered'), repliedAt: at })
}

/** To the lender that has it: over the network where it has asked, by mail otherwise. Gives what is to be entered of it. */
async function forward(
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
  const mail = route === 'LENDER_MAIL' ? await mailLender(ctx, complaint, { words: text, attachments }) : null
  return mail && { author: 'SYSTEM', kind: 'FORWARD', mail, attachments, body: { text, to: mail.to } }
}

/**
 * The borrower says whether the resolution settles it. If it does, the complaint is closed; if not, it is opened again, goes to
 * the nodal officer, and the borrower is told of the ombudsman. Refused as `wrong-state` when nothing was resolved.
 */
export async function judgeResolution(
  ctx: ActContext,
  held: LockedComplaint,
  isSatisfied: boolean,
): Promise<Complaint> {
  const { complaint } = held
  if (complaint.status !== 'RESOLVED')
    throw new Refusal('wrong-state', `the complaint is ${complaint.status}`, { status: complaint.status })
  if (isSatisfied) {
    await rateGrievance(ctx, held)
    await addEvent(ctx, complaint, 'CLOSED', { shown: true, values: { by: 'BORROWER' } })
    return keep(ctx, { ...moved(complaint, 'closed'), closedAt: ctx.at, satisfied: true, repliedAt: null })
  }
  const open = await reopenComplaint(ctx, held, { by: 'BORROWER', personId: null })
  const unsatisfied = { ...open, satisfied: false }
  const taken =
    open.escalatedAt === null
      ? await escalate(ctx, { ...held, complaint: unsatisfied }, { because: 'NOT_SATISFIED', personId: null })
      : await keep(ctx, unsatisfied)
  return tellOfOmbudsman(ctx, taken)
}

async function rateGrievance(ctx: ActContext, { complaint, journey }: LockedComplaint): Promise<void> {
  const { grievanceId } = complaint
  const grievance = journey && grievanceId ? await findGrievance(ctx.tx, ctx.seal, journey, grievanceId) : undefined
  if (journey && grievance && grievance.status === 'RESOLVED')
    await closeGrievance(ctx, journey, { grievanceId: grievance.grievanceId, ratingCode: 'THUMBS-UP' })
}

/** The borrower does not go on with it. Refused as `wrong-state` when it is over. */
export async function withdrawComplaint(ctx: ActContext, held: LockedComplaint): Promise<Complaint> {
  const { complaint, journey } = held
  const { at } = ctx
  if (!isPending(complaint))
    throw new Refusal('wrong-state', `the complaint is ${complaint.status}`, { status: complaint.status })
  const { grievanceId } = complaint
  const grievance = journey && grievanceId ? await findGrievance(ctx.tx, ctx.seal, journey, grievanceId) : undefined
  if (journey && grievance && isOpen(grievance) && grievance.status !== 'RESOLVED')
    await closeGrievance(ctx, journey, { grievanceId: grievance.grievanceId, ratingCode: null })
  await addEvent(ctx, complaint, 'CLOSED', { shown: true, values: { by: 'BORROWER' } })
  return keep(ctx, {
    ...moved(complaint, 'closed'),
    closedAt: at,
    resolvedAt: at,
    outcome: 'WITHDRAWN',
    repliedAt: null,
  })
}
