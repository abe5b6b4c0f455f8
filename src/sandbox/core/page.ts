// The one frame of every page of the sandbox, and the headers it is served with: nothing from elsewhere, no frames, no referrer.

import { type Html, html } from '#kit/http/markup.ts'
import { type Answer, answer } from '#kit/http/server.ts'

export interface Page {
  /** In the bar of the browser, and the heading unless another one is given. */
  title: string
  heading?: string
  /** The company whose page it is, with a logo where it has one. */
  brand: string
  logo?: string
  tag?: string
  /** A further stylesheet, such as the colours of the brand. */
  sheet?: string
  body: Html
  /** Paragraphs below the page. */
  footer?: Html
  /** Adds the small script that closes the window where the browser lets it. */
  closes?: boolean
  /** Documents may be wider than what a borrower fills in. */
  wide?: boolean
}

export const framed = (page: Page): Html => {
  const { title, heading = title, brand, logo, tag = 'Sandbox', sheet, body, footer, closes, wide } = page
  return html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/lenders/-/page.css">
${sheet !== undefined && html`<link rel="stylesheet" href="${sheet}">`}
${closes && html`<script src="/lenders/-/close.js" defer></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="brand">${logo !== undefined && html`<img src="${logo}" alt="" width="40" height="40">`}<span>${brand}</span><span class="tag">${tag}</span></header>
<main id="main" class="${wide ? 'wide' : 'narrow'}">
<h1>${heading}</h1>
${body}
</main>
${footer && html`<footer>${footer}</footer>`}
</body>
</html>`
}

/** A page of forms loads nothing but its style. Its answer may be a redirection, which browsers hold to `form-action`. */
interface FormsOnly {
  back: string | null
}

const policyHeader = (forms: FormsOnly | null): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    ...(forms ? [] : ["script-src 'self'", "img-src 'self'"]),
    `form-action ${["'self'", ...(forms?.back ? [new URL(forms.back).origin] : [])].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

/** Answers with a page that was framed. One of `forms` only may name a way back to another host. */
export const htmlAnswer = (page: Html, status = 200, forms: FormsOnly | null = null): Answer =>
  answer(status, `<!doctype html>\n${page.text}`, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyHeader(forms),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })

/** Facts in two columns. */
export const facts = (rows: [label: string, value: string | Html][]): Html =>
  html`<dl class="facts">${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`
