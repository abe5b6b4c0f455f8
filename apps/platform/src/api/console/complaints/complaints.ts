// Routes that read complaints in the console: the queue, a thread, files, revealed data and templates.

import { Refusal } from '@lendloom/foundation/refusal'
import { isUuid } from '@lendloom/foundation/uuid'
import { answer } from '@lendloom/http/server'
import { tenantIn } from '@lendloom/identity/person'
import {
  ComplaintDetail,
  ComplaintParams,
  ComplaintReveal,
  ComplaintSetup,
  ComplaintsQuery,
  ComplaintsReply,
  FileParams,
  RevealedComplaint,
  TemplateQuery,
  TemplateReply,
} from '@lendloom/wire/console/complaints'
import { OfTenant } from '@lendloom/wire/console/staff'
import { badCursor, consoleCall, consolePrefix, pageOf, pageOfRows } from '#platform/api/console/console-route.ts'
import { maskedName } from '#platform/api/console/mask-borrower.ts'
import { isForTenant } from '#platform/complaints/complaint/complaint.ts'
import { findEntry, firstBorrowerMessages, listEntries } from '#platform/complaints/complaint/entry/store.ts'
import { listLenders } from '#platform/complaints/complaint/lender-store.ts'
import {
  countQueue,
  listQueue,
  productsOf,
  type QueuePosition,
  type QueueRow,
} from '#platform/complaints/complaint/queue/store.ts'
import { mailFrame } from '#platform/complaints/complaint/send-mails.ts'
import { findComplaint, unsealComplaint } from '#platform/complaints/complaint/store.ts'
import { borrowerText, templateText } from '#platform/complaints/complaint/text.ts'
import { noSuchComplaint } from '#platform/complaints/complaint/thread.ts'
import { route } from '#platform/context.ts'
import { readFile } from '#platform/mail/attachment.ts'
import { noteReasonedAct, noteStaffAct } from '#platform/people/audit.ts'
import { platformTenant } from '#platform/people/person.ts'
import { filterOf, readers, requireComplaintKey, scopeOf } from './complaint-access.ts'
import { assigneesOf, namesOf } from './complaint-names.ts'
import { detailOf, handlesComplaints, listedComplaint, maskFor } from './complaint-view.ts'

const path = `${consolePrefix}/complaints`
const readRoute = { ...consoleCall, auth: readers } as const
const complaintRead = { ...readRoute, params: ComplaintParams, query: OfTenant } as const

const list = route({
  ...readRoute,
  method: 'GET',
  path,
  summary: 'Complaints, overdue complaints first',
  query: ComplaintsQuery,
  reply: { 200: ComplaintsReply },
  async handle({ who, query, at }, { db, seal }): Promise<ComplaintsReply> {
    const page = pageOf(query)
    const filter = filterOf(who, query, at)
    const rows = await listQueue(db, filter, page.after === null ? null : positionFrom(page.after), page.limit + 1)
    const complaints = rows.map((row) => ({ row, complaint: unsealComplaint(seal, row) }))
    const assignees = complaints.flatMap(({ complaint }) => complaint.assigneeId ?? [])
    const assigneeNames = await namesOf(db, seal, platformTenant, [...new Set(assignees)])
    const firstMessages = await firstBorrowerMessages(
      db,
      seal,
      complaints.map(({ complaint }) => complaint),
    )
    const mask = maskFor(who)
    const products = await productsOf(db, rows)
    const counts = await countQueue(db, { tenantId: scopeOf(who, query.tenantId), personId: who.personId, at })
    const listed = pageOfRows(complaints, page, {
      item: ({ row, complaint }) => {
        const body = firstMessages.get(complaint.complaintId)
        const first = body ? { body, mask } : null
        const { lenderAnswered } = row
        return { ...listedComplaint(complaint, { ...row, products, first }, assigneeNames, at), lenderAnswered }
      },
      cursor: ({ row }) => cursorOf(row),
    })
    return { ...listed, counts }
  },
})

const cursorOf = ({ isDone, rank, complaintId }: QueueRow): string => `${isDone ? 1 : 0}_${rank}_${complaintId}`

function positionFrom(text: string): QueuePosition {
  const [isDone, rank, complaintId = ''] = text.split('_')
  if ((isDone !== '0' && isDone !== '1') || !Number.isFinite(Number(rank)) || !isUuid(complaintId)) throw badCursor()
  return { isDone: isDone === '1', rank: Number(rank), complaintId }
}

