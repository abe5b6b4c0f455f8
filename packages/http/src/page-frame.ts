// Builds the HTML document and the security headers of every server-rendered page.

import { digestOf } from '@lendloom/seal/token'
import { Html, html } from './markup.ts'
import { type Answer, answer } from './route.ts'

/** The content security policy of a page, by directive. Null removes a default directive. Images are of the own origin. */
export type PagePolicy = Record<string, string | null>

export interface PageFrame {
  /** English by default. */
  language?: string
  title: string
  style?: string
  /** Addresses of stylesheets. */
  sheets?: string[]
  /** Further content of the `head` element, such as a script. */
  head?: Html | null
  bodyClass?: string
  body: Html
  policy?: PagePolicy
  status?: number
  /** Added to the default headers, or replace them. */
  headers?: Record<string, string>
}

/** Prevents caching, sniffing of the content type, and sending the address of the page as referrer. */
export const privateHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const deniedByDefault: PagePolicy = { 'base-uri': `'none'`, 'form-action': `'none'`, 'frame-ancestors': `'none'` }

export function pageHeaders(policy: PagePolicy): Record<string, string> {
  const directives = Object.entries({ 'default-src': `'none'`, ...deniedByDefault, ...policy })
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': directives
      .flatMap(([name, value]) => (value === null ? [] : `${name} ${value}`))
      .join('; '),
    // Browsers ignore it over http.
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    ...privateHeaders,
  }
}

/** Returns the policy source that allows exactly this inline style or script. */
export const sourceOf = (text: string): string => `'sha256-${digestOf(text).toString('base64')}'`

export function pageAnswer(page: PageFrame): Answer {
  const { language = 'en', title, sheets = [], style, head, bodyClass, body, status = 200 } = page
  const { text } = html`<html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title>
<link rel="icon" href="/favicon.ico">${sheets.map((sheet) => html`<link rel="stylesheet" href="${sheet}">`)}${
    style && html`<style>${new Html(style)}</style>`
  }${head}</head>
<body${bodyClass && html` class="${bodyClass}"`}>${body}</body></html>`
  const sources = style ? sourceOf(style) : sheets.length > 0 && `'self'`
  const headers = pageHeaders({ 'img-src': `'self'`, ...(sources && { 'style-src': sources }), ...page.policy })
  return answer(status, `<!doctype html>\n${text}\n`, { ...headers, ...page.headers })
}

/** Answers with a file that the browser displays and does not download. */
export const inlineFile = (name: string, type: string, body: unknown, more: Answer['headers'] = {}): Answer =>
  answer(200, body, {
    'content-type': type,
    'content-disposition': `inline; filename="${name}"`,
    ...privateHeaders,
    ...more,
  })

export const redirect = (location: string, status: 302 | 303 = 303): Answer =>
  answer(status, '', { location, ...privateHeaders })
