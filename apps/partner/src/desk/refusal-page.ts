// Shows a refused request as a page of the desk, with the HTTP status of the refusal's kind.

import type { Refusal, RefusalKind } from '@lendloom/foundation/refusal'
import { html } from '@lendloom/http/markup'
import type { Answer } from '@lendloom/http/server'
import type { Context } from '#partner/context.ts'
import { deskPage, searchForm } from './frame.ts'
import { toSentence } from './parts/format.ts'
import type { SignedIn } from './staff/desk-auth.ts'

const statuses: Partial<Record<RefusalKind, number>> = {
  malformed: 400,
  invalid: 400,
  forbidden: 403,
  absent: 404,
  'wrong-method': 405,
  'too-large': 413,
  'rate-limited': 429,
  damaged: 500,
  upstream: 503,
}

/** Returns the HTTP status of a refusal: 409 for a conflict with the state of the data. */
export const statusOf = ({ kind }: Refusal): number => statuses[kind] ?? 409

/** A link to the start page. */
export const toOverview = html`<p><a class="secondary" href="/desk">Go to the overview</a></p>`

const toCases = html`${searchForm()}<p><a class="secondary" href="/desk/cases">Go to Cases</a></p>`

/** Answers with the page of a refusal. A case that is not found can be searched. */
export const refusedPage = (ctx: Context, who: SignedIn, refusal: Refusal, path: string): Answer =>
  deskPage(ctx, who, refusedContent(refusal, path), statusOf(refusal))

function refusedContent(refusal: Refusal, path: string) {
  const sentence = toSentence(refusal.message)
  if (refusal.kind !== 'absent') return { title: 'This did not work', problem: sentence, body: toOverview }
  if (!path.startsWith('/desk/cases/')) return { title: 'Not found', body: html`<p>${sentence}</p>${toOverview}` }
  const body = html`<p>${sentence} Its number may be mistyped, or the link cut off.</p>${toCases}`
  return { title: 'Not found', area: '/desk/cases' as const, body }
}
