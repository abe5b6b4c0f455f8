// The jobs of a complaint's deadlines: reminders, escalation, the notice about the ombudsman, the automatic close of a
// resolved complaint, and the payment of a cancellation in the cooling-off period.

import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, finish, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import type { Context } from '#platform/context.ts'
import { askStatus, storedStatus } from '#platform/lenders/partner/status-snapshot.ts'
import { findMainCase } from '#platform/lenders/partner/store.ts'
import { mayStillArrive, transfersAfter } from '#platform/lenders/partner/transfers.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { type Complaint, isPending } from './complaint.ts'
import type { ActContext, ComplaintContext } from './complaint-context.ts'
import { type ComplaintDeadline, dueTimes, exitEndsAt } from './deadlines.ts'
import { listEntries } from './entry/store.ts'
import { escalateComplaint, mailLenderAgain } from './escalate.ts'
import { exitNoticeFor } from './exit-payment.ts'
import {
  type ExitNotice,
  isPaidExit,
  mailBorrower,
  mailStaff,
  mailStandardText,
  placeholderValuesOf,
} from './send-mails.ts'
import { listByJourney } from './store.ts'
import { borrowerText } from './text.ts'
import { addEntry, addEvent, afterTransition, asWithdrawn, lockComplaintWithJourney, saveComplaint } from './thread.ts'

const kind = 'complaint-clock'

interface DeadlineJob {
  complaintId: string
  due: ComplaintDeadline | 'CLOSE' | 'UNPAID' | 'PAYMENT' | keyof typeof daysToRecord
  /** The start of the deadline. A reopened complaint has a new start, so the job is ignored. */
  since: string
}

/** Schedules the deadlines that begin with the receipt of a complaint or with its reopening. */
export async function scheduleDeadlines(tx: Tx, complaint: Complaint): Promise<void> {
  for (const [due, dueAt] of dueTimes(complaint))
    await scheduleDeadline(tx, complaint, { due, since: complaint.sinceAt, dueAt })
}

/** Schedules the close of a resolved complaint to which the borrower does not respond. */
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

/** The lender's and our officer are reminded of a paid cancellation after these days. */
const daysToRecord = { UNRECORDED: 3, STILL_UNRECORDED: 7 } as const

/** Schedules what follows a request to cancel a loan: without a payment its end, with one the lender's reminders. */
export async function scheduleExit(tx: Tx, complaint: Complaint, exit: ExitNotice): Promise<void> {
  const { sinceAt: since } = complaint
  if (isPaidExit(exit)) return scheduleReminders(tx, complaint, since)
  await scheduleDeadline(tx, complaint, { due: 'UNPAID', since, dueAt: exitEndsAt(exit.payBy) })
  await scheduleDeadline(tx, complaint, { due: 'PAYMENT', since, dueAt: secondsAfter(since, secondsToAsk) })
}

async function scheduleReminders(tx: Tx, complaint: Complaint, paidAt: Date): Promise<void> {
  for (const due of ['UNRECORDED', 'STILL_UNRECORDED'] as const)
    await scheduleDeadline(tx, complaint, {
      due,
      since: complaint.sinceAt,
      dueAt: daysAfter(paidAt, daysToRecord[due]),
    })
}

