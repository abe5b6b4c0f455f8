// Console acts on complaints; each in one transaction with its audit entry.

import {
  AnswerRequest,
  AssignRequest,
  CategoryRequest,
  CloseRequest,
  ComplaintDetail,
  ComplaintParams,
  ForwardRequest,
  MatchRequest,
  MergeRequest,
  NoteRequest,
  VersionRequest,
} from '#contract/console/complaints.ts'
import { OfTenant } from '#contract/console/staff.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import type { Static, TSchema } from '#kit/http/schema.ts'
import type { Auth } from '#kit/http/server.ts'
import { tenantIn } from '#kit/staff/person.ts'
import {
  answerComplaint,
  assignComplaint,
  categorizeComplaint,
  closeComplaint,
  forwardComplaint,
  markSeen,
  noteComplaint,
  reopenComplaint,
} from '#platform/complaint/act.ts'
import { type Complaint, numberIn } from '#platform/complaint/complaint.ts'
import type { ActContext } from '#platform/complaint/complaint-context.ts'
import { escalate as escalateComplaint } from '#platform/complaint/escalate.ts'
import { checkFiles, keepFiles } from '#platform/complaint/file.ts'
import { matchComplaint, mergeComplaint } from '#platform/complaint/merge.ts'
import { findKeyByNumber, lockComplaint } from '#platform/complaint/store.ts'
import { checkVersion, type LockedComplaint, requireLockedComplaint } from '#platform/complaint/thread.ts'
import { findPlace } from '#platform/console/journeys/journeys-store.ts'
import { common, prefix } from '#platform/console/route.ts'
import { type ConsolePerson, type Context, route } from '#platform/context.ts'
import { lockJourney } from '#platform/journey/store.ts'
import { noteStaffAct } from '#platform/staff/audit.ts'
import { ofPlatform } from '#platform/staff/session.ts'
import { complaintPlace, readers } from './complaint-place.ts'
import { detailOf } from './complaint-view.ts'

const path = `${prefix}/complaints`
const officers = ofPlatform('operator', 'grievance-officer', 'admin')

interface ActCall<Body> {
  who: ConsolePerson
  body: Body
  held: LockedComplaint
  at: Date
}

interface ActOptions<B extends TSchema> {
  part: string
  summary: string
  /** The act's name in the audit log. */
  act: string
  body: B
  auth?: Auth<Context, ConsolePerson>
  run(ctx: ActContext, call: ActCall<Static<B>>): Promise<Complaint | undefined>
  detail?(body: Static<B>): Record<string, string | number | boolean>
}

/** An act on a complaint; rejects an outdated version and returns the current state. */
const acting = <B extends TSchema>({ part, summary, act, body, auth = officers, run, detail }: ActOptions<B>) =>
  route({
    ...common,
    ...{ method: 'POST', path: `${path}/{complaintId}/${part}`, summary, auth, body },
    params: ComplaintParams,
    query: OfTenant,
    reply: { 200: ComplaintDetail },
    async handle(call, ctx): Promise<ComplaintDetail> {
      const { who, at } = call
      const place = await complaintPlace(ctx, call)
      const after = await ctx.db.tx(async (tx) => {
        const acting = { ...ctx, tx, at }
        const held = await requireLockedComplaint(acting, place)
        const seen: { version?: number } = call.body ?? {}
        if (seen.version !== undefined) checkVersion(held.complaint, seen.version)
        const changed = (await run(acting, { who, body: call.body, held, at })) ?? held.complaint
        const { complaintId, tenantId } = changed
        await noteStaffAct({ tx, at }, who, {
          ...{ act, subject: complaintId, tenantId: tenantIn(tenantId) },
          detail: detail?.(call.body) ?? {},
        })
        return { tenantId, complaintId }
      })
      return detailOf(ctx, who, after, at)
    },
  })

/** Files are examined before the transaction begins. */
const answerRoute = route({
  ...common,
  ...{
    method: 'POST',
    path: `${path}/{complaintId}/answer`,
    auth: officers,
    summary: 'Answer the borrower, by mail and on the page',
  },
  params: ComplaintParams,
  query: OfTenant,
  body: AnswerRequest,
  maxBytes: 40 << 20,
  reply: { 200: ComplaintDetail },
  async handle(call, ctx): Promise<ComplaintDetail> {
    const { who, body, at } = call
    const place = await complaintPlace(ctx, call)
    const files = await checkFiles(ctx, body.files)
    await ctx.db.tx(async (tx) => {
      const acting = { ...ctx, tx, at }
      const held = await requireLockedComplaint(acting, place)
      checkVersion(held.complaint, body.version)
      const attachments = await keepFiles(acting, place.tenantId, files)
      const { kind, text, outcome = null } = body
      await answerComplaint(acting, held, { kind, text, outcome, attachments, personId: who.personId })
      await noteStaffAct({ tx, at }, who, {
        ...{ act: 'COMPLAINT_ANSWERED', subject: place.complaintId, tenantId: tenantIn(place.tenantId) },
        detail: { kind, ...(outcome && { outcome }), files: files.length },
      })
    })
    return detailOf(ctx, who, place, at)
  },
})

