// Shows a case file beside the case and, before the loan is paid out, its next act. Browsers do not cache the file, and the
// audit log records each view.

import { paper } from '@lendloom/design/icons'
import { ownValue } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import { type Html, html, icon } from '@lendloom/http/markup'
import { answer } from '@lendloom/http/server'
import type { Context } from '#partner/context.ts'
import { caseActs } from '#partner/desk/approval/act-forms.ts'
import { caseAddress, placeQuery } from '#partner/desk/arrears/worklist.ts'
import { AuditedAnswer, deskRoute } from '#partner/desk/desk-route.ts'
import { deskPage } from '#partner/desk/frame.ts'
import { formatTime, labelOf } from '#partner/desk/parts/format.ts'
import { may } from '#partner/desk/staff/desk-auth.ts'
import { readDocument } from '#partner/origination/document/open-files.ts'
import { actsMenu, caseHead, shownActs, tabAddress } from './case-head.ts'
import { applicantPart } from './case-page.ts'
import { type CaseView, readCaseView } from './case-view.ts'
import { documentAddress, filePageAddress } from './document-address.ts'
import { nameOfBorrower } from './open-lead.ts'

const path = '/desk/cases/{caseRef}/documents/{documentId}'
const params = Type.Object({
  caseRef: Type.String({ maxLength: 200 }),
  documentId: Type.String({ maxLength: 100 }),
})
const common = {
  section: 'D3 §4.3',
  auth: may('FILE_READ'),
  method: 'GET',
  params,
  hidden: true,
  viewAct: 'FILE_READ',
} as const

type ViewerKind = 'image' | 'video' | 'frame'
/** The element that shows each content type. Files of other types can only be downloaded. */
const viewerKinds: Record<string, ViewerKind> = {
  'image/png': 'image',
  'image/jpeg': 'image',
  'video/mp4': 'video',
  'application/pdf': 'frame',
  'application/json': 'frame',
}

interface FileRequest {
  caseRef: string
  documentId: string
}

/** Sends the file, with a content security policy that differs from that of the pages. */
async function send(ctx: Context, { caseRef, documentId }: FileRequest, isInline: boolean) {
  const stored = await readDocument(ctx, caseRef, documentId)
  if (!stored) throw new Refusal('absent', 'this file does not exist')
  const { documentType, contentType, fileName } = stored.document
  const file = answer(200, stored.bytes, {
    'content-type': contentType,
    'content-disposition': `${isInline && ownValue(viewerKinds, contentType) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(fileName)}`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // The browser's PDF viewer fails in a sandbox. Neither policy allows scripts in the file.
    'content-security-policy': isInline
      ? "default-src 'none'; object-src 'self'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
      : "default-src 'none'; sandbox",
  })
  return new AuditedAnswer(file, { act: 'FILE_READ', about: { caseRef, subject: documentType } })
}

const download = deskRoute({
  ...common,
  path,
  summary: 'Download a stored file',
  handle: ({ params: key }, ctx) => send(ctx, key, false),
})

const inline = deskRoute({
  ...common,
  path: `${path}/inline`,
  summary: 'The file inside its page',
  handle: ({ params: key }, ctx) => send(ctx, key, true),
})

const viewRoute = deskRoute({
  ...common,
  viewAct: 'CASE_VIEWED',
  path: `${path}/view`,
  query: Type.Object({ list: placeQuery, act: Type.Optional(Type.String({ maxLength: 40 })) }),
  summary: 'A file beside the case',
  async handle({ who, params: { caseRef, documentId }, query: { list, act }, at }, ctx) {
    const view = await readCaseView(ctx, who, caseRef, { at })
    const index = view.stored.findIndex((each) => each.documentId === documentId)
    const file = view.stored[index]
    if (!file) throw new Refusal('absent', 'this file does not exist')
    // The acts on a loan are on the page of the case, where the loan is.
    const isPaidOut = view.loanCase.status === 'DISBURSED'
    const page = isPaidOut ? caseAddress(caseRef, undefined) : filePageAddress(caseRef, documentId, undefined)
    const borrower = nameOfBorrower(view.lead)
    const acts = {
      groups: caseActs(view, who, ctx, { refusedForm: null, page }),
      page,
      place: list,
    }
    const body = html`${caseHead(view, ctx.clock(), 'documents', list)}
<div class="split"><div>${!isPaidOut && shownActs({ ...acts, borrower, chosen: act, refusedForm: null })}${fileList(view, index, list)}${applicantPart(view)}</div>
<section class="open-file"><div class="head"><h2>${labelOf(file.documentType)} <small>${formatTime(file.storedAt)}</small></h2><p class="inline"><a class="secondary small" href="${documentAddress(caseRef, documentId)}">Download</a><a class="secondary small" href="${tabAddress(caseRef, 'documents', list)}">Close</a></p></div>
<div class="viewer">${viewer(documentAddress(caseRef, documentId), file)}</div></section></div>`
    return deskPage(ctx, who, { title: borrower, area: '/desk/cases', beside: actsMenu(acts), body })
  },
})

type File = CaseView['stored'][number]

function viewer(address: string, { contentType, documentType }: File): Html {
  const label = labelOf(documentType)
  switch (ownValue(viewerKinds, contentType)) {
    case 'image':
      return html`<a href="${address}/inline"><img src="${address}/inline" alt="${label}"></a>`
    case 'video':
      return html`<video src="${address}/inline" controls preload="metadata" aria-label="${label}"></video>`
    case 'frame':
      return html`<iframe src="${address}/inline" title="${label}"></iframe><p class="quiet"><a class="secondary" href="${address}/inline">Open the file</a></p>`
    default:
      return html`<p class="empty">The browser cannot show this type of file. Download it.</p>`
  }
}

/** The files of the case, of which one is open. */
const fileList = ({ stored, loanCase: { caseRef } }: CaseView, index: number, place: string | undefined): Html =>
  html`<nav class="card file-list" aria-label="Files"><h2>Files <small>${index + 1} of ${stored.length}</small></h2><ul>${stored.map(
    (file, i) =>
      html`<li><a href="${filePageAddress(caseRef, file.documentId, place)}"${i === index && html` aria-current="page"`}>${icon(paper)}<span>${labelOf(file.documentType)}</span> <small>${formatTime(file.storedAt)}</small></a></li>`,
  )}</ul></nav>`

export const documentRoutes = [download, inline, viewRoute]
