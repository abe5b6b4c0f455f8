// A small server-rendered page: one heading, one style sheet, no script, no external resources.

import { readFileSync } from 'node:fs'
import { styleOf } from '#kit/design/style.ts'
import { type Html, html } from './markup.ts'
import { pageAnswer } from './page-frame.ts'
import type { Answer } from './server.ts'

/** The default style of small pages. */
const plainStyle = styleOf(readFileSync(new URL('./plain.css', import.meta.url), 'utf8'), 'large')

export interface PlainPage {
  /** English by default. */
  language?: string
  title: string
  /** The content below the title, as plain text or HTML. */
  body: string | Html
  status?: number
  /** A logo above the title. */
  mark?: Html
  style?: string
  /**
   * Where the page's form may lead. `anywhere` is needed when its answer redirects to another host, because browsers
   * check `form-action` for redirects too.
   */
  formAction?: 'self' | 'anywhere'
  /** The browser reloads after this many seconds. */
  refreshSeconds?: number
}

/** Renders a page that loads nothing but its icon. */
export function plainPage(page: PlainPage): Answer {
  const { language = 'en', title, body, status, mark, style = plainStyle, formAction, refreshSeconds } = page
  const content = typeof body === 'string' ? html`<p>${body}</p>` : body
  return pageAnswer({
    ...{ language, title, style, status: status ?? 200, icon: '/favicon.ico' },
    body: html`<main>${mark}<h1>${title}</h1>${content}</main>`,
    policy: { 'img-src': `'self'`, ...(formAction && { 'form-action': formAction === 'self' ? `'self'` : null }) },
    headers: {
      'content-language': language,
      vary: 'accept-language',
      ...(refreshSeconds !== undefined && { refresh: String(refreshSeconds) }),
    },
  })
}
