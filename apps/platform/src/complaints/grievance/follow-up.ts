// What follows a grievance that was sent: a question for its status; when the lender misses a deadline, a reminder and the
// offer to escalate; when the lender rejects the message, a repetition or the end (FIS12 §20).

import { jsonIn } from '@lendloom/foundation/json'
import { next } from '@lendloom/foundation/machine'
import { fits } from '@lendloom/foundation/schema'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { enqueue, finish, type Job, type Worker, work } from '@lendloom/queue/queue'
import { Acknowledgement, type NetworkError } from '@lendloom/wire/network/context'
import { isTransient } from '@lendloom/wire/network/errors'
import { versionNamedIn } from '@lendloom/wire/network/igm/codec'
import { isClosurePending } from '@lendloom/wire/network/igm/v200/schema'
import type { Context, TxContext } from '#platform/context.ts'
import { readRequest } from '#platform/lenders/network/messages/store.ts'
import { type RejectedRequest, rejectedGrievanceKind } from '#platform/lenders/network/send-request.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { type Grievance, grievanceMachine, isAnswered, isOpen } from './grievance.ts'
import type { GrievanceContext } from './grievance-context.ts'
import { lenderDeadlines, statusDueAt } from './lender-deadlines.ts'
import { requestGrievanceStatus, sendIssue } from './send-issue.ts'
import { findGrievance, listGrievances, updateGrievance } from './store.ts'

const kind = 'grievance-follow-up'

interface FollowUp {
  journeyId: string
  grievanceId: string
  /** What the job is for: a question for the status, or the end of a deadline. */
  due: 'STATUS' | 'RESPONSE' | 'RESOLUTION' | 'CLOSURE'
  /** When the deadline started. An escalation restarts the deadlines and makes this job obsolete. */
  since: string
}

/** Schedules the question for the status and the checks at both deadlines of the lender. */
export async function scheduleFollowUps({ tx, config }: GrievanceContext & Write, grievance: Grievance): Promise<void> {
  await schedule(tx, grievance, 'STATUS', statusDueAt(config, grievance.sinceAt))
  await schedule(tx, grievance, 'RESPONSE', grievance.responseDueAt)
  await schedule(tx, grievance, 'RESOLUTION', grievance.resolutionDueAt)
}

/** Schedules the end of the time in which the lender may carry out the resolution that the borrower has accepted. */
export const scheduleClosure = ({ tx, at, config }: GrievanceContext & Write, grievance: Grievance): Promise<void> =>
  schedule(tx, grievance, 'CLOSURE', lenderDeadlines(config, at).responseDueAt)

function schedule(tx: Tx, grievance: Grievance, due: FollowUp['due'], dueAt: Date): Promise<void> {
  const { tenantId, journeyId, grievanceId } = grievance
  const since = grievance.sinceAt.toISOString()
  const payload = { journeyId, grievanceId, due, since } satisfies FollowUp
  return enqueue(tx, { tenantId, kind, key: `${grievanceId}:${due}:${since}`, payload, dueAt })
}

/** The workers of the deadlines and of rejected messages. */
export const grievanceWork = (ctx: Context): Worker[] => {
  const { db, clock, log } = ctx
  const common = { db, clock, log }
  return [
    work<FollowUp>({ kind, ...common, handle: (job) => db.tx((tx) => followUp(tx, ctx, job)) }),
    work<RejectedRequest>({
      kind: rejectedGrievanceKind,
      ...common,
      handle: (job) => db.tx((tx) => handleNack(tx, ctx, job)),
    }),
  ]
}

async function followUp(tx: Tx, ctx: Context, job: Job<FollowUp>): Promise<void> {
  const { journeyId, grievanceId, due, since } = job.payload
  const at = ctx.clock()
  const journey = await lockJourney(tx, job.tenantId, journeyId)
  await finish(tx, job)
  const grievance = journey && (await findGrievance(tx, ctx.seal, journey, grievanceId))
  if (journey && grievance && due === 'CLOSURE') return sendClosure({ ...ctx, tx, at }, journey, grievance)
  if (!grievance || !isOpen(grievance) || grievance.sinceAt.toISOString() !== since) return
  if (due === 'STATUS') return askHowFar({ ...ctx, tx, at }, grievance)
  if (due === 'RESPONSE') {
    if (isAnswered(grievance)) return
    ctx.log.warn({ journeyId, grievanceId }, 'the lender has not answered a grievance in time')
    return saveGrievance({ ...ctx, tx, at }, journey, await remind({ ...ctx, tx, at }, { ...grievance, lateAt: at }))
  }
  if (grievance.status === 'RESOLVED') return
  ctx.log.warn({ journeyId, grievanceId }, 'the lender has not resolved a grievance in time')
  const escalation = grievance.issueType === 'ISSUE' ? { escalationOfferedAt: at } : {}
  await saveGrievance({ ...ctx, tx, at }, journey, await remind({ ...ctx, tx, at }, { ...grievance, ...escalation }))
}