const scheduleDeadline = (
  tx: Tx,
  { tenantId, complaintId }: Complaint,
  { due, since, dueAt }: { due: DeadlineJob['due']; since: Date; dueAt: Date },
): Promise<void> =>
  enqueue(tx, {
    tenantId,
    kind,
    dueAt,
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
  if (due === 'PAYMENT') return reportPayment(ctx, complaint, journey)
  if (due === 'UNRECORDED' || due === 'STILL_UNRECORDED') return remindOfRecord(ctx, complaint, journey)
  if (due === 'FIRST_ANSWER') {
    if (complaint.firstAnsweredAt === null) await remind(ctx, complaint, 'FIRST_ANSWER')
  } else if (due === 'REMINDER') {
    // For an overdue resolution, the RESOLUTION deadline sends the mail.
    if (ctx.at < complaint.resolutionDueAt) await remind(ctx, complaint, 'REMINDER')
  } else if (due === 'RESOLUTION') {
    if (complaint.escalatedAt === null)
      await escalateComplaint(ctx, { complaint, journey }, { because: 'TIME', personId: null })
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

/**
 * Closes a request that was not paid in time, as if the borrower had withdrawn it. Leaves it to the officers if anyone
 * has written since, money may still arrive, or the borrower has made another request. Asks the lender first if its
 * snapshot is older.
 */
async function closeUnpaid(ctx: ActContext, complaint: Complaint, journey: Journey | null): Promise<void> {
  const { tx, seal, at } = ctx
  if (complaint.status !== 'ACKNOWLEDGED' || complaint.repliedAt !== null || !journey || journey.closedAt) return
  if ((await listEntries(tx, seal, complaint)).some(({ kind }) => kind === 'UNVERIFIED')) return
  const exits = (await listByJourney(tx, seal, journey)).filter(({ category }) => category === 'COOLING_OFF')
  if (exits[0]?.complaintId !== complaint.complaintId) return
  const notice = await exitNoticeFor(ctx, complaint, journey)
  const application = await findMainCase(tx, journey)
  if (!notice || !application || (notice.text !== 'acknowledgedExit' && notice.text !== 'unpaid')) return
  const snapshot = storedStatus(ctx, application)
  if (!snapshot || new Date(snapshot.snapshot_at) < startOf(plusDays(notice.payBy, 1))) {
    await askStatus(tx, application, `unpaid:${complaint.complaintId}:${at.toISOString()}`, at)
    const again = { due: 'UNPAID', since: complaint.sinceAt, dueAt: secondsAfter(at, secondsToAsk) } as const
    return scheduleDeadline(tx, complaint, again)
  }
  const late = transfersAfter(snapshot, notice.payBy)
  if (snapshot.payments.some((each) => mayStillArrive(each) && !late.includes(each))) return
  for (const each of exits.filter(isPending)) {
    const closed = asWithdrawn(each, at)
    const text = borrowerText(closed, 'unpaid', { ...(await placeholderValuesOf(tx, ctx, closed)), ...notice.values })
    const mail = each === exits[0] ? await mailBorrower(ctx, closed, { text }) : null
    await addEntry(ctx, each, { author: 'SYSTEM', kind: 'WORDS', shown: true, mail, body: { text } })
    await addEvent(ctx, each, 'CLOSED', { shown: true, values: { by: 'UNPAID' } })
    await saveComplaint(ctx, closed)
  }
}

/** How long to wait before the lender's snapshot is read again for the payment of a cancellation. */
const secondsToAsk = 600

/** The payment of the borrower's newest open request to cancel the loan; null until it has arrived. */
async function paidExitOf(ctx: ActContext, complaint: Complaint, journey: Journey): Promise<ExitNotice | null> {
  const exits = (await listByJourney(ctx.tx, ctx.seal, journey)).filter(({ category }) => category === 'COOLING_OFF')
  if (exits.find(isPending)?.complaintId !== complaint.complaintId) return null
  const exit = await exitNoticeFor(ctx, complaint, journey)
  return exit && isPaidExit(exit) ? exit : null
}

/** Mails the lender that the payment of a cancellation has arrived, once: this job looks until then. */
async function reportPayment(ctx: ActContext, complaint: Complaint, journey: Journey | null): Promise<void> {
  const { tx, at } = ctx
  if (!journey || journey.closedAt || at > complaint.resolutionDueAt) return
  const exit = await paidExitOf(ctx, complaint, journey)
  if (!exit) throw new RetryLater(secondsToAsk, 'the payment has not arrived')
  await mailLenderAgain(ctx, complaint, { exit })
  await scheduleReminders(tx, complaint, at)
}

/** Reminds the lender and our officer of a paid cancellation that the lender has neither recorded nor answered. */
async function remindOfRecord(ctx: ActContext, complaint: Complaint, journey: Journey | null): Promise<void> {
  if (!journey || journey.closedAt) return
  const exit = await paidExitOf(ctx, complaint, journey)
  if (!exit || (await isAnswered(ctx, complaint))) return
  await mailLenderAgain(ctx, complaint, { exit, subject: 'reminderSubject' })
  await mailStaff(ctx, complaint, 'UNRECORDED', complaint.resolutionDueAt)
}

/** Whether the lender or an officer has answered since the last mail to the lender. */
async function isAnswered({ tx, seal }: ActContext, complaint: Complaint): Promise<boolean> {
  const entries = await listEntries(tx, seal, complaint)
  const sentAt = entries.findLastIndex(({ kind }) => kind === 'FORWARD')
  return entries
    .slice(sentAt + 1)
    .some(({ author, kind }) => (author === 'LENDER' || author === 'OFFICER') && kind !== 'NOTE')
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
