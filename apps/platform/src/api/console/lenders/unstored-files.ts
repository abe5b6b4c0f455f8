// Routes for files that a lending partner has not stored: the list, and to send a rejected one again.

import { scrub } from '@lendloom/foundation/mask'
import { Refusal } from '@lendloom/foundation/refusal'
import { FileParams, PartnerFile, PartnerFiles } from '@lendloom/wire/console/partner-events'
import { ListOfTenant, OfTenant } from '@lendloom/wire/console/staff'
import { consoleCall, consolePrefix, pageById, pageOfRows } from '#platform/api/console/console-route.ts'
import { byAnyUser } from '#platform/api/console/rights.ts'
import { route } from '#platform/context.ts'
import { retryRefusedUpload } from '#platform/lenders/partner/reactions/upload-files.ts'
import { listUnstoredDocuments } from '#platform/lenders/partner/store.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { inConsole } from '#platform/people/console-authentication.ts'
import { tenantOrPlatform } from '#platform/people/person.ts'
import { type PartnerNames, partnerNames } from './lending-partner-view.ts'
import { listUnstoredFiles, type PartnerFileRow } from './unstored-file-store.ts'

const path = `${consolePrefix}/partner/files`
const byOperators = { ...consoleCall, auth: inConsole('operator', 'admin') } as const

const fileWire = ({ partnerId, ...row }: PartnerFileRow, names: PartnerNames): PartnerFile => ({
  ...row,
  partner: names.get(partnerId) ?? '',
  createdAt: row.createdAt.toISOString(),
  refusedBecause: row.refusedBecause && scrub(row.refusedBecause),
})

const files = route({
  ...byAnyUser,
  method: 'GET',
  path,
  summary: 'Files that the partner has not stored: pending or rejected',
  query: ListOfTenant,
  reply: { 200: PartnerFiles },
  async handle({ who, query }, ctx) {
    const page = pageById(query)
    const tenantId = tenantOrPlatform(who, query.tenantId)
    const names = await partnerNames(ctx)
    const rows = await listUnstoredFiles(ctx.db, { tenantId, after: page.after, limit: page.limit + 1 })
    return pageOfRows(rows, page, {
      item: (row) => fileWire(row, names),
      cursor: ({ documentReferenceId }) => documentReferenceId,
    })
  },
})

const resend = route({
  ...byOperators,
  method: 'POST',
  path: `${path}/{documentReferenceId}/resend`,
  summary: 'Retry the upload of a rejected file with the same request id',
  params: FileParams,
  query: OfTenant,
  reply: { 200: PartnerFile },
  async handle({ who, params, query, at }, ctx) {
    const { db } = ctx
    if (who.tenantId !== null) throw new Refusal('forbidden', 'only platform staff may upload partner files again')
    const documentReferenceId = params.documentReferenceId.toLowerCase()
    const [file] = await listUnstoredDocuments(db, { documentReferenceId })
    const tenantId = tenantOrPlatform(who, query.tenantId)
    if (!file || (tenantId !== null && file.tenantId !== tenantId)) throw new Refusal('absent', 'there is no such file')
    if (file.state !== 'REFUSED') throw new Refusal('wrong-state', 'the file is pending and is retried automatically')
    await db.tx(async (tx) => {
      await retryRefusedUpload(tx, file, at)
      const detail = { caseRef: file.caseRef, documentType: file.documentType }
      const act = { act: 'FILE_SENT_AGAIN', subject: documentReferenceId, tenantId: file.tenantId, detail }
      await noteStaffAct({ tx, at }, who, act)
    })
    const unstoredFilter = { tenantId: file.tenantId, after: null, limit: 1000 }
    const resentFile = (await listUnstoredFiles(db, unstoredFilter)).find(
      (each) => each.documentReferenceId === documentReferenceId,
    )
    if (!resentFile) throw new Refusal('wrong-state', 'the partner has already stored this file')
    return fileWire(resentFile, await partnerNames(ctx))
  },
})

export const unstoredFileRoutes = [files, resend]
