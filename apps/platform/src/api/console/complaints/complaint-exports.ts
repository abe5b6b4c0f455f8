// Routes of the console for exports of complaints, the monthly report and the list of officers.

import { answer } from '@lendloom/http/server'
import { tenantIn } from '@lendloom/identity/person'
import { OfficerRequest, OfficersReply } from '@lendloom/wire/console/complaint-officers'
import { ComplaintReport, ReportQuery } from '@lendloom/wire/console/complaint-report'
import { ComplaintExport, ComplaintExportQuery, ComplaintParams } from '@lendloom/wire/console/complaints'
import { OfTenant } from '@lendloom/wire/console/staff'
import { consoleCall, consolePrefix } from '#platform/api/console/console-route.ts'
import { complaintForExport, queueCsv, reportCsv, threadCsv } from '#platform/complaints/complaint/csv-export.ts'
import { complaintReport, monthOf } from '#platform/complaints/complaint/monthly-report.ts'
import { listAllOfficers, storeOfficer } from '#platform/complaints/complaint/officer.ts'
import { listQueue } from '#platform/complaints/complaint/queue/store.ts'
import { unsealComplaint } from '#platform/complaints/complaint/store.ts'
import { route } from '#platform/context.ts'
import { noteReasonedAct, noteStaffAct } from '#platform/people/audit.ts'
import { platformStaffOnly } from '#platform/people/console-authentication.ts'
import { filterOf, readers, requireComplaintKey, scopeOf } from './complaint-access.ts'
import { namesOf } from './complaint-names.ts'

const officers = platformStaffOnly('operator', 'grievance-officer', 'admin')
const maxExportedRows = 10_000

const csv = (name: string, text: string) =>
  answer(200, Buffer.from(text), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.csv"`,
  })

const exportComplaint = route({
  ...consoleCall,
  method: 'POST',
  path: `${consolePrefix}/complaints/{complaintId}/export`,
  auth: officers,
  summary: 'Export one complaint with its thread, unmasked, as JSON or CSV; needs a reason',
  params: ComplaintParams,
  query: OfTenant,
  body: ComplaintExport,
  async handle(call, ctx) {
    const { who, at, body } = call
    const key = await requireComplaintKey(ctx, call)
    return ctx.db.tx(async (tx) => {
      const names = (ids: string[]) => namesOf(tx, ctx.seal, key.tenantId, ids)
      const exported = await complaintForExport(tx, ctx.seal, key, names)
      await noteReasonedAct({ ...ctx, tx, at }, who, {
        act: 'COMPLAINT_EXPORTED',
        subject: key.complaintId,
        tenantId: tenantIn(key.tenantId),
        detail: { format: body.format },
        reason: body.reason,
      })
      const { number } = exported.complaint
      if (body.format === 'csv') return csv(number, threadCsv(number, exported.thread))
      return answer(200, Buffer.from(JSON.stringify(exported, null, 2)), {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="${number}.json"`,
      })
    })
  },
})

const exportQueue = route({
  ...consoleCall,
  method: 'GET',
  path: `${consolePrefix}/complaint-export`,
  auth: readers,
  summary: 'Export filtered complaints as CSV, without personal data',
  query: ComplaintExportQuery,
  async handle({ who, query, at }, ctx) {
    const rows = await listQueue(ctx.db, filterOf(who, query, at), null, maxExportedRows)
    const complaints = rows.map((row) => unsealComplaint(ctx.seal, row))
    await ctx.db.tx((tx) =>
      noteStaffAct({ tx, at }, who, {
        act: 'COMPLAINTS_EXPORTED',
        tenantId: scopeOf(who, query.tenantId),
        detail: { complaints: rows.length },
      }),
    )
    return csv(`complaints-${at.toISOString().slice(0, 10)}`, queueCsv(complaints, at))
  },
})

const report = route({
  ...consoleCall,
  method: 'GET',
  path: `${consolePrefix}/complaint-report`,
  auth: readers,
  query: ReportQuery,
  summary: 'Complaints received, resolved and pending in a month, by age and category',
  reply: { 200: ComplaintReport },
  handle: ({ who, query, at }, { db }) =>
    complaintReport(db, { tenantId: scopeOf(who, query.tenantId), month: query.month ?? monthOf(at), at }),
})

const reportFile = route({
  ...consoleCall,
  method: 'GET',
  path: `${consolePrefix}/complaint-report/csv`,
  auth: readers,
  query: ReportQuery,
  summary: 'The monthly report as CSV',
  async handle({ who, query, at }, { db }) {
    const month = query.month ?? monthOf(at)
    const reportData = await complaintReport(db, { tenantId: scopeOf(who, query.tenantId), month, at })
    return csv(`complaints-report-${month}`, reportCsv(reportData))
  },
})

const listOfficers = route({
  ...consoleCall,
  method: 'GET',
  path: `${consolePrefix}/complaint-officers`,
  auth: platformStaffOnly(),
  query: OfTenant,
  summary: 'The complaint officers of the platform and of each lender',
  reply: { 200: OfficersReply },
  handle: async (_, ctx) => ({ items: await listAllOfficers(ctx.db, ctx), next: null }),
})

const setOfficer = route({
  ...consoleCall,
  method: 'PUT',
  path: `${consolePrefix}/complaint-officers`,
  auth: platformStaffOnly('admin'),
  body: OfficerRequest,
  summary: 'Set a complaint officer',
  reply: { 200: OfficersReply },
  async handle({ who, body, at }, ctx) {
    await ctx.db.tx(async (tx) => {
      await storeOfficer({ ...ctx, tx, at }, body)
      const { party, level } = body
      await noteStaffAct({ tx, at }, who, { act: 'GRIEVANCE_OFFICER_NAMED', detail: { party, level } })
    })
    return { items: await listAllOfficers(ctx.db, ctx), next: null }
  },
})

export const complaintFileRoutes = [exportComplaint, exportQueue, report, reportFile, listOfficers, setOfficer]
