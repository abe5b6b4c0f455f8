// A small server-rendered page: one heading, one style, no script, no external resources.

import { readFileSync } from 'node:fs'
import { styleOf } from '#kit/design/style.ts'
import { type Html, html } from './markup.ts'
import { pageAnswer } from './page-frame.ts'
import type { Answer } from './server.ts'

/** The style of every small page. */
const plainStyle = styleOf(readFileSync(new URL('./plain.css', import.meta.url), 'utf8'), 'large')

export interface PlainPage {
  /** English by default. */
  language?: string
  title: string
  /** Below the title; sentences or pieces of HTML. */
  body: string | Html
  status?: number
  /** Above the title. */
  mark?: Html
  style?: string
  /**
   * The target of its form; `anywhere` when the answer redirects to another host, which browsers also check against the
   * form's policy.
   */
  formAction?: 'self' | 'anywhere'
  /** The browser reloads after this many seconds. */
  refreshSeconds?: number
}

/** A page that loads nothing but its icon. */
export function plainPage(page: PlainPage): Answer {
  const { language = 'en', title, body, status, mark, style = plainStyle, formAction, refreshSeconds } = page
  const words = typeof body === 'string' ? html`<p>${body}</p>` : body
  return pageAnswer({
    ...{ language, title, style, status: status ?? 200, icon: '/favicon.ico' },
    body: html`<main>${mark}<h1>${title}</h1>${words}</main>`,
    policy: { 'img-src': `'self'`, ...(formAction && { 'form-action': formAction === 'self' ? `'self'` : null }) },
    headers: {
      'content-language': language,
      vary: 'accept-language',
      ...(refreshSeconds !== undefined && { refresh: String(refreshSeconds) }),
    },
  })
}
