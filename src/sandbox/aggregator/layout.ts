// The frame of the aggregator's pages, which may lead back to whoever sent the borrower.

import { type Html, html } from '#kit/http/markup.ts'
import type { Answer } from '#kit/http/server.ts'
import { framed, htmlAnswer } from '#sandbox/core/page.ts'
import { aggregatorName } from './parties.ts'

const footer = html`<p>This account aggregator is fictional, and so are its banks. Nobody's data is shared here.</p>`

export function pageAnswer(
  title: string,
  body: Html,
  { status = 200, back = null }: { status?: number; back?: string | null | undefined } = {},
): Answer {
  const page = { title: `${title} · ${aggregatorName}`, heading: title, brand: aggregatorName, body, footer }
  return htmlAnswer(framed(page), status, { back })
}
