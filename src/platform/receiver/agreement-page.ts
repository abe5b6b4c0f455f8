// GET /agreements/{token}: the agreement that a borrower signed with a lending partner, passed on as its provider gives it (D3 §4.3).

import { Readable } from 'node:stream'
import { checkedBytes } from '#kit/files/checked-bytes.ts'
import { shownFile } from '#kit/http/page-frame.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Closed, Type } from '#kit/http/schema.ts'
import { anyone } from '#kit/http/server.ts'
import { contentOf } from '#platform/application/partner/uploading.ts'
import { route } from '#platform/context.ts'
import { agreementPrefix, openAgreementLink } from '#platform/exchange/agreement-link.ts'
import { findDocument } from '#platform/exchange/store.ts'

export const agreementPage = route({
  method: 'GET',
  path: `${agreementPrefix}/{token}`,
  section: 'D3 §4.3',
  summary: 'The signed agreement of a loan, as the e-sign provider has it',
  auth: anyone,
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 1000 }) }),
  async handle({ params, at }, ctx) {
    const { documentReferenceId, ...place } = openAgreementLink(ctx, params.token, at)
    const document = await findDocument(ctx.db, place, documentReferenceId)
    if (document?.documentType !== 'SIGNED_LOAN_AGREEMENT') throw new Refusal('absent', 'there is no such agreement')
    const { bytes, sizeBytes, sha256 } = await contentOf(ctx, document)
    const checked = checkedBytes(Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes, sha256)
    return shownFile(document.fileName, document.contentType, checked, { 'content-length': String(sizeBytes) })
  },
})
