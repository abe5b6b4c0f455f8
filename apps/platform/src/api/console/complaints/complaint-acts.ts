// Acts on complaints in the console. Each act and its audit entry share a transaction.

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import type { Static, TSchema } from '@lendloom/foundation/schema'
import type { Auth } from '@lendloom/http/server'
import { tenantIn } from '@lendloom/identity/person'
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
} from '@lendloom/wire/console/complaints'
import { OfTenant } from '@lendloom/wire/console/staff'
import { consoleCall, consolePrefix } from '#platform/api/console/console-route.ts'
import { findJourneyKey } from '#platform/api/console/journeys/journeys-store.ts'
import type { Complaint } from '#platform/complaints/complaint/complaint.ts'
import type { ActContext } from '#platform/complaints/complaint/complaint-context.ts'
import { acceptsFiles, checkFiles, storeComplaintFiles } from '#platform/complaints/complaint/complaint-files.ts'
import { parseComplaintNumber } from '#platform/complaints/complaint/complaint-number.ts'
import { escalateComplaint } from '#platform/complaints/complaint/escalate.ts'
import { matchComplaint } from '#platform/complaints/complaint/match-complaint.ts'
import { mergeComplaint } from '#platform/complaints/complaint/merge-complaints.ts'
import {
  answerComplaint,
  assignComplaint,
  categorizeComplaint,
  closeComplaint,
  forwardComplaint,
  markSeen,
  noteComplaint,
  reopenComplaint,
} from '#platform/complaints/complaint/officer-acts.ts'
import { findKeyByNumber, lockComplaint } from '#platform/complaints/complaint/store.ts'
import { checkVersion, type LockedComplaint, requireLockedComplaint } from '#platform/complaints/complaint/thread.ts'
import { type ConsolePerson, type Context, route } from '#platform/context.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { platformStaffOnly } from '#platform/people/console-authentication.ts'
import { readers, requireComplaintKey } from './complaint-access.ts'
import { detailOf } from './complaint-view.ts'

const path = `${consolePrefix}/complaints`
const officers = platformStaffOnly('operator', 'grievance-officer', 'admin')

interface ActCall<Body> {
  who: ConsolePerson
  body: Body
  locked: LockedComplaint
  at: Date
}

interface ActOptions<B extends TSchema> {
  pathSegment: string
  summary: string
  /** The act's name in the audit log. */
  act: string
  body: B
  auth?: Auth<Context, ConsolePerson>
  run(ctx: ActContext, call: ActCall<Static<B>>): Promise<Complaint | undefined>
  detail?(body: Static<B>): Record<string, string | number | boolean>
}

/** Defines a route for an act on a complaint. It rejects an outdated version and returns the changed complaint. */
const complaintAct = <B extends TSchema>({
  pathSegment,
  summary,
  act,
  body,
  auth = officers,
  run,
  detail,
}: ActOptions<B>) =>
  route({
    ...consoleCall,
    method: 'POST',
    path: `${path}/{complaintId}/${pathSegment}`,
    summary,
    auth,
    body,
    params: ComplaintParams,
    query: OfTenant,
    reply: { 200: ComplaintDetail },
    async handle(call, ctx): Promise<ComplaintDetail> {
      const { who, at } = call
      const complaintKey = await requireComplaintKey(ctx, call)
      const changedKey = await ctx.db.tx(async (tx) => {
        const actContext = { ...ctx, tx, at }
        const locked = await requireLockedComplaint(actContext, complaintKey)
        const request: { version?: number } = call.body ?? {}
        if (request.version !== undefined) checkVersion(locked.complaint, request.version)
        const complaint = (await run(actContext, { who, body: call.body, locked, at })) ?? locked.complaint
        const { complaintId, tenantId } = complaint
        await noteStaffAct({ tx, at }, who, {
          act,
          subject: complaintId,
          tenantId: tenantIn(tenantId),
          detail: detail?.(call.body) ?? {},
        })
        return { tenantId, complaintId }
      })
      return detailOf(ctx, who, changedKey, at)
    },
  })

/** Examines the files before the transaction begins. */
const answerRoute = route({
  ...consoleCall,
  method: 'POST',
  path: `${path}/{complaintId}/answer`,
  auth: officers,
  summary: 'Answer the borrower, by mail and on the page',
  params: ComplaintParams,
  query: OfTenant,
  body: AnswerRequest,
  ...acceptsFiles,
  reply: { 200: ComplaintDetail },
  async handle(call, ctx): Promise<ComplaintDetail> {
    const { who, body, form, at } = call
    const complaintKey = await requireComplaintKey(ctx, call)
    const files = await checkFiles(ctx, form)
    await ctx.db.tx(async (tx) => {
      const actContext = { ...ctx, tx, at }
      const locked = await requireLockedComplaint(actContext, complaintKey)
      checkVersion(locked.complaint, body.version)
      const attachments = await storeComplaintFiles(actContext, complaintKey.tenantId, files)
      const { kind, text, outcome = null } = body
      await answerComplaint(actContext, locked, { kind, text, outcome, attachments, personId: who.personId })
      await noteStaffAct({ tx, at }, who, {
        act: 'COMPLAINT_ANSWERED',
        subject: complaintKey.complaintId,
        tenantId: tenantIn(complaintKey.tenantId),
        detail: { kind, ...(outcome && { outcome }), files: files.length },
      })
    })
    return detailOf(ctx, who, complaintKey, at)
  },
})

