// The providers' APIs: start, look up and cancel a request, download its files, upload a PDF for e-sign and analysis.

import { isExtendablePdf, isPdf } from '@lendloom/documents/pdf-pages'
import { Refusal } from '@lendloom/foundation/refusal'
import { parse, Type } from '@lendloom/foundation/schema'
import { isUuid } from '@lendloom/foundation/uuid'
import { refuseParserFailure } from '@lendloom/http/refusing-parser'
import { type Answer, type Api, answer } from '@lendloom/http/server'
import { FoundRequest, Received, ReferenceQuery, refusedByProvider } from '@lendloom/wire/provider/common-interface'
import { begin } from './begin-verification.ts'
import { pageRoutes } from './borrower-page.ts'
import { move } from './move-verification.ts'
import { type ProviderVerification, type VerificationKind, VerificationRequest, verificationKinds } from './provider.ts'
import { providers, reportOf } from './providers.ts'
import { uploadFact } from './statement-analyser.ts'
import { findVerification, lockVerification, paperOf, storeUpload, verificationByReference } from './store.ts'
import { clientRoute } from './verification-route.ts'
import type { VerificationContext } from './verification-settings.ts'

const params = Type.Object({ id: Type.String() })
/** A long bank statement as a PDF with images of its pages. */
const maxUploadBytes = 20 * 2 ** 20

const routesOf = (kind: VerificationKind) => [
  clientRoute(kind, {
    method: 'POST',
    path: `/verification/${kind}/requests`,
    summary: `Starts a request of the ${kind} provider`,
    body: providers[kind].request,
    reply: { 200: providers[kind].reply, 201: providers[kind].reply },
    async handle({ body, at }, ctx) {
      const { verification, isNew } = await begin(ctx, kind, parse(VerificationRequest, body), at)
      return answer(isNew ? 201 : 200, await reportOf(ctx.db, ctx, verification))
    },
  }),
  clientRoute(kind, {
    method: 'GET',
    path: `/verification/${kind}/requests`,
    summary: `The request of the ${kind} provider that has a reference of the client`,
    query: ReferenceQuery,
    reply: { 200: Type.Intersect([providers[kind].reply, FoundRequest]) },
    handle: ({ query: { client_reference } }, ctx) =>
      ctx.db.snapshot(async (db) => {
        const stored = await verificationByReference(db, ctx.seal, kind, client_reference)
        const verification = requireKind(kind, stored?.verification)
        return { ...(await reportOf(db, ctx, verification)), request: verification.request }
      }),
  }),
  clientRoute(kind, {
    method: 'GET',
    path: `/verification/${kind}/requests/{id}`,
    summary: `The state of a request of the ${kind} provider`,
    params,
    reply: { 200: providers[kind].reply },
    // One snapshot, so that state and files are consistent.
    handle: ({ params: { id } }, ctx) =>
      ctx.db.snapshot(async (db) => {
        const stored = isUuid(id) ? await findVerification(db, ctx.seal, id) : undefined
        return reportOf(db, ctx, requireKind(kind, stored))
      }),
  }),
  clientRoute(kind, {
    method: 'POST',
    path: `/verification/${kind}/requests/{id}/cancel`,
    summary: `Withdraws a request of the ${kind} provider`,
    params,
    reply: { 200: providers[kind].reply },
    handle: ({ params: { id }, at }, ctx) =>
      changeAndReport(ctx, kind, id, (tx, verification) =>
        move(tx, ctx, verification, { move: 'cancel', reasonCode: 'CANCELLED_BY_CLIENT', at }),
      ),
  }),
  clientRoute(kind, {
    method: 'GET',
    path: `/verification/${kind}/requests/{id}/files/{fileId}`,
    summary: `A file of the ${kind} provider`,
    params: Type.Object({ id: Type.String(), fileId: Type.String() }),
    async handle({ params: { id, fileId } }, { db, seal }) {
      const stored = isUuid(id) && isUuid(fileId) ? await findVerification(db, seal, id) : undefined
      const paper = await paperOf(db, seal, requireKind(kind, stored).verificationId, fileId)
      if (!paper) throw new Refusal('absent', 'there is no such file')
      return answer(200, paper.bytes, { 'content-type': paper.contentType, 'cache-control': 'private, no-store' })
    },
  }),
]

const uploadAgreement = clientRoute('esign', {
  method: 'POST',
  path: '/verification/esign/files',
  summary: 'Uploads a PDF for signature',
  accepts: 'raw',
  maxBytes: maxUploadBytes,
  reply: { 201: Received },
  async handle({ raw, headers, at }, { db, seal }) {
    await requirePdf(raw, headers['content-type'], isExtendablePdf)
    const { fileId, sha256, sizeBytes } = await storeUpload(db, seal, raw, at)
    return answer(201, { file_id: fileId, sha256, size_bytes: sizeBytes })
  },
})

const uploadStatement = clientRoute('statement', {
  method: 'POST',
  path: '/verification/statement/requests/{id}/statement',
  summary: 'Uploads a bank statement on behalf of the borrower',
  params,
  accepts: 'raw',
  maxBytes: maxUploadBytes,
  reply: { 200: providers.statement.reply },
  async handle({ params: { id }, raw, headers, at }, ctx) {
    await requirePdf(raw, headers['content-type'])
    const { fileId } = await storeUpload(ctx.db, ctx.seal, raw, at)
    return changeAndReport(ctx, 'statement', id, (tx, verification) =>
      // A repeated upload of the same statement changes nothing.
      verification.facts[uploadFact] === fileId
        ? Promise.resolve(verification)
        : move(tx, ctx, verification, { move: 'submit', facts: { [uploadFact]: fileId }, at }),
    )
  },
})

async function requirePdf(raw: Buffer, contentType: unknown, isValidPdf = isPdf): Promise<void> {
  if (!String(contentType).startsWith('application/pdf')) throw new Refusal('unsupported-media', 'only PDF is accepted')
  if (!(await refuseParserFailure(isValidPdf(raw), unreadable)))
    throw new Refusal('invalid', 'this is not a complete PDF', { field: '' })
}

const unreadable = (why: string): Refusal => new Refusal('invalid', `the PDF ${why}`, { field: '' })

/** Throws `absent` for another provider's request. */
function requireKind(kind: VerificationKind, stored: ProviderVerification | undefined): ProviderVerification {
  if (stored?.kind !== kind) throw new Refusal('absent', 'there is no such request')
  return stored
}

function changeAndReport(
  ctx: VerificationContext,
  kind: VerificationKind,
  id: string,
  change: (tx: Parameters<typeof move>[0], verification: ProviderVerification) => Promise<ProviderVerification>,
): Promise<Answer> {
  return ctx.db.tx(async (tx) => {
    const verification = requireKind(kind, isUuid(id) ? await lockVerification(tx, ctx.seal, id) : undefined)
    return answer(200, await reportOf(tx, ctx, await change(tx, verification)))
  })
}

export const verificationApi: Api<VerificationContext> = {
  prefix: '/verification',
  routes: [...verificationKinds.flatMap(routesOf), uploadAgreement, uploadStatement, ...pageRoutes],
  refuse: refusedByProvider,
}
