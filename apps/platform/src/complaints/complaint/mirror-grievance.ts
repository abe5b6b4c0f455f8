// Mirrors a network grievance in its complaint: the lender's answers become entries and change the status.

import { next } from '@lendloom/foundation/machine'
import { finish, type Job, type Worker, work } from '@lendloom/queue/queue'
import type { Grievance } from '#platform/complaints/grievance/grievance.ts'
import { type HistoryLine, historyOf } from '#platform/complaints/grievance/grievance-history.ts'
import { type GrievanceChange, grievanceChangedKind } from '#platform/complaints/grievance/send-issue.ts'
import { findGrievance } from '#platform/complaints/grievance/store.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { type Complaint, type ComplaintTransition, complaintMachine } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { scheduleClose } from './deadline-jobs.ts'
import { listEntries } from './entry/store.ts'
import { openComplaint } from './open-complaint.ts'
import { mailBorrower, placeholderValuesOf } from './send-mails.ts'
import { networkText } from './send-to-lender.ts'
import { findByGrievance, lockComplaint } from './store.ts'
import { borrowerText } from './text.ts'
import { addEntry, addEvent, saveComplaint } from './thread.ts'

export const grievanceMirrorWorker = (ctx: Context): Worker =>
  work<GrievanceChange>({
    kind: grievanceChangedKind,
    ...ctx,
    handle: (job) => ctx.db.tx((tx) => mirrorGrievance({ ...ctx, tx, at: ctx.clock() }, job)),
  })

async function mirrorGrievance(ctx: ActContext, job: Job<GrievanceChange>): Promise<void> {
  const { journeyId, grievanceId } = job.payload
  const journey = await lockJourney(ctx.tx, job.tenantId, journeyId)
  await finish(ctx.tx, job)
  const grievance = journey && (await findGrievance(ctx.tx, ctx.seal, journey, grievanceId))
  if (!journey || !grievance) return
  const key = await findByGrievance(ctx.tx, grievance)
  const complaint = key ? await lockComplaint(ctx.tx, ctx.seal, key) : await openForGrievance(ctx, journey, grievance)
  if (complaint) await applyGrievance(ctx, complaint, grievance)
}

/** Opens a complaint for a grievance that was raised without a complaint, for example by an old page. */
const openForGrievance = (
  ctx: ActContext,
  journey: Journey,
  { topic, detail, grievanceId }: Grievance,
): Promise<Complaint> =>
  openComplaint(ctx, {
    tenantId: journey.tenantId,
    origin: 'PAGE',
    category: topic,
    text: detail.text,
    language: 'en',
    attachments: [],
    journey,
    grievanceId,
  })

async function applyGrievance(ctx: ActContext, complaint: Complaint, grievance: Grievance): Promise<void> {
  for (const line of historyOf(grievance)) await recordLine(ctx, complaint, grievance, line)
  if (complaint.mirroredStatus === grievance.status) return
  const { at } = ctx
  const transition = transitions[grievance.status]
  const status = (transition && next(complaintMachine, complaint.status, transition)) ?? complaint.status
  const isResolved = status === 'RESOLVED' && complaint.status !== 'RESOLVED'
  const isClosed = status === 'CLOSED' && complaint.status !== 'CLOSED'
  if (grievance.status === 'REFUSED') await addEvent(ctx, complaint, 'LENDER_REFUSED', { shown: true })
  const updated: Complaint = {
    ...complaint,
    status,
    mirroredStatus: grievance.status,
    ...(grievance.status === 'REFUSED' && { route: 'PLATFORM' }),
    ...(grievance.detail.theirs.length > 0 && { firstAnsweredAt: complaint.firstAnsweredAt ?? at }),
    ...(isResolved && {
      resolvedAt: at,
      outcome: grievance.resolutionAction === 'NO-ACTION' ? 'NOT_UPHELD' : 'UPHELD',
    }),
    ...(grievance.issueType === 'GRIEVANCE' && {
      escalatedAt: complaint.escalatedAt ?? at,
      escalatedBecause: complaint.escalatedBecause ?? 'NOT_SATISFIED',
    }),
    ...(isClosed && {
      closedAt: at,
      resolvedAt: complaint.resolvedAt ?? at,
      outcome: complaint.outcome ?? 'WITHDRAWN',
      satisfied: grievance.rating === null ? null : grievance.rating === 'THUMBS-UP',
    }),
  }
  if (isClosed) await addEvent(ctx, complaint, 'CLOSED', { shown: true, values: { by: 'BORROWER' } })
  if (updated.resolvedAt && isResolved)
    await scheduleClose(ctx.tx, { ...updated, resolvedAt: updated.resolvedAt }, ctx.config)
  await saveComplaint(ctx, updated)
}

/** The complaint's transition for each status of a grievance. An impossible transition is skipped. */
const transitions: Partial<Record<Grievance['status'], ComplaintTransition>> = {
  PROCESSING: 'taken',
  NEEDS_INFO: 'questioned',
  RESOLVED: 'resolved',
  ESCALATED: 'taken',
  REFUSED: 'taken',
  CLOSED: 'closed',
}

/** Records a line of the grievance's history; skips messages of the borrower that are already in the thread. */
async function recordLine(
  ctx: ActContext,
  complaint: Complaint,
  grievance: Grievance,
  line: HistoryLine,
): Promise<void> {
  const { at: writtenAt, by, action, text, person } = line
  const from = person === null ? {} : { fromName: person }
  const entry = { sourceKey: `${action}:${writtenAt}`, shown: true, at: new Date(writtenAt) }
  if (by === 'borrower') {
    if (action === 'ADDED' && text !== null && !(await isInThread(ctx, complaint, text)))
      await addEntry(ctx, complaint, { ...entry, author: 'BORROWER', kind: 'WORDS', body: { text } })
    return
  }
  if (action !== 'NEED-MORE-INFO' && action !== 'RESOLVED') {
    await addEvent(ctx, complaint, 'LENDER_WORKS', { ...entry, body: { text: text ?? '', ...from } })
    return
  }
  const kind = action === 'RESOLVED' ? 'RESOLUTION' : 'QUESTION'
  const answer = kind === 'QUESTION' ? (text ?? '') : resolutionText(grievance, text)
  const isNew = await addEntry(ctx, complaint, { ...entry, author: 'LENDER', kind, body: { text: answer, ...from } })
  if (isNew) await mailLenderAnswer(ctx, complaint, answer)
}

const resolutionText = ({ detail: { resolution } }: Grievance, text: string | null): string =>
  [...new Set([text, resolution?.text, resolution?.detail])].filter(Boolean).join('\n\n')

async function mailLenderAnswer(ctx: ActContext, complaint: Complaint, answer: string): Promise<void> {
  const { lender = '' } = await placeholderValuesOf(ctx.tx, ctx, complaint)
  const introduction = borrowerText(complaint, 'lenderAnswers', { lender })
  await mailBorrower(ctx, complaint, { text: `${introduction}\n\n${answer}` })
}

/** Whether a text of the borrower came to the network from this complaint. */
const isInThread = async (ctx: ActContext, complaint: Complaint, text: string): Promise<boolean> =>
  (await listEntries(ctx.tx, ctx.seal, complaint)).some(
    ({ author, body }) => author === 'BORROWER' && networkText(body.text, complaint.number) === text,
  )
