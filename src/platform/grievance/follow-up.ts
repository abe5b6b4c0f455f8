// Enforces the lender's deadlines for a grievance: a late lender is asked, and the borrower may escalate (FIS12 §20).
import { isMomentary } from '#contract/network/errors.ts'
import type { Tx } from '#kit/db/sql.ts'
import { enqueue, finish, type Job, type Worker, work } from '#kit/messaging/queue.ts'
import { next } from '#kit/runtime/machine.ts'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lockJourney, updateJourney } from '#platform/journey/store.ts'
import { readRequest } from '#platform/network/archive/store.ts'
import { type RejectedRequest, rejectedKind } from '#platform/network/send.ts'
import { type Grievance, grievanceMachine, isAnswered, isOpen } from './grievance.ts'
import { askStatus, sendIssue } from './send-issue.ts'
import { findGrievance, keepGrievance, listGrievances } from './store.ts'

const kind = 'grievance-follow-up'

interface FollowUp {
  journeyId: string
  grievanceId: string
  /** Which of its times has passed. */
  due: 'RESPONSE' | 'RESOLUTION'
  /** The start of the deadlines; an escalation restarts them. */
  since: string
}

export async function scheduleFollowUps(tx: Tx, grievance: Grievance): Promise<void> {
  const { tenantId, journeyId, grievanceId, responseDueAt, resolutionDueAt } = grievance
  const since = grievance.sinceAt.toISOString()
  for (const [due, dueAt] of [['RESPONSE', responseDueAt] as const, ['RESOLUTION', resolutionDueAt] as const])
    await enqueue(tx, {
      tenantId,
      kind,
      key: `${grievanceId}:${due}:${since}`,
      payload: { journeyId, grievanceId, due, since } satisfies FollowUp,
      dueAt,
    })
}

export const grievanceWork = (ctx: Context): Worker[] => {
  const { db, clock, log } = ctx
  const common = { db, clock, log }
  return [
    work<FollowUp>({ kind, ...common, handle: (job) => db.tx((tx) => followUp(tx, ctx, job)) }),
    work<RejectedRequest>({ kind: rejectedKind, ...common, handle: (job) => db.tx((tx) => turnedAway(tx, ctx, job)) }),
  ]
}

async function followUp(tx: Tx, ctx: Context, job: Job<FollowUp>): Promise<void> {
  const { journeyId, grievanceId, due, since } = job.payload
  const at = ctx.clock()
  const journey = await lockJourney(tx, job.tenantId, journeyId)
  await finish(tx, job)
  const grievance = journey && (await findGrievance(tx, ctx.seal, journey, grievanceId))
  if (!grievance || !isOpen(grievance) || grievance.sinceAt.toISOString() !== since) return
  if (due === 'RESPONSE') {
    if (isAnswered(grievance)) return
    ctx.log.warn({ journeyId, grievanceId }, 'a lender is late with its answer to a complaint')
    return keep({ ...ctx, tx, at }, journey, await remind({ ...ctx, tx, at }, { ...grievance, lateAt: at }))
  }
  if (grievance.status === 'RESOLVED') return
  ctx.log.warn({ journeyId, grievanceId }, 'a complaint was not resolved in time')
  const offered = grievance.issueType === 'ISSUE' ? { escalationOfferedAt: at } : {}
  await keep({ ...ctx, tx, at }, journey, await remind({ ...ctx, tx, at }, { ...grievance, ...offered }))
}

/** A lender that has the complaint is asked for its state; one that never took the message is sent it again. */
async function remind(ctx: TxContext, grievance: Grievance): Promise<Grievance> {
  const { tx } = ctx
  const sent = await readRequest(tx, ctx.seal, grievance, { messageId: grievance.requestId, action: 'issue' })
  if (sent?.outcome !== 'ACK') return sendIssue(ctx, grievance)
  await askStatus(ctx, grievance)
  return grievance
}

/**
 * The lender turned a message away, so no answer follows (FIS12 §3.1). One that did not take the complaint at all is asked
 * nothing more, unless it was only busy: then it is sent again when its answer is due.
 */
async function turnedAway(tx: Tx, ctx: Context, job: Job<RejectedRequest>): Promise<void> {
  const { journeyId, messageId, code } = job.payload
  const at = ctx.clock()
  const journey = await lockJourney(tx, job.tenantId, journeyId)
  await finish(tx, job)
  const all = journey ? await listGrievances(tx, ctx.seal, journey) : []
  const grievance = all.find(({ requestId }) => requestId === messageId)
  if (journey && grievance) await refuse({ ...ctx, tx, at }, journey, { grievance, code })
}

interface GrievanceRefusal {
  grievance: Grievance
  code: string
}

/** The lender does not take our newest `issue`: by a NACK, or by an error in place of its answer (FIS12 §3.2). */
export async function refuse(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'log'>,
  journey: Journey,
  { grievance, code }: GrievanceRefusal,
): Promise<void> {
  const { journeyId, grievanceId } = grievance
  ctx.log.warn({ journeyId, grievanceId, code }, 'a lender did not take a complaint')
  if (isMomentary(code)) return
  const to = isAnswered(grievance) ? undefined : next(grievanceMachine, grievance.status, 'refused')
  await keep(ctx, journey, { ...grievance, status: to ?? grievance.status, refusedCode: code })
}

/** The page shows what has changed. */
export async function keep(
  { tx, at, seal }: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  journey: Journey,
  grievance: Grievance,
): Promise<void> {
  await keepGrievance(tx, seal, { ...grievance, updatedAt: at })
  await updateJourney(tx, journey, {}, at)
}
