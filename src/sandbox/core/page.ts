// What every page of the sandbox has in common: header, footer, style, and a policy that lets in nothing from elsewhere.

import { readFileSync } from 'node:fs'
import { resolved, styleOf } from '#kit/design/style.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { type PageFrame, pageAnswer } from '#kit/http/page-frame.ts'
import type { Answer } from '#kit/http/server.ts'

export interface SandboxPage {
  /** The page's title, and its heading by default. */
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

export const framed = (page: SandboxPage): PageFrame => {
  const { title, heading = title, brand, logo, tag = 'Sandbox', sheet, body, footer, closes, wide } = page
  return {
    title,
    sheets: ['/lenders/-/page.css', ...(sheet === undefined ? [] : [sheet])],
    head: closes ? html`<script src="/lenders/-/close.js" defer></script>` : null,
    body: html`<a class="skip" href="#main">Skip to the content</a>
<header class="brand">${logo !== undefined && html`<img src="${logo}" alt="" width="40" height="40">`}<span>${brand}</span><span class="tag">${tag}</span></header>
<main id="main" class="${wide ? 'wide' : 'narrow'}">
<h1>${heading}</h1>
${body}
</main>
${footer && html`<footer>${footer}</footer>`}`,
  }
}

/** A page of forms loads nothing but its style. Its answer may be a redirection, which browsers hold to `form-action`. */
interface FormsOnly {
  back: string | null
}

/** Answers with a page that was framed. One of `forms` only may name a way back to another host. */
export function htmlAnswer(page: PageFrame, status = 200, forms: FormsOnly | null = null): Answer {
  const policy = {
    ...(!forms && { 'script-src': `'self'`, 'img-src': `'self'` }),
    'form-action': ["'self'", ...(forms?.back ? [new URL(forms.back).origin] : [])].join(' '),
  }
  return pageAnswer({ ...page, status, policy })
}

/** Facts in two columns. */
export const facts = (rows: [label: string, value: string | Html][]): Html =>
  html`<dl class="facts">${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`

/** What is wrong with what was sent. */
export const notice = (fault: string | null): Html | null =>
  fault === null ? null : html`<p class="notice bad" role="alert">${fault}</p>`

const read = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')

/** The files that all pages of the sandbox share, read once. */
export const assets = {
  'page.css': { type: 'text/css; charset=utf-8', text: styleOf(read('page.css'), 'large') },
  'home.css': { type: 'text/css; charset=utf-8', text: resolved(read('home.css'), 'large') },
  'close.js': { type: 'text/javascript; charset=utf-8', text: read('close.js') },
} as const

/** The last four characters, the rest hidden. */
export const masked = (text: string): string => `${'•'.repeat(Math.max(0, text.length - 4))}${text.slice(-4)}`
