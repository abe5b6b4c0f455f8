// GET /papers/{token} and /agreements/{token}: PDF documents of a partner's loan. A paper is a statement of account,
// a repayment schedule or a receipt (D3 §4.4). An agreement is signed by the borrower (D3 §4.3).

import { Readable } from 'node:stream'
import { checkedBytes } from '@lendloom/files/checked-bytes'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { Closed, Type } from '@lendloom/foundation/schema'
import { inlineFile } from '@lendloom/http/page-frame'
import { anyone } from '@lendloom/http/server'
import { route } from '#platform/context.ts'
import { agreementPrefix, openAgreementLink } from '#platform/lenders/partner/agreement-link.ts'
import { paperOf } from '#platform/lenders/partner/loan-paper.ts'
import { openPaperLink, paperPrefix } from '#platform/lenders/partner/paper-link.ts'
import { partnersOf } from '#platform/lenders/partner/partner-look-ups.ts'
import { readFileContent } from '#platform/lenders/partner/reactions/provider-file.ts'
import { storedStatus } from '#platform/lenders/partner/status-snapshot.ts'
import { findCase, findDocument } from '#platform/lenders/partner/store.ts'
import { readerOf } from '#platform/lending/page-text/page-text.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'

export const paperPage = route({
  method: 'GET',
  path: `${paperPrefix}/{token}`,
  section: 'D3 §4.4',
  summary: "Get a statement, schedule or receipt of a loan from the lender's newest status",
  auth: anyone,
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 1000 }) }),
  query: Type.Object({ lang: Type.Optional(Type.String({ maxLength: 10 })) }),
  async handle({ params, query, headers, at }, ctx) {
    const key = openPaperLink(ctx, params.token, at)
    const loanCase = await findCase(ctx.db, key)
    const status = loanCase && storedStatus(ctx, loanCase)
    if (!loanCase || !status?.soa || !status.amortization_schedule) throw new Refusal('absent', 'there is no such loan')
    const { person } = await readProfile(ctx.db, ctx, loanCase)
    const borrower = person.personal.panName ?? ''
    const partner = required(await partnersOf(ctx).find(ctx.db, loanCase.partnerId), 'the partner of an application')
    const { language } = readerOf(headers, query.lang)
    const pdf = await paperOf(key, { lender: partner.name, borrower, status, language })
    return inlineFile(`${key.name}-${status.celestium_loan_id}.pdf`, 'application/pdf', pdf)
  },
})

export const agreementPage = route({
  method: 'GET',
  path: `${agreementPrefix}/{token}`,
  section: 'D3 §4.3',
  summary: 'Get the signed agreement of a loan from the e-sign provider',
  auth: anyone,
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 1000 }) }),
  async handle({ params, at }, ctx) {
    const { documentReferenceId, ...key } = openAgreementLink(ctx, params.token, at)
    const document = await findDocument(ctx.db, key, documentReferenceId)
    if (document?.documentType !== 'SIGNED_LOAN_AGREEMENT') throw new Refusal('absent', 'there is no such agreement')
    const { bytes, sizeBytes, sha256 } = await readFileContent(ctx, document)
    const checked = checkedBytes(Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes, sha256)
    return inlineFile(document.fileName, document.contentType, checked, { 'content-length': String(sizeBytes) })
  },
})
