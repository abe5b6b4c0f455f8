// Builds the pages for the borrowers of lending partners. A page loads no external resources.

import { check } from '@lendloom/design/icons'
import { type Html, html, icon } from '@lendloom/http/markup'
import { plainPage } from '@lendloom/http/plain-page'
import type { Answer, Arrival } from '@lendloom/http/server'
import { webBuild } from '#platform/api/web-build.ts'
import type { Context } from '#platform/context.ts'
import { findPage } from '#platform/integrators/access/theme/store.ts'
import { listConsents } from '#platform/lending/borrower/store.ts'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import { findJourney } from '#platform/lending/journey/store.ts'
import { type Reader, readerOf } from '#platform/lending/page-text/page-text.ts'

interface JourneyReader extends Reader {
  brand?: string
}

/** Selects `lang`, or the language in which the borrower last consented in the journey, or else that of the browser. */
export async function journeyReader(
  { db }: Pick<Context, 'db'>,
  key: JourneyKey,
  headers: Arrival['headers'],
  lang?: string,
): Promise<JourneyReader> {
  const [consent] = await listConsents(db, key)
  const journey = await findJourney(db, key.tenantId, key.journeyId)
  const loanCase = journey && (await findPage(db, journey))
  const reader = readerOf(headers, lang ?? consent?.language)
  return loanCase ? { ...reader, brand: loanCase.theme?.name ?? loanCase.name } : reader
}

interface PageOptions {
  /** Whether the browser reloads the page after two seconds. */
  shouldReload?: boolean
  status?: number
  /** `anywhere` if the response to the form may redirect to another site. */
  formAction?: 'self' | 'anywhere'
  closesWindow?: boolean
  /** Whether the borrower is done here, so that the page shows a tick. */
  isDone?: boolean
}

const tick = html`<div class="tick">${icon(check)}</div>`

const markOf = ({ language, brand }: JourneyReader): Html =>
  brand ? html`<p><b>${brand}</b> <small>${webBuild().poweredBy[language]}</small></p>` : html`<p><b>Lendloom</b></p>`

export const borrowerPage = (
  reader: JourneyReader,
  title: string,
  body: string | Html,
  { shouldReload = false, status = 200, formAction = 'self', closesWindow = false, isDone = false }: PageOptions = {},
): Answer =>
  plainPage({
    language: reader.language,
    title,
    status,
    formAction,
    mark: html`${markOf(reader)}${isDone && tick}`,
    body,
    closesWindow,
    ...(shouldReload && { refreshSeconds: 2 }),
  })
