// The borrower's acts on a grievance: adding information, escalating, closing (FIS12 §20).
import { knownCode, type Rating, ratings } from '#contract/network/igm/schema.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Write } from '#kit/db/write.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { next } from '#kit/runtime/machine.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { scheduleFollowUps } from './follow-up.ts'
import { type Grievance, type GrievanceMove, grievanceMachine, isOpen, mayEscalate } from './grievance.ts'
import type { GrievanceContext } from './grievance-context.ts'
import { checkedText, dueFrom } from './raise.ts'
import { sendIssue } from './send-issue.ts'
import { findGrievance, keepGrievance } from './store.ts'
import type { OwnAct } from './text-en.ts'

interface GrievanceReply {
  grievanceId: string
  reply: string
}

/** Adds the information that the lender asked for. Refused: `absent` · `invalid` the text · `wrong-state` the lender asks for nothing. */
export async function replyToGrievance(
  ctx: GrievanceContext & Write,
  journey: Journey,
  { grievanceId, reply }: GrievanceReply,
): Promise<Grievance> {
  const { tx, at } = ctx
  const grievance = await openGrievance(tx, ctx, journey, grievanceId)
  const text = checkedText(reply)
  if (grievance.status !== 'NEEDS_INFO')
    throw new Refusal('wrong-state', 'the lender has not asked for more information', { status: grievance.status })
  const { detail } = grievance
  const additions = [...detail.additions, { at: at.toISOString(), text }]
  return sendGrievance(ctx, journey, moved(grievance, 'added', { detail: { ...detail, additions } }))
}

/**
 * Escalates to the lender's grievance officer and restarts the deadlines. Refused: `absent` · `wrong-state` the lender
 * still has time, with its end in `details.from`, or it was escalated before.
 */
export async function escalateGrievance(
  ctx: GrievanceContext & Write,
  journey: Journey,
  grievanceId: string,
): Promise<Grievance> {
  const { tx, at } = ctx
  const grievance = await openGrievance(tx, ctx, journey, grievanceId)
  if (grievance.issueType !== 'ISSUE') throw new Refusal('wrong-state', 'the complaint was escalated already')
  if (!mayEscalate(grievance, at)) {
    const from = grievance.resolutionDueAt.toISOString()
    throw new Refusal('wrong-state', `the lender has time until ${from} to resolve the complaint`, { from })
  }
  const text = grievance.status === 'RESOLVED' ? 'NOT_SATISFIED' : 'NOT_IN_TIME'
  const detail = withOwn(grievance, 'ESCALATE', text, at)
  const change = { ...dueFrom(ctx.config, at), issueType: 'GRIEVANCE', lateAt: null, detail } as const
  const escalated = await sendGrievance(ctx, journey, moved(grievance, 'escalated', change))
  await scheduleFollowUps(tx, escalated)
  return escalated
}

interface ClosingRequest {
  grievanceId: string
  /** The rating; null without one. */
  ratingCode: string | null
}

/**
 * Ends it. One that the lender has resolved is rated; one that is withdrawn before that need not be. Refused: `absent` ·
 * `invalid` the rating · `wrong-state` it is closed already.
 */
export async function closeGrievance(
  ctx: GrievanceContext & Write,
  journey: Journey,
  { grievanceId, ratingCode }: ClosingRequest,
): Promise<Grievance> {
  const { tx, at } = ctx
  const grievance = await openGrievance(tx, ctx, journey, grievanceId)
  const rating: Rating | null = ratingCode === null ? null : knownCode(ratings, ratingCode)
  if (rating === null && (ratingCode !== null || grievance.status === 'RESOLVED'))
    throw invalid({ path: 'rating', message: `must be one of ${ratings.join(', ')}` })
  const detail = withOwn(grievance, 'CLOSE', rating === null ? 'WITHDRAWN' : 'CLOSED', at)
  return sendGrievance(ctx, journey, moved(grievance, 'closed', { rating, detail }))
}

async function openGrievance(
  tx: Tx,
  { seal }: GrievanceContext,
  journey: Journey,
  grievanceId: string,
): Promise<Grievance> {
  const grievance = await findGrievance(tx, seal, journey, grievanceId)
  if (!grievance) throw new Refusal('absent', 'there is no such complaint')
  if (!isOpen(grievance))
    throw new Refusal('wrong-state', `the complaint is ${grievance.status}`, { status: grievance.status })
  return grievance
}

const withOwn = ({ detail }: Grievance, action: 'ESCALATE' | 'CLOSE', text: OwnAct, at: Date): Grievance['detail'] => ({
  ...detail,
  ours: [...detail.ours, { action, at: at.toISOString(), text }],
})

/** Refused as `wrong-state` where its table has no such move. */
function moved(grievance: Grievance, move: GrievanceMove, change: Partial<Grievance>): Grievance {
  const status = next(grievanceMachine, grievance.status, move)
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
  await keepGrievance(tx, ctx.seal, updated)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  return updated
}
