// Deadlines of complaints: reminders, escalation, the notice about the ombudsman, automatic closes, unpaid exits.
import type { Tx } from '#kit/db/sql.ts'
import { enqueue, finish, type Job, type Worker, work } from '#kit/messaging/queue.ts'
import { plusDays, startOf } from '#kit/money/calendar.ts'
import { daysAfter, secondsAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { type Complaint, type ComplaintDeadline, dueTimes, isPending } from './complaint.ts'
import type { ActContext, ComplaintContext } from './complaint-context.ts'
import { escalate } from './escalate.ts'
import { exitNoticeFor } from './exit-payment.ts'
import { mailStaff, mailStandardText } from './post.ts'
import { addEvent, afterTransition, lockComplaintWithJourney, saveComplaint } from './thread.ts'

const kind = 'complaint-clock'

interface DeadlineJob {
  complaintId: string
  due: ComplaintDeadline | 'CLOSE' | 'UNPAID'
  /** The start of the deadline. A reopened complaint has a new start, so the job is ignored. */
  since: string
}

export async function scheduleDeadlines(tx: Tx, complaint: Complaint): Promise<void> {
  for (const [due, dueAt] of dueTimes(complaint))
    await scheduleDeadline(tx, complaint, { due, since: complaint.sinceAt, dueAt })
}

export const scheduleClose = (
  tx: Tx,
  complaint: Complaint & { resolvedAt: Date },
  { COMPLAINT_CLOSE_DAYS: days }: Pick<ComplaintContext['config'], 'COMPLAINT_CLOSE_DAYS'>,
): Promise<void> =>
  scheduleDeadline(tx, complaint, {
    due: 'CLOSE',
    since: complaint.resolvedAt,
    dueAt: daysAfter(complaint.resolvedAt, days),
  })

/** Transfers of the last day are reported until noon of the next one. */
const hoursToReport = 12

/** Schedules the end of a request to cancel a loan for the day after its last day for the payment. */
export async function scheduleUnpaid(ctx: ActContext, complaint: Complaint, journey: Journey | null): Promise<void> {
  const notice = await exitNoticeFor(ctx, complaint, journey)
  if (!notice) return
  const dueAt = secondsAfter(startOf(plusDays(notice.payBy, 1)), hoursToReport * 3600)
  await scheduleDeadline(ctx.tx, complaint, { due: 'UNPAID', since: complaint.sinceAt, dueAt })
}

const scheduleDeadline = (
  tx: Tx,
  { tenantId, complaintId }: Complaint,
  { due, since, dueAt }: { due: DeadlineJob['due']; since: Date; dueAt: Date },
): Promise<void> =>
  enqueue(tx, {
    ...{ tenantId, kind, dueAt },
    key: `${complaintId}:${due}:${since.toISOString()}`,
    payload: { complaintId, due, since: since.toISOString() } satisfies DeadlineJob,
  })

export const complaintClock = (ctx: Context): Worker =>
  work<DeadlineJob>({
    kind,
    ...ctx,
    handle: (job) => ctx.db.tx((tx) => handleDeadline({ ...ctx, tx, at: ctx.clock() }, job)),
  })

async function handleDeadline(ctx: ActContext, job: Job<DeadlineJob>): Promise<void> {
  const { complaintId, due, since } = job.payload
  await finish(ctx.tx, job)
  const locked = await lockComplaintWithJourney(ctx, { tenantId: job.tenantId, complaintId })
  if (!locked) return
  const { complaint, journey } = locked
  if (due === 'CLOSE') {
    if (complaint.status === 'RESOLVED' && complaint.resolvedAt?.toISOString() === since)
      await closeWithoutResponse(ctx, complaint)
    return
  }
  if (!isPending(complaint) || complaint.sinceAt.toISOString() !== since) return
  if (due === 'UNPAID') return closeUnpaid(ctx, complaint, journey)
  if (due === 'FIRST_ANSWER') {
    if (complaint.firstAnsweredAt === null) await remind(ctx, complaint, 'FIRST_ANSWER')
  } else if (due === 'REMINDER') {
    // For an overdue resolution, the RESOLUTION deadline sends the mail.
    if (ctx.at < complaint.resolutionDueAt) await remind(ctx, complaint, 'REMINDER')
  } else if (due === 'RESOLUTION') {
    if (complaint.escalatedAt === null) await escalate(ctx, { complaint, journey }, { because: 'TIME', personId: null })
    await remind(ctx, complaint, 'RESOLUTION', false)
  } else await informOfOmbudsman(ctx, complaint)
}

async function remind(
  ctx: ActContext,
  complaint: Complaint,
  due: 'FIRST_ANSWER' | 'REMINDER' | 'RESOLUTION',
  isRecorded = true,
) {
  const dueAt = due === 'FIRST_ANSWER' ? complaint.firstAnswerDueAt : complaint.resolutionDueAt
  const mail = await mailStaff(ctx, complaint, due, dueAt)
  if (isRecorded)
    await addEvent(ctx, complaint, due === 'FIRST_ANSWER' ? 'FIRST_ANSWER_LATE' : 'RESOLUTION_DUE_SOON', { mail })
}

/** Informs the borrower of the regulator's ombudsman, once. */
export async function informOfOmbudsman(ctx: ActContext, complaint: Complaint): Promise<Complaint> {
  if (complaint.ombudsmanAt !== null) return complaint
  const mail = await mailStandardText(ctx, complaint, complaint.lenderId === null ? 'ombudsmanPlatform' : 'ombudsman')
  await addEvent(ctx, complaint, 'OMBUDSMAN', { shown: true, mail })
  if (isPending(complaint)) await mailStaff(ctx, complaint, 'LIMIT', complaint.limitAt)
  return saveComplaint(ctx, { ...complaint, ombudsmanAt: ctx.at })
}

/** Closes an unpaid request, as if the borrower had withdrawn it. */
async function closeUnpaid(ctx: ActContext, complaint: Complaint, journey: Journey | null): Promise<void> {
  const notice = journey?.closedAt ? null : await exitNoticeFor(ctx, complaint, journey)
  if (notice?.text !== 'acknowledgedExit') return
  const { at } = ctx
  const end = { closedAt: at, resolvedAt: at, outcome: 'WITHDRAWN', repliedAt: null } as const
  const closed: Complaint = { ...afterTransition(complaint, 'closed'), ...end }
  const mail = await mailStandardText(ctx, closed, 'unpaid', notice.values)
  await addEvent(ctx, complaint, 'CLOSED', { shown: true, values: { by: 'UNPAID' }, mail })
  await saveComplaint(ctx, closed)
}

async function closeWithoutResponse(ctx: ActContext, complaint: Complaint): Promise<void> {
  const closed = { ...afterTransition(complaint, 'closed'), closedAt: ctx.at }
  await addEvent(ctx, complaint, 'CLOSED', {
    shown: true,
    values: { by: 'TIME' },
    mail: await mailStandardText(ctx, closed, 'closed'),
  })
  await saveComplaint(ctx, closed)
}