const setup = route({
  ...readRoute,
  method: 'GET',
  path: `${path}/setup`,
  summary: 'People who handle complaints, and known lenders',
  query: OfTenant,
  reply: { 200: ComplaintSetup },
  async handle({ who, query }, { db, seal }): Promise<ComplaintSetup> {
    scopeOf(who, query.tenantId)
    if (who.tenantId !== null) return { assignees: [], lenders: [] }
    const lenders = (await listLenders(db)).map(({ party, name }) => ({ party, name }))
    return { assignees: await assigneesOf(db, seal), lenders }
  },
})

const get = route({
  ...complaintRead,
  method: 'GET',
  path: `${path}/{complaintId}`,
  summary: 'One complaint with its thread',
  reply: { 200: ComplaintDetail },
  async handle(call, ctx): Promise<ComplaintDetail> {
    return detailOf(ctx, call.who, await requireComplaintKey(ctx, call), call.at)
  },
})

const template = route({
  ...complaintRead,
  method: 'GET',
  path: `${path}/{complaintId}/template`,
  summary: "A template in the complaint's language",
  query: TemplateQuery,
  reply: { 200: TemplateReply },
  async handle(call, ctx) {
    const complaint = await findComplaint(ctx.db, ctx.seal, await requireComplaintKey(ctx, call))
    if (!complaint) throw noSuchComplaint()
    const { language, contact } = complaint
    const preview = { ...complaint, resolvedAt: call.at, contact: { ...contact, name: maskedName(contact.name) } }
    const { greeting, closing, values } = await mailFrame(ctx.db, ctx, preview, call.who.personId)
    const text = templateText(language, call.query.template, values)
    return { text, greeting, objection: borrowerText(complaint, 'resolvedFooter', values), closing }
  },
})

const reveal = route({
  ...complaintRead,
  method: 'POST',
  path: `${path}/{complaintId}/reveal`,
  summary: "Reveal the complainant's contact data; needs a reason",
  body: ComplaintReveal,
  reply: { 200: RevealedComplaint },
  async handle(call, ctx): Promise<RevealedComplaint> {
    const { who, body, at } = call
    if (!handlesComplaints(who) && who.tenantId === null)
      throw new Refusal('forbidden', `requires the role operator, grievance-officer or admin; yours is ${who.role}`)
    const key = await requireComplaintKey(ctx, call)
    return ctx.db.tx(async (tx) => {
      const complaint = await findComplaint(tx, ctx.seal, key)
      if (!complaint) throw noSuchComplaint()
      const allEntries = await listEntries(tx, ctx.seal, key)
      const entries = who.tenantId === null ? allEntries : allEntries.filter(isForTenant)
      await noteReasonedAct({ ...ctx, tx, at }, who, {
        act: 'PERSONAL_DATA_REVEALED',
        subject: key.complaintId,
        tenantId: tenantIn(key.tenantId),
        detail: { fields: 'complaint' },
        reason: body.reason,
      })
      return {
        ...complaint.contact,
        words: Object.fromEntries(entries.map(({ entryId, body }) => [entryId, body.text])),
      }
    })
  },
})

const file = route({
  ...readRoute,
  method: 'GET',
  path: `${path}/{complaintId}/entries/{entryId}/files/{index}`,
  summary: 'Download a file of a message',
  params: FileParams,
  query: OfTenant,
  async handle(call, ctx) {
    const { who, params, at } = call
    const key = await requireComplaintKey(ctx, call)
    const entry = await findEntry(ctx.db, ctx.seal, key, params.entryId)
    const attachment = entry?.body.attachments[Number(params.index)]
    if (!entry || !attachment?.objectKey) throw new Refusal('absent', 'there is no such file')
    const bytes = await readFile(ctx, attachment.objectKey)
    await ctx.db.tx((tx) =>
      noteStaffAct({ tx, at }, who, {
        act: 'COMPLAINT_FILE_READ',
        subject: key.complaintId,
        tenantId: tenantIn(key.tenantId),
        detail: { entryId: entry.entryId, index: Number(params.index) },
      }),
    )
    return answer(200, bytes, {
      'content-type': attachment.type,
      // A borrower's file is downloaded and never rendered in our origin.
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(attachment.name)}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  },
})

export const complaintRoutes = [list, setup, get, template, reveal, file]