const note = complaintAct({
  pathSegment: 'note',
  summary: 'Add a note that only colleagues see',
  act: 'COMPLAINT_NOTED',
  body: NoteRequest,
  auth: readers,
  async run(ctx, { who, body, locked }) {
    if (who.tenantId === null && who.role === 'viewer')
      throw new Refusal('forbidden', 'requires the role operator, grievance-officer or admin; yours is viewer')
    const author = who.tenantId === null ? 'OFFICER' : 'TENANT'
    await noteComplaint(ctx, locked.complaint, { text: body.text, personId: who.personId, author })
    return undefined
  },
})

const assign = complaintAct({
  pathSegment: 'assign',
  summary: 'Assign a complaint',
  act: 'COMPLAINT_ASSIGNED',
  body: AssignRequest,
  run: (ctx, { who, body, locked }) =>
    assignComplaint(ctx, locked, { assigneeId: body.assigneeId, personId: who.personId }),
  detail: ({ assigneeId }) => ({ assigneeId: assigneeId ?? '' }),
})

const categorize = complaintAct({
  pathSegment: 'category',
  summary: 'Change the category',
  act: 'COMPLAINT_CATEGORIZED',
  body: CategoryRequest,
  run: (ctx, { who, body, locked }) =>
    categorizeComplaint(ctx, locked, { category: body.category, personId: who.personId }),
  detail: ({ category }) => ({ category }),
})

const forward = complaintAct({
  pathSegment: 'forward',
  summary: 'Forward to lender',
  act: 'COMPLAINT_FORWARDED',
  body: ForwardRequest,
  run: (ctx, { body, locked }) => forwardComplaint(ctx, locked, { text: body.text }),
})

const close = complaintAct({
  pathSegment: 'close',
  summary: 'Close a complaint',
  act: 'COMPLAINT_CLOSED',
  body: CloseRequest,
  run: (ctx, { who, body, locked }) =>
    closeComplaint(ctx, locked, { outcome: body.outcome ?? null, personId: who.personId }),
  detail: ({ outcome }) => ({ outcome: outcome ?? '' }),
})

const reopen = complaintAct({
  pathSegment: 'reopen',
  summary: 'Reopen a complaint',
  act: 'COMPLAINT_REOPENED',
  body: VersionRequest,
  run: (ctx, { who, locked }) => reopenComplaint(ctx, locked, { by: 'OFFICER', personId: who.personId }),
})

const escalate = complaintAct({
  pathSegment: 'escalate',
  summary: 'Escalate to the nodal officer',
  act: 'COMPLAINT_ESCALATED',
  body: VersionRequest,
  run: (ctx, { who, locked }) => escalateComplaint(ctx, locked, { because: 'OFFICER', personId: who.personId }),
})

/** Requires the version that the officer saw, so that a later message stays unread. */
const seen = complaintAct({
  pathSegment: 'seen',
  summary: 'Mark the last message as read',
  act: 'COMPLAINT_SEEN',
  body: VersionRequest,
  run: (ctx, { locked }) => markSeen(ctx, locked.complaint),
})

const merge = complaintAct({
  pathSegment: 'merge',
  summary: 'Merge into another complaint',
  act: 'COMPLAINT_MERGED',
  body: MergeRequest,
  async run(ctx, { who, body, locked }) {
    const number = parseComplaintNumber(body.into)
    const targetKey = number && (await findKeyByNumber(ctx.tx, number, locked.complaint.tenantId))
    const into = targetKey && (await lockComplaint(ctx.tx, ctx.seal, targetKey))
    if (!into) throw invalid({ path: 'into', message: 'is not a complaint of this tenant' })
    return mergeComplaint(ctx, locked, { into, personId: who.personId })
  },
  detail: ({ into }) => ({ into: parseComplaintNumber(into) ?? '' }),
})

const match = complaintAct({
  pathSegment: 'match',
  summary: "Match to a borrower's journey",
  act: 'COMPLAINT_MATCHED',
  body: MatchRequest,
  async run(ctx, { who, body, locked }) {
    const journeyKey = await findJourneyKey(ctx.tx, body.journeyId, null)
    const journey = journeyKey && (await lockJourney(ctx.tx, journeyKey.tenantId, journeyKey.journeyId))
    if (!journey) throw invalid({ path: 'journeyId', message: 'is not an existing journey' })
    return matchComplaint(ctx, locked, { journey, personId: who.personId })
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
