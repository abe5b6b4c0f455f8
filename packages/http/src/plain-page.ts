// A small server-rendered page with one heading and one style sheet, without external resources.

import { readFileSync } from 'node:fs'
import { styleOf } from '@lendloom/design/style'
import { Html, html } from './markup.ts'
import { pageAnswer, sourceOf } from './page-frame.ts'
import type { Answer } from './server.ts'

/** The rules of these pages, for a page that has them in a theme of its own. */
export const plainRules = readFileSync(new URL('./plain.css', import.meta.url), 'utf8')
const plainStyle = styleOf(plainRules, 'large')

export interface PlainPage {
  language?: string
  title: string
  /** The content below the title, as plain text or HTML. */
  body: string | Html
  status?: number
  /** A logo above the title. */
  mark?: Html
  style?: string
  /**
   * Where the form of the page may lead. A form whose answer redirects to another host needs `anywhere`, because
   * browsers also check redirects.
   */
  formAction?: 'self' | 'anywhere'
  /** The browser reloads after this many seconds. */
  refreshSeconds?: number
  /** Closes the window shortly after, so that the borrower is back on the page that opened it. Browsers close no other. */
  closesWindow?: boolean
}

/** Leaves time to read the page, and to hear it from a screen reader. */
const closing = 'setTimeout(close,3000)'

/** Renders a page that loads only its icon. */
export function plainPage(page: PlainPage): Answer {
  const { language = 'en', title, body, status, mark, style = plainStyle, formAction, refreshSeconds } = page
  const { closesWindow = false } = page
  const content = typeof body === 'string' ? html`<p>${body}</p>` : body
  return pageAnswer({
    language,
    title,
    style,
    status: status ?? 200,
    body: html`<main>${mark}<h1>${title}</h1>${content}</main>${closesWindow && html`<script>${new Html(closing)}</script>`}`,
    policy: {
      ...(formAction && { 'form-action': formAction === 'self' ? `'self'` : null }),
      ...(closesWindow && { 'script-src': sourceOf(closing) }),
    },
    headers: {
      'content-language': language,
      vary: 'accept-language',
      ...(refreshSeconds !== undefined && { refresh: String(refreshSeconds) }),
    },
  })
}
