// The frame of every page that a server makes: its document, and the headers that guard it.

import { digestOf } from '#kit/crypto/token.ts'
import { Html, html } from './markup.ts'
import { type Answer, answer } from './route.ts'

/** A page's content security policy, by directive. Framing, forms and base are denied by default; null lifts that. */
export type PagePolicy = Record<string, string | null>

export interface PageFrame {
  /** English by default. */
  language?: string
  title: string
  /** The rules within the document. */
  style?: string
  /** Addresses of stylesheets. */
  sheets?: string[]
  icon?: string
  /** Further content of the head, such as a script. */
  head?: Html | null
  bodyClass?: string
  body: Html
  policy?: PagePolicy
  status?: number
  /** Additional headers, or replacements. */
  headers?: Record<string, string>
}

/** No cache keeps the answer, no browser guesses its type, and its address is not passed on. */
export const privateHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const refused: PagePolicy = { 'base-uri': `'none'`, 'form-action': `'none'`, 'frame-ancestors': `'none'` }

export function pageHeaders(policy: PagePolicy): Record<string, string> {
  const directives = Object.entries({ 'default-src': `'none'`, ...refused, ...policy })
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': directives
      .flatMap(([name, value]) => (value === null ? [] : `${name} ${value}`))
      .join('; '),
    ...privateHeaders,
  }
}

/** The source of a policy that lets one style or script of the document in. */
export const sourceOf = (text: string): string => `'sha256-${digestOf(text).toString('base64')}'`

export function pageAnswer(page: PageFrame): Answer {
  const { language = 'en', title, icon, sheets = [], style, head, bodyClass, body, status = 200 } = page
  const { text } = html`<html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title>
${icon && html`<link rel="icon" href="${icon}">`}${sheets.map((sheet) => html`<link rel="stylesheet" href="${sheet}">`)}${
  style && html`<style>${new Html(style)}</style>`
}${head}</head>
<body${bodyClass && html` class="${bodyClass}"`}>${body}</body></html>`
  const sources = style ? sourceOf(style) : sheets.length > 0 && `'self'`
  const headers = pageHeaders({ ...(sources && { 'style-src': sources }), ...page.policy })
  return answer(status, `<!doctype html>\n${text}\n`, { ...headers, ...page.headers })
}

/** A file that the browser shows. */
export const shownFile = (name: string, type: string, body: unknown, more: Answer['headers'] = {}): Answer =>
  answer(200, body, {
    ...{ 'content-type': type, 'content-disposition': `inline; filename="${name}"` },
    ...privateHeaders,
    ...more,
  })

export const redirect = (location: string, status: 302 | 303 = 303): Answer =>
  answer(status, '', { location, ...privateHeaders })
