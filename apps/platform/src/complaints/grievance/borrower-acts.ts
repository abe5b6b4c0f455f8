// Lets the borrower reply to the lender's question, escalate a grievance, and close it (FIS12 §20).

import { next } from '@lendloom/foundation/machine'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { knownCode, type Rating, ratings } from '@lendloom/wire/network/igm/codes'
import { isClosurePending } from '@lendloom/wire/network/igm/v200/schema'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { scheduleClosure, scheduleFollowUps } from './follow-up.ts'
import { type Grievance, type GrievanceTransition, grievanceMachine, isOpen, mayEscalate } from './grievance.ts'
import type { GrievanceContext } from './grievance-context.ts'
import { lenderDeadlines } from './lender-deadlines.ts'
import { validatedText } from './raise-grievance.ts'
import { sendIssue } from './send-issue.ts'
import { findGrievance, updateGrievance } from './store.ts'
import type { BorrowerAct } from './text-en.ts'

interface GrievanceReply {
  grievanceId: string
  reply: string
}

/**
 * Sends the information that the lender has requested. Throws `absent` for an unknown grievance, `invalid` for an invalid
 * text, `wrong-state` if the lender has not requested information.
 */
export async function replyToGrievance(
  ctx: GrievanceContext & Write,
  journey: Journey,
  { grievanceId, reply }: GrievanceReply,
): Promise<Grievance> {
  const { tx, at } = ctx
  const grievance = await requireOpenGrievance(tx, ctx, journey, grievanceId)
  const text = validatedText(reply)
  if (grievance.status !== 'NEEDS_INFO')
    throw new Refusal('wrong-state', 'the lender has not asked for more information', { status: grievance.status })
  const { detail } = grievance
  const additions = [...detail.additions, { at: at.toISOString(), text }]
  return sendGrievance(ctx, journey, withTransition(grievance, 'infoSent', { detail: { ...detail, additions } }))
}

/**
 * Escalates to the lender's grievance officer and restarts the deadlines. Throws `absent` for an unknown grievance, and
 * `wrong-state` if it is already escalated, or before the lender's deadline, which is in `details.from` of the error.
 */
export async function escalateGrievance(
  ctx: GrievanceContext & Write,
  journey: Journey,
  grievanceId: string,
): Promise<Grievance> {
  const { tx, at } = ctx
  const grievance = await requireOpenGrievance(tx, ctx, journey, grievanceId)
  if (grievance.issueType !== 'ISSUE') throw new Refusal('wrong-state', 'the complaint has already been escalated')
  if (!mayEscalate(grievance, at)) {
    const from = grievance.resolutionDueAt.toISOString()
    throw new Refusal('wrong-state', `the lender has time until ${from} to resolve the complaint`, { from })
  }
  const text = grievance.status === 'RESOLVED' ? 'NOT_SATISFIED' : 'NOT_IN_TIME'
  const detail = withBorrowerAct(grievance, 'ESCALATE', text, at)
  const change = { ...lenderDeadlines(ctx.config, at), issueType: 'GRIEVANCE', lateAt: null, detail } as const
  const escalated = await sendGrievance(ctx, journey, withTransition(grievance, 'escalated', change))
  await scheduleFollowUps(ctx, escalated)
  return escalated
}

interface ClosingRequest {
  grievanceId: string
  /** Null when the borrower gives no rating. */
  ratingCode: string | null
}

/**
 * Closes a grievance. The rating is required after a resolution. Throws `absent` for an unknown grievance, `invalid` for
 * a missing or invalid rating, `wrong-state` if the grievance has already ended.
 */
export async function closeGrievance(
  ctx: GrievanceContext & Write,
  journey: Journey,
  { grievanceId, ratingCode }: ClosingRequest,
): Promise<Grievance> {
  const { tx, at } = ctx
  const grievance = await requireOpenGrievance(tx, ctx, journey, grievanceId)
  const rating: Rating | null = ratingCode === null ? null : knownCode(ratings, ratingCode)
  if (rating === null && (ratingCode !== null || grievance.status === 'RESOLVED'))
    throw invalid({ path: 'rating', message: `must be one of ${ratings.join(', ')}` })
  const detail = withBorrowerAct(grievance, 'CLOSE', rating === null ? 'WITHDRAWN' : 'CLOSED', at)
  const closed = await sendGrievance(ctx, journey, withTransition(grievance, 'closed', { rating, detail }))
  if (isClosurePending(closed.detail.trail)) await scheduleClosure(ctx, closed)
  return closed
}

async function requireOpenGrievance(
  tx: Tx,
  { seal }: GrievanceContext,
  journey: Journey,
  grievanceId: string,
): Promise<Grievance> {
  const grievance = await findGrievance(tx, seal, journey, grievanceId)
  if (!grievance) throw new Refusal('absent', 'the complaint does not exist')
  if (!isOpen(grievance))
    throw new Refusal('wrong-state', `the complaint is ${grievance.status}`, { status: grievance.status })
  return grievance
}

const withBorrowerAct = (
  { detail }: Grievance,
  action: 'ESCALATE' | 'CLOSE',
  text: BorrowerAct,
  at: Date,
): Grievance['detail'] => ({
  ...detail,
  ours: [...detail.ours, { action, at: at.toISOString(), text }],
})

function withTransition(grievance: Grievance, transition: GrievanceTransition, change: Partial<Grievance>): Grievance {
  const status = next(grievanceMachine, grievance.status, transition)
  if (!status) throw new Refusal('wrong-state', `the complaint is ${grievance.status}`, { status: grievance.status })
  return { ...grievance, ...change, status }
}

async function sendGrievance(
  ctx: GrievanceContext & Write,
  journey: Journey,
  grievance: Grievance,
): Promise<Grievance> {
  const { tx, at } = ctx
  const updated = { ...(await sendIssue(ctx, grievance)), refusedCode: null, updatedAt: at }
  await updateGrievance(tx, ctx.seal, updated)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  return updated
}
