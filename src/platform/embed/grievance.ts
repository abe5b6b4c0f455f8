// What a borrower does on the hosted page about a complaint, and how complaints show there (FIS12 §20).
import { EmbedViewReply } from '#contract/hosted/embed.ts'
import {
  type EmbedGrievance,
  EmbedGrievanceClose,
  EmbedGrievanceEscalation,
  EmbedGrievanceReply,
  EmbedGrievanceRequest,
  type EmbedGrievances,
} from '#contract/hosted/embed-grievance.ts'
import { uuidPattern } from '#kit/crypto/id.ts'
import { Closed, Type } from '#kit/http/schema.ts'
import { rupees } from '#kit/money/money.ts'
import { embedSession } from '#platform/access/embed-session.ts'
import { route } from '#platform/context.ts'
import { closeGrievance, escalateGrievance, replyToGrievance } from '#platform/grievance/act.ts'
import { isOpen, questionOf } from '#platform/grievance/grievance.ts'
import { raiseGrievance } from '#platform/grievance/raise.ts'
import type { GrievanceOverview } from '#platform/grievance/read.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { acted } from './act.ts'

const common = { method: 'POST', section: 'FIS12 §20', auth: embedSession, hidden: true } as const
const reply = { 200: EmbedViewReply }
const params = Closed({ grievanceID: Type.String({ pattern: uuidPattern, 'x-says': 'must be a UUID' }) })
/** A loan that is repaid can be complained of as well. */
const afterTheEnd = { afterTheEnd: true }

const raise = route({
  ...common,
  path: '/api/embed/grievances',
  summary: 'Complain about the loan to its lender',
  body: EmbedGrievanceRequest,
  reply,
  handle: ({ who, body, at }, ctx) =>
    acted(ctx, who, at, (tx, journey) => raiseGrievance(tx, ctx, journey, body, at), afterTheEnd),
})

const add = route({
  ...common,
  path: '/api/embed/grievances/{grievanceID}/reply',
  summary: 'Tell the lender what it asks about a complaint',
  params,
  body: EmbedGrievanceReply,
  reply,
  handle: ({ who, params, body, at }, ctx) =>
    acted(
      ctx,
      who,
      at,
      (tx, journey) => replyToGrievance(tx, ctx, journey, params.grievanceID, body.text, at),
      afterTheEnd,
    ),
})

const escalate = route({
  ...common,
  path: '/api/embed/grievances/{grievanceID}/escalate',
  summary: "Take a complaint to the lender's grievance officer",
  params,
  body: EmbedGrievanceEscalation,
  reply,
  handle: ({ who, params, at }, ctx) =>
    acted(ctx, who, at, (tx, journey) => escalateGrievance(tx, ctx, journey, params.grievanceID, at), afterTheEnd),
})

const close = route({
  ...common,
  path: '/api/embed/grievances/{grievanceID}/close',
  summary: 'Close a complaint, rated where the lender has resolved it',
  params,
  body: EmbedGrievanceClose,
  reply,
  handle: ({ who, params, body, at }, ctx) =>
    acted(
      ctx,
      who,
      at,
      (tx, journey) => closeGrievance(tx, ctx, journey, params.grievanceID, body.rating ?? null, at),
      afterTheEnd,
    ),
})

export const grievanceRoutes = [raise, add, escalate, close]

/** Whether there may be a loan to complain of. */
export const hasLoan = ({ status }: Pick<Journey, 'status'>): boolean =>
  status === 'LENDER_REDIRECTED' || status === 'DISBURSED'

/** The newest first; null where there is no loan yet. */
export function grievanceParts(overview: GrievanceOverview | null): EmbedGrievances | null {
  if (overview === null || overview.channel === 'not-confirmed') return null
  return { possible: overview.channel === 'network', items: overview.grievances.map(part).reverse() }
}

function part({ grievance, officer, mayEscalate }: GrievanceOverview['grievances'][number]): EmbedGrievance {
  const { detail, refundPaise } = grievance
  return {
    id: grievance.grievanceId,
    topic: grievance.topic,
    text: detail.text,
    status: grievance.status,
    escalated: grievance.issueType === 'GRIEVANCE',
    mayEscalate,
    late: grievance.lateAt !== null && (grievance.status === 'OPEN' || grievance.status === 'ESCALATED'),
    notTaken: grievance.refusedCode !== null,
    raisedAt: grievance.createdAt.toISOString(),
    dueAt: grievance.resolutionDueAt.toISOString(),
    question: questionOf(grievance),
    resolution:
      grievance.status === 'RESOLVED' || grievance.status === 'CLOSED'
        ? detail.resolution && {
            ...detail.resolution,
            action: grievance.resolutionAction,
            refund: refundPaise === null ? null : rupees(refundPaise),
          }
        : null,
    rating: grievance.rating,
    officer,
  }
}

const pollMs = 5000

/** While one is open the lender may answer, or its time may end. */
export const grievancePollMs = (overview: GrievanceOverview | null): number | null =>
  overview?.grievances.some(({ grievance }) => isOpen(grievance)) ? pollMs : null
