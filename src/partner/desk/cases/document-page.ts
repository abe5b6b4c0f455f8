// A case file beside its decision: rendered by the browser without storing it, each view in the audit log.

import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import { answer } from '#kit/http/server.ts'
import { ownValue } from '#kit/runtime/record.ts'
import type { Context } from '#partner/context.ts'
import { actForms } from '#partner/desk/approval/act-forms.ts'
import { deskRoute, ViewedAnswer } from '#partner/desk/desk-route.ts'
import { caseLink, deskPage } from '#partner/desk/frame.ts'
import { badge, plain, when } from '#partner/desk/parts/format.ts'
import { may } from '#partner/desk/staff/staff.ts'
import { readDocument } from '#partner/document/open-files.ts'
import { nameOfBorrower } from './applicant-name.ts'
import { applicantPart } from './case-page.ts'
import { addressOf } from './document-address.ts'
import { type CaseView, seeCase } from './read-case.ts'

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
  shows: 'FILE_READ',
} as const

type ViewerKind = 'image' | 'video' | 'frame'
/** How a browser shows it; what is none of these is only downloaded. */
const kinds: Record<string, ViewerKind> = {
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

/** The bytes with their own content security policy. */
async function send(ctx: Context, { caseRef, documentId }: FileRequest, isInline: boolean) {
  const found = await readDocument(ctx, caseRef, documentId)
  if (!found) throw new Refusal('absent', 'there is no such file')
  const { documentType, contentType, fileName } = found.document
  const file = answer(200, found.bytes, {
    'content-type': contentType,
    'content-disposition': `${isInline && ownValue(kinds, contentType) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(fileName)}`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // The viewer of a browser for PDF does not run in a sandbox; scripts of a file run nowhere.
    'content-security-policy': isInline
      ? "default-src 'none'; object-src 'self'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
      : "default-src 'none'; sandbox",
  })
  return new ViewedAnswer(file, { act: 'FILE_READ', about: { caseRef, subject: documentType } })
}

const download = deskRoute({
  ...common,
  path,
  summary: 'A stored file; it was scanned before it was stored',
  handle: ({ params: key }, ctx) => send(ctx, key, false),
})

const inline = deskRoute({
  ...common,
  path: `${path}/inline`,
  summary: 'The same file for the viewer beside the decision',
  handle: ({ params: key }, ctx) => send(ctx, key, true),
})

const view = deskRoute({
  ...common,
  shows: 'CASE_VIEWED',
  path: `${path}/view`,
  summary: 'A stored file beside what is decided with it',
  async handle({ who, params: { caseRef, documentId }, at }, ctx) {
    const seen = await seeCase(ctx, who, caseRef, at)
    const place = seen.stored.findIndex((each) => each.documentId === documentId)
    const file = seen.stored[place]
    if (!file) throw new Refusal('absent', 'there is no such file')
    const name = nameOfBorrower(seen.lead)
    const body = html`<p class="lead">${caseLink(caseRef, name)} ${badge(seen.loanCase.status)} <span>${plain(file.documentType)}, ${when(file.storedAt)}</span></p>
<div class="beside"><div><div class="viewer">${viewer(addressOf(caseRef, documentId), file)}</div>${otherFiles(seen, place)}</div>
<div>${actForms(seen, who, ctx, null)}${applicantPart(seen)}</div></div>`
    return deskPage(ctx, who, { title: plain(file.documentType), here: '/desk/cases', body })
  },
})

type File = CaseView['stored'][number]

function viewer(address: string, { contentType, documentType }: File): Html {
  const label = plain(documentType)
  switch (ownValue(kinds, contentType)) {
    case 'image':
      return html`<a href="${address}/inline"><img src="${address}/inline" alt="${label}"></a>`
    case 'video':
      return html`<video src="${address}/inline" controls preload="metadata" aria-label="${label}"></video>`
    case 'frame':
      return html`<iframe src="${address}/inline" title="${label}"></iframe>`
    default:
      return html`<p class="empty">The browser cannot show this type of file. Download it.</p>`
  }
}

const otherFiles = ({ stored, loanCase: { caseRef } }: CaseView, place: number): Html => {
  const to = (file: File | undefined, label: string) =>
    file && html`<a href="${addressOf(caseRef, file.documentId)}/view">${label}: ${plain(file.documentType)}</a>`
  const own = stored[place]
  return html`<nav class="pages" aria-label="Files">${to(stored[place - 1], 'Previous')}<span>${place + 1} of ${stored.length}</span>${own && html`<a href="${addressOf(caseRef, own.documentId)}">Download</a>`}${to(stored[place + 1], 'Next')}</nav>`
}

export const documentRoutes = [download, inline, view]
