// The borrower's acts on a grievance on the hosted page (FIS12 §20).

import { Closed, Uuid } from '@lendloom/foundation/schema'
import {
  EmbedGrievanceClose,
  EmbedGrievanceEscalation,
  EmbedGrievanceReply,
  EmbedGrievanceRequest,
} from '@lendloom/wire/hosted/embed-grievance'
import { EmbedViewReply } from '@lendloom/wire/hosted/embed-view'
import { closeGrievance, escalateGrievance, replyToGrievance } from '#platform/complaints/grievance/borrower-acts.ts'
import { raiseGrievance } from '#platform/complaints/grievance/raise-grievance.ts'
import { route } from '#platform/context.ts'
import { embedSession } from '#platform/integrators/access/embed-session.ts'
import { runAct } from './run-act.ts'

const common = { method: 'POST', section: 'FIS12 §20', auth: embedSession, hidden: true } as const
const reply = { 200: EmbedViewReply }
const params = Closed({ grievanceID: Uuid })
/** A borrower may also complain about a repaid loan, whose journey has ended. */
const policy = { isAllowedAfterEnd: true }

const raise = route({
  ...common,
  path: '/api/embed/grievances',
  summary: 'Open a complaint about the loan at its lender',
  body: EmbedGrievanceRequest,
  reply,
  handle: ({ who, body, at }, ctx) =>
    runAct(ctx, who, { at, ...policy }, (tx, journey) => raiseGrievance({ ...ctx, tx, at }, journey, body)),
})

const answerLender = route({
  ...common,
  path: '/api/embed/grievances/{grievanceID}/reply',
  summary: "Answer the lender's question about a complaint",
  params,
  body: EmbedGrievanceReply,
  reply,
  handle: ({ who, params, body, at }, ctx) =>
    runAct(ctx, who, { at, ...policy }, (tx, journey) =>
      replyToGrievance({ ...ctx, tx, at }, journey, { grievanceId: params.grievanceID, reply: body.text }),
    ),
})

const escalate = route({
  ...common,
  path: '/api/embed/grievances/{grievanceID}/escalate',
  summary: "Escalate a complaint to the lender's grievance officer",
  params,
  body: EmbedGrievanceEscalation,
  reply,
  handle: ({ who, params, at }, ctx) =>
    runAct(ctx, who, { at, ...policy }, (tx, journey) =>
      escalateGrievance({ ...ctx, tx, at }, journey, params.grievanceID),
    ),
})

const close = route({
  ...common,
  path: '/api/embed/grievances/{grievanceID}/close',
  summary: 'Close a complaint, with a rating if the lender has resolved it',
  params,
  body: EmbedGrievanceClose,
  reply,
  handle: ({ who, params, body, at }, ctx) =>
    runAct(ctx, who, { at, ...policy }, (tx, journey) =>
      closeGrievance({ ...ctx, tx, at }, journey, { grievanceId: params.grievanceID, ratingCode: body.rating ?? null }),
    ),
})

export const grievanceRoutes = [raise, answerLender, escalate, close]
