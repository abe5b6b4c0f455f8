// Builds the pages for the borrowers of lending partners. A page loads no external resources.

import { type Html, html } from '#kit/http/markup.ts'
import { plainPage } from '#kit/http/plain-page.ts'
import type { Answer, Arrival } from '#kit/http/server.ts'
import { listConsents } from '#platform/borrower/store.ts'
import type { Context } from '#platform/context.ts'
import type { JourneyKey } from '#platform/journey/journey.ts'
import { type Reader, readerOf } from '#platform/page-text/page-text.ts'

/** Selects the language in which the borrower last consented in the journey, or else that of the browser. */
export async function journeyReader(
  { db }: Pick<Context, 'db'>,
  journey: JourneyKey,
  headers: Arrival['headers'],
): Promise<Reader> {
  const [consent] = await listConsents(db, journey)
  return readerOf(headers, consent?.language)
}

interface PageOptions {
  /** Whether the browser reloads the page after two seconds. */
  shouldReload?: boolean
  status?: number
  /** `anywhere` if the response to the form may redirect to another site. */
  formAction?: 'self' | 'anywhere'
  closesWindow?: boolean
}

export const page = (
  { language }: Reader,
  title: string,
  body: string | Html,
  { shouldReload = false, status = 200, formAction = 'self', closesWindow = false }: PageOptions = {},
): Answer =>
  plainPage({
    language,
    title,
    status,
    formAction,
    mark: html`<p><b>Lendloom</b></p>`,
    body,
    closesWindow,
    ...(shouldReload && { refreshSeconds: 2 }),
  })
