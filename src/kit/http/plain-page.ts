// A small page that a server makes: one heading, one style, no script, nothing from anywhere else.

import { readFileSync } from 'node:fs'
import { styleOf } from '#kit/design/style.ts'
import { Html, html, styleSource } from './markup.ts'
import { type Answer, answer } from './server.ts'

/** What every small page is styled by. */
export const plainStyle = styleOf(readFileSync(new URL('./plain.css', import.meta.url), 'utf8'), 'large')

export interface PlainPage {
  /** English unless told. */
  language?: string
  title: string
  body: Html
  status?: number
  /** Where its form may lead: `self`, unless the answer redirects to somebody else, which browsers hold against a form. */
  formAction?: 'self' | 'anywhere'
  /** The browser looks again after so many seconds. */
  refreshSeconds?: number
}

/** Answers with the page; it is kept by nobody and shown in no frame. */
export function plainPage({
  language = 'en',
  title,
  body,
  status = 200,
  formAction = 'self',
  refreshSeconds,
}: PlainPage): Answer {
  const form = formAction === 'self' ? " form-action 'self';" : ''
  const whole = html`<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${new Html(plainStyle)}</style></head>
<body><main><h1>${title}</h1>
${body}</main></body></html>`
  return answer(status, `<!doctype html>\n${whole.text}`, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; ${styleSource(plainStyle)};${form} base-uri 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(refreshSeconds !== undefined && { refresh: String(refreshSeconds) }),
  })
}
