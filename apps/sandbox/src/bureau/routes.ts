// The bureau's API: pull a report with the borrower's consent, read it, download its PDF.

import { secondsAfter } from '@lendloom/foundation/clock'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { type TSchema, Type } from '@lendloom/foundation/schema'
import { isUuid } from '@lendloom/foundation/uuid'
import { type Api, type Auth, answer, type Route } from '@lendloom/http/server'
import { uuidv7 } from '@lendloom/seal/id'
import { FoundRequest, ReferenceQuery, refusedByProvider } from '@lendloom/wire/provider/common-interface'
import { BureauReport, BureauRequest } from '@lendloom/wire/provider/provider-interfaces'
import { requireBearer } from '#sandbox/core/bearer.ts'
import type { Context } from '#sandbox/core/context.ts'
import { requestDigest } from '#sandbox/core/request-digest.ts'
import { contentOf, reportPaper } from './report.ts'
import { findReport, paperOf, reportByReference, storeReport } from './store.ts'

interface BureauSettings {
  credential: string
}

export type BureauContext = Pick<Context, 'db' | 'seal'> & { bureau: BureauSettings }

const client: Auth<BureauContext, null> = {
  scheme: 'bureau',
  check: (arrival, { bureau }) => requireBearer(arrival, bureau.credential),
}

const clientRoute = <B extends TSchema, Q extends TSchema, P extends TSchema>(
  definition: Omit<Route<BureauContext, null, B, Q, P>, 'auth' | 'section'>,
): Route<BureauContext, null, B, Q, P> => ({ ...definition, section: 'D3 §2.3', auth: client })

const clockSkewSeconds = 300

const pullReport = clientRoute({
  method: 'POST',
  path: '/bureau/requests',
  summary: 'Pulls a report; idempotent by client_reference',
  body: BureauRequest,
  reply: { 200: BureauReport, 201: BureauReport },
  async handle({ body, at }, { db, seal }) {
    if (new Date(body.consent.given_at) > secondsAfter(at, clockSkewSeconds))
      throw invalid({ path: 'consent.given_at', message: 'must not be in the future' })
    const contentDigest = requestDigest(seal, body, 'bureau')
    const reportId = uuidv7(at.getTime())
    const content = contentOf(body, reportId, at)
    const report = {
      report_id: reportId,
      client_reference: body.client_reference,
      pulled_at: at.toISOString(),
      ...content,
    }
    const paper = await reportPaper(body, content, at)
    const isNew = await db.tx((tx) => storeReport(tx, seal, { report, request: body, paper, contentDigest }))
    const stored = required(await reportByReference(db, seal, body.client_reference), 'stored report')
    if (!stored.contentDigest.equals(contentDigest))
      throw new Refusal('reused-key', 'another request has this client_reference')
    return answer(isNew ? 201 : 200, stored.report)
  },
})

const readByReference = clientRoute({
  method: 'GET',
  path: '/bureau/requests',
  summary: 'The report that has a reference of the client',
  query: ReferenceQuery,
  reply: { 200: Type.Intersect([BureauReport, FoundRequest]) },
  async handle({ query: { client_reference } }, { db, seal }) {
    const stored = await reportByReference(db, seal, client_reference)
    if (!stored) throw new Refusal('absent', 'there is no such report')
    return { ...stored.report, request: stored.request }
  },
})

const readReport = clientRoute({
  method: 'GET',
  path: '/bureau/requests/{id}',
  summary: 'A report',
  params: Type.Object({ id: Type.String() }),
  reply: { 200: BureauReport },
  async handle({ params: { id } }, { db, seal }) {
    const report = isUuid(id) ? await findReport(db, seal, id) : undefined
    if (!report) throw new Refusal('absent', 'there is no such report')
    return report
  },
})

const reportFile = clientRoute({
  method: 'GET',
  path: '/bureau/requests/{id}/files/{fileId}',
  summary: 'The PDF of a report',
  params: Type.Object({ id: Type.String(), fileId: Type.String() }),
  async handle({ params: { id, fileId } }, { db, seal }) {
    const bytes = isUuid(id) && isUuid(fileId) ? await paperOf(db, seal, id, fileId) : undefined
    if (!bytes) throw new Refusal('absent', 'there is no such file')
    return answer(200, bytes, { 'content-type': 'application/pdf', 'cache-control': 'private, no-store' })
  },
})

export const bureauApi: Api<BureauContext> = {
  prefix: '/bureau',
  routes: [pullReport, readByReference, readReport, reportFile],
  refuse: refusedByProvider,
}
