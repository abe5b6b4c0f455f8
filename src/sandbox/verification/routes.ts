// The providers' interfaces: begin, look up, cancel, fetch a paper; to e-sign and to the analyser a PDF is handed in.
import { Received, refusedByProvider } from '#contract/provider/request.ts'
import { isUuid } from '#kit/crypto/id.ts'
import { isExtendablePdf, isPdf } from '#kit/files/pdf-pages.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { parsed } from '#kit/http/refusing-parser.ts'
import { parse, Type } from '#kit/http/schema.ts'
import { type Answer, type Api, answer } from '#kit/http/server.ts'
import { begin } from './begin.ts'
import { move } from './move.ts'
import { pageRoutes } from './pages.ts'
import { providers, reportOf } from './providers.ts'
import { handedIn } from './statement.ts'
import { findVerification, keepUpload, lockVerification, paperOf } from './store.ts'
import { kinds, type ProviderVerification, type VerificationKind, VerificationRequest } from './verification.ts'
import { clientRoute } from './verification-route.ts'
import type { VerificationContext } from './verification-settings.ts'

const params = Type.Object({ id: Type.String() })
const mostBytes = 20 * 2 ** 20

const interfaceOf = (kind: VerificationKind) => [
  clientRoute(kind, {
    method: 'POST',
    path: `/verification/${kind}/requests`,
    summary: `Begins a request of the ${kind} provider`,
    body: providers[kind].request,
    reply: { 200: providers[kind].reply, 201: providers[kind].reply },
    async handle({ body, at }, ctx) {
      const { verification, isNew } = await begin(ctx, kind, parse(VerificationRequest, body), at)
      return answer(isNew ? 201 : 200, await reportOf(ctx.db, ctx, verification))
    },
  }),
  clientRoute(kind, {
    method: 'GET',
    path: `/verification/${kind}/requests/{id}`,
    summary: `What has come of a request of the ${kind} provider`,
    params,
    reply: { 200: providers[kind].reply },
    // One snapshot: a state and its papers belong together.
    handle: ({ params: { id } }, ctx) =>
      ctx.db.snapshot(async (db) => {
        const found = isUuid(id) ? await findVerification(db, ctx.seal, id) : undefined
        return reportOf(db, ctx, ofKind(kind, found))
      }),
  }),
  clientRoute(kind, {
    method: 'POST',
    path: `/verification/${kind}/requests/{id}/cancel`,
    summary: `Withdraws a request of the ${kind} provider`,
    params,
    reply: { 200: providers[kind].reply },
    handle: ({ params: { id }, at }, ctx) =>
      changed(ctx, kind, id, (tx, of) => move(tx, ctx, of, { move: 'cancel', reasonCode: 'CANCELLED_BY_CLIENT', at })),
  }),
  clientRoute(kind, {
    method: 'GET',
    path: `/verification/${kind}/requests/{id}/files/{fileId}`,
    summary: `A paper of the ${kind} provider`,
    params: Type.Object({ id: Type.String(), fileId: Type.String() }),
    async handle({ params: { id, fileId } }, { db, seal }) {
      const found = isUuid(id) && isUuid(fileId) ? await findVerification(db, seal, id) : undefined
      const paper = await paperOf(db, seal, ofKind(kind, found).verificationId, fileId)
      if (!paper) throw new Refusal('absent', 'there is no such file')
      return answer(200, paper.bytes, { 'content-type': paper.contentType, 'cache-control': 'private, no-store' })
    },
  }),
]

const handInAgreement = clientRoute('esign', {
  method: 'POST',
  path: '/verification/esign/files',
  summary: 'Hands in a PDF that is to be signed',
  accepts: 'raw',
  maxBytes: mostBytes,
  reply: { 201: Received },
  async handle({ raw, headers, at }, { db, seal }) {
    await requirePdf(raw, headers['content-type'], isExtendablePdf)
    const { fileId, sha256, sizeBytes } = await keepUpload(db, seal, raw, at)
    return answer(201, { file_id: fileId, sha256, size_bytes: sizeBytes })
  },
})

const handInStatement = clientRoute('statement', {
  method: 'POST',
  path: '/verification/statement/requests/{id}/statement',
  summary: 'Hands in a bank statement instead of the borrower',
  params,
  accepts: 'raw',
  maxBytes: mostBytes,
  reply: { 200: providers.statement.reply },
  async handle({ params: { id }, raw, headers, at }, ctx) {
    await requirePdf(raw, headers['content-type'])
    const { fileId } = await keepUpload(ctx.db, ctx.seal, raw, at)
    return changed(ctx, 'statement', id, (tx, of) =>
      // Repeating the same statement changes nothing.
      of.facts[handedIn] === fileId
        ? Promise.resolve(of)
        : move(tx, ctx, of, { move: 'submit', facts: { [handedIn]: fileId }, at }),
    )
  },
})

async function requirePdf(raw: Buffer, contentType: unknown, isWhole = isPdf): Promise<void> {
  if (!String(contentType).startsWith('application/pdf')) throw new Refusal('unsupported-media', 'only PDF is taken')
  if (!(await parsed(isWhole(raw), unreadable))) throw new Refusal('invalid', 'this is not a whole PDF', { field: '' })
}

const unreadable = (why: string): Refusal => new Refusal('invalid', `the PDF ${why}`, { field: '' })

/** Another provider's request is not ours to answer for. */
function ofKind(kind: VerificationKind, found: ProviderVerification | undefined): ProviderVerification {
  if (found?.kind !== kind) throw new Refusal('absent', 'there is no such request')
  return found
}

function changed(
  ctx: VerificationContext,
  kind: VerificationKind,
  id: string,
  change: (tx: Parameters<typeof move>[0], of: ProviderVerification) => Promise<ProviderVerification>,
): Promise<Answer> {
  return ctx.db.tx(async (tx) => {
    const of = ofKind(kind, isUuid(id) ? await lockVerification(tx, ctx.seal, id) : undefined)
    return answer(200, await reportOf(tx, ctx, await change(tx, of)))
  })
}

export const verificationApi: Api<VerificationContext> = {
  prefix: '/verification',
  routes: [...kinds.flatMap(interfaceOf), handInAgreement, handInStatement, ...pageRoutes],
  refuse: refusedByProvider,
}