const note = acting({
  ...{
    part: 'note',
    summary: 'Add a note that only colleagues see',
    act: 'COMPLAINT_NOTED',
    body: NoteRequest,
    auth: readers,
  },
  async run(ctx, { who, body, held }) {
    if (who.tenantId === null && who.role === 'viewer')
      throw new Refusal('forbidden', 'requires the role operator, grievance-officer or admin; yours is viewer')
    const author = who.tenantId === null ? 'OFFICER' : 'TENANT'
    await noteComplaint(ctx, held.complaint, { text: body.text, personId: who.personId, author })
    return undefined
  },
})

const assign = acting({
  ...{ part: 'assign', summary: 'Assign a complaint', act: 'COMPLAINT_ASSIGNED', body: AssignRequest },
  run: (ctx, { who, body, held }) =>
    assignComplaint(ctx, held, { assigneeId: body.assigneeId, personId: who.personId }),
  detail: ({ assigneeId }) => ({ assigneeId: assigneeId ?? '' }),
})

const categorize = acting({
  ...{ part: 'category', summary: 'Change the category', act: 'COMPLAINT_CATEGORIZED', body: CategoryRequest },
  run: (ctx, { who, body, held }) =>
    categorizeComplaint(ctx, held, { category: body.category, personId: who.personId }),
  detail: ({ category }) => ({ category }),
})

const forward = acting({
  ...{ part: 'forward', summary: 'Forward to lender', act: 'COMPLAINT_FORWARDED', body: ForwardRequest },
  run: (ctx, { body, held }) => forwardComplaint(ctx, held, { text: body.text }),
})

const close = acting({
  ...{ part: 'close', summary: 'Close a complaint', act: 'COMPLAINT_CLOSED', body: CloseRequest },
  run: (ctx, { who, body, held }) =>
    closeComplaint(ctx, held, { outcome: body.outcome ?? null, personId: who.personId }),
  detail: ({ outcome }) => ({ outcome: outcome ?? '' }),
})

const reopen = acting({
  ...{ part: 'reopen', summary: 'Reopen a complaint', act: 'COMPLAINT_REOPENED', body: VersionRequest },
  run: (ctx, { who, held }) => reopenComplaint(ctx, held, { by: 'OFFICER', personId: who.personId }),
})

const escalate = acting({
  ...{ part: 'escalate', summary: 'Escalate to the nodal officer', act: 'COMPLAINT_ESCALATED', body: VersionRequest },
  run: (ctx, { who, held }) => escalateComplaint(ctx, held, { because: 'OFFICER', personId: who.personId }),
})

/** Takes the version, so that later messages stay unread. */
const seen = acting({
  ...{ part: 'seen', summary: 'Mark the last message as read', act: 'COMPLAINT_SEEN', body: VersionRequest },
  run: (ctx, { held }) => markSeen(ctx, held.complaint),
})

const merge = acting({
  ...{ part: 'merge', summary: 'Merge into another complaint', act: 'COMPLAINT_MERGED', body: MergeRequest },
  async run(ctx, { who, body, held }) {
    const number = numberIn(body.into)
    const place = number && (await findKeyByNumber(ctx.tx, number, held.complaint.tenantId))
    const into = place && (await lockComplaint(ctx.tx, ctx.seal, place))
    if (!into) throw invalid({ path: 'into', message: 'is not a complaint of this tenant' })
    return mergeComplaint(ctx, held, { into, personId: who.personId })
  },
  detail: ({ into }) => ({ into: numberIn(into) ?? '' }),
})

const match = acting({
  ...{ part: 'match', summary: "Match to a borrower's journey", act: 'COMPLAINT_MATCHED', body: MatchRequest },
  async run(ctx, { who, body, held }) {
    const place = await findPlace(ctx.tx, body.journeyId, null)
    const journey = place && (await lockJourney(ctx.tx, place.tenantId, place.journeyId))
    if (!journey) throw invalid({ path: 'journeyId', message: 'is not an existing journey' })
    return matchComplaint(ctx, held, { journey, personId: who.personId })
  },
  detail: ({ journeyId }) => ({ journeyId }),
})

export const complaintActRoutes = [
  answerRoute,
  note,
  assign,
  categorize,
  forward,
  close,
  reopen,
  escalate,
  merge,
  match,
  seen,
]
