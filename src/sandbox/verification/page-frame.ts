// The frame of the providers' pages, with a way back to whoever sent the borrower.

import { type Html, html } from '#kit/http/markup.ts'
import type { Answer } from '#kit/http/server.ts'
import { framed, htmlAnswer } from '#sandbox/core/page.ts'

export interface Framed {
  brand: string
  title: string
  body: Html
  status?: number
  back: string | null
}

const footer = html`<p>This provider is fictional. Nobody is identified, no account is debited and nothing is signed here.</p>`

export const pageAnswer = ({ brand, title, body, status = 200, back }: Framed): Answer =>
  htmlAnswer(framed({ title: `${title} · ${brand}`, heading: title, brand, body, footer }), status, { back })