/**
 * Asks a lender once how far it is, if it has taken the complaint and told nothing but that it works on it: the published
 * flows have the question, and its answer has every action whose own message was lost. A deadline that has passed asks by
 * itself.
 */
async function askHowFar(ctx: TxContext, grievance: Grievance): Promise<void> {
  const isWorking = grievance.status === 'PROCESSING' && isAnswered(grievance)
  if (isWorking && ctx.at < grievance.resolutionDueAt) await requestGrievanceStatus(ctx, grievance)
}

/** Closes a grievance of 2.0.0 whose resolution the borrower has accepted and the lender has carried out, or is late with. */
export async function sendClosure(ctx: TxContext, journey: Journey, grievance: Grievance): Promise<void> {
  if (isClosurePending(grievance.detail.trail)) await saveGrievance(ctx, journey, await sendIssue(ctx, grievance))
}

/** Requests the grievance's status. If the lender did not acknowledge the complaint, resends the complaint instead. */
async function remind(ctx: TxContext, grievance: Grievance): Promise<Grievance> {
  const { tx } = ctx
  const sent = await readRequest(tx, ctx.seal, grievance, { messageId: grievance.requestId, action: 'issue' })
  if (sent?.outcome !== 'ACK') return sendIssue(ctx, grievance)
  await requestGrievanceStatus(ctx, grievance)
  return grievance
}

/**
 * Handles a NACK, after which the lender sends no answer (FIS12 §3.1). If the error is transient, the complaint is resent
 * at the response deadline; otherwise the grievance becomes REFUSED.
 */
async function handleNack(tx: Tx, ctx: Context, job: Job<RejectedRequest>): Promise<void> {
  const { tenantId, payload } = job
  const { journeyId, messageId, code } = payload
  const at = ctx.clock()
  const journey = await lockJourney(tx, tenantId, journeyId)
  await finish(tx, job)
  const grievances = journey ? await listGrievances(tx, ctx.seal, journey) : []
  const grievance = grievances.find(({ requestId }) => requestId === messageId)
  if (!journey || !grievance) return
  const sent = await readRequest(tx, ctx.seal, journey, { messageId, action: 'issue' })
  const answer = jsonIn(sent?.answer?.body ?? '')
  const error = fits(Acknowledgement, answer) ? answer.error : undefined
  await recordRejection({ ...ctx, tx, at }, journey, { grievance, error: { ...error, code } })
}

interface GrievanceRejection {
  grievance: Grievance
  error: NetworkError
}

/** Handles the lender's NACK of our newest `issue`, or the error in its callback (FIS12 §3.2). */
export async function recordRejection(
  ctx: TxContext,
  journey: Journey,
  { grievance, error }: GrievanceRejection,
): Promise<void> {
  const { journeyId, grievanceId, igmVersion, detail } = grievance
  const { code } = error
  ctx.log.warn({ journeyId, grievanceId, code, igmVersion }, 'the lender rejected a grievance')
  const version = versionNamedIn(error, igmVersion)
  if (version && isOpen(grievance) && detail.theirs.length === 0 && !detail.hasSwitchedVersion) {
    const switched = { ...grievance, igmVersion: version, detail: { ...detail, trail: null, hasSwitchedVersion: true } }
    return saveGrievance(ctx, journey, await sendIssue(ctx, switched))
  }
  if (isTransient(code)) return
  const nextStatus = isAnswered(grievance) ? undefined : next(grievanceMachine, grievance.status, 'refused')
  await saveGrievance(ctx, journey, { ...grievance, status: nextStatus ?? grievance.status, refusedCode: code })
}

/** Saves the grievance. Also updates the version of the journey, so that the borrower's page refreshes. */
export async function saveGrievance(
  { tx, at, seal }: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  journey: Journey,
  grievance: Grievance,
): Promise<void> {
  await updateGrievance(tx, seal, { ...grievance, updatedAt: at })
  await updateJourney(tx, journey, {}, at)
}
