// Closes the borrower's requests to cancel a loan in its cooling-off period once the loan is cancelled (D3 §1).

import { finish, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { closeGrievance } from '#platform/complaints/grievance/borrower-acts.ts'
import { isOpen } from '#platform/complaints/grievance/grievance.ts'
import { findGrievance } from '#platform/complaints/grievance/store.ts'
import type { Context } from '#platform/context.ts'
import { loanSnapshotOf } from '#platform/lenders/partner/status-snapshot.ts'
import { postedIn } from '#platform/lenders/partner/transfers.ts'
import { listConsents } from '#platform/lending/borrower/store.ts'
import { type ClosedLoan, loanClosedKind } from '#platform/lending/journey/closed-loan.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { isCancelledLoan, isExitOverpaid } from '#platform/lending/offer/cooling-off-exit.ts'
import { findSelected } from '#platform/lending/offer/store.ts'
import type { ServicingRow } from '#platform/lending/servicing/operation.ts'
import { listServicing } from '#platform/lending/servicing/store.ts'
import { findStep } from '#platform/lending/step/store.ts'
import { type Complaint, complaintMachine, isRefusedOrWithdrawn } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { exitPaymentText } from './exit-payment.ts'
import { openComplaint } from './open-complaint.ts'
import { mailBorrower, placeholderValuesOf } from './send-mails.ts'
import { listByJourney, lockComplaint } from './store.ts'
import { borrowerText } from './text.ts'
import { addEntry, addEvent, saveComplaint } from './thread.ts'

export const loanExitWorker = (ctx: Context): Worker =>
  work<ClosedLoan>({
    kind: loanClosedKind,
    ...ctx,
    handle: (job) => ctx.db.tx((tx) => handleClosedLoan({ ...ctx, tx, at: ctx.clock() }, job)),
  })

/** After so many waits of ten seconds, the job waits an hour each time. */
const waitsOf10Seconds = 60
/** A lender that does not report the closed loan within a month is not awaited any longer. */
const maxWaits = 800

async function handleClosedLoan(ctx: ActContext, job: Job<ClosedLoan>): Promise<void> {
  const { tx, seal } = ctx
  const { journeyId, isExit = false } = job.payload
  const journey = await lockJourney(tx, job.tenantId, journeyId)
  // The lender may report the exit before its snapshot shows that the loan is closed.
  if (journey && isExit && !journey.closedAt && job.attempt < maxWaits)
    throw new RetryLater(job.attempt < waitsOf10Seconds ? 10 : 3600, 'the loan is open')
  await finish(tx, job)
  const offer = journey && (await findSelected(tx, journey))
  if (!journey?.closedAt || !offer) return
  const { updatedAt } = await findStep(tx, journey, 'disbursal')
  const paid = postedIn(await loanSnapshotOf(tx, ctx, journey))
  const { closedAt } = journey
  const isCancelled = (requestedAt: Date | null) => isCancelledLoan(offer, updatedAt, { closedAt, requestedAt, paid })
  const exits = (await listByJourney(tx, seal, journey)).filter(({ category }) => category === 'COOLING_OFF')
  const current = exits.filter((each) => !isRefusedOrWithdrawn(each) && (isExit || isCancelled(each.receivedAt)))
  // The lender may record a request that was closed before its payment was reported.
  const unpaid = exits.filter(({ outcome }) => outcome === 'WITHDRAWN').slice(0, 1)
  const requests = isExit && current.length === 0 ? unpaid : current
  const isOverpaid = isExitOverpaid(offer, updatedAt, paid)
  const isPaidHere = async () => isCancelled(null) && (await listServicing(tx, journey)).some(isExitPayment)
  if (requests.length === 0 && (isExit || (exits.every(isRefusedOrWithdrawn) && (await isPaidHere()))))
    return recordCancellation(ctx, journey, isOverpaid)
  for (const { complaintId, tenantId } of requests) {
    const request = await lockComplaint(tx, seal, { tenantId, complaintId })
    if (request && (complaintMachine[request.status].closed || request.outcome === 'WITHDRAWN'))
      await closeExitRequest(ctx, journey, request, isOverpaid)
  }
}

const isExitPayment = ({ kind, status }: ServicingRow): boolean => kind === 'FORECLOSURE' && status !== 'FAILED'

/** Records the request of a borrower who cancelled by closing the loan, so that a mail about the cancellation remains. */
async function recordCancellation(ctx: ActContext, journey: Journey, isOverpaid: boolean): Promise<void> {
  const { tenantId } = journey
  const language = (await listConsents(ctx.tx, journey))[0]?.language ?? 'en'
  const category = 'COOLING_OFF'
  const text = borrowerText({ language, category }, 'exitRequest')
  const request = await openComplaint(ctx, {
    tenantId,
    origin: 'PAGE',
    category,
    text,
    language,
    attachments: [],
    journey,
    shouldAcknowledge: false,
    shouldForward: false,
  })
  await closeExitRequest(ctx, journey, request, isOverpaid)
}

async function closeExitRequest(
  ctx: ActContext,
  journey: Journey,
  request: Complaint,
  isOverpaid: boolean,
): Promise<void> {
  const { at } = ctx
  await closeGrievanceOf(ctx, journey, request)
  const closed: Complaint = {
    ...request,
    status: 'CLOSED',
    outcome: 'UPHELD',
    closedAt: at,
    repliedAt: null,
    firstAnsweredAt: request.firstAnsweredAt ?? at,
    resolvedAt: request.resolvedAt ?? at,
  }
  const payment = await exitPaymentText(ctx, journey, request)
  const values = await placeholderValuesOf(ctx.tx, ctx, closed)
  const text = [
    borrowerText(request, 'cancelled', values),
    ...(payment === null ? [] : [borrowerText(request, 'cancelledPayment', { payment })]),
    ...(isOverpaid ? [borrowerText(request, 'cancelledRefund', values)] : []),
  ].join('\n\n')
  const mail = await mailBorrower(ctx, closed, { text, subject: 'cancelledSubject' })
  await addEntry(ctx, request, { author: 'SYSTEM', kind: 'RESOLUTION', shown: true, mail, body: { text } })
  await addEvent(ctx, request, 'CLOSED', { shown: true, values: { by: 'LOAN' } })
  await saveComplaint(ctx, closed)
}

async function closeGrievanceOf(ctx: ActContext, journey: Journey, { grievanceId }: Complaint): Promise<void> {
  const grievance = grievanceId === null ? undefined : await findGrievance(ctx.tx, ctx.seal, journey, grievanceId)
  // Only the borrower rates a resolved grievance.
  if (grievance && isOpen(grievance) && grievance.status !== 'RESOLVED')
    await closeGrievance(ctx, journey, { grievanceId: grievance.grievanceId, ratingCode: null })
}
