// The frame of the sandbox's pages: header, footer, styles and content security policy.

import { readFileSync } from 'node:fs'
import { inlineTokens, styleOf } from '@lendloom/design/style'
import { type Html, html } from '@lendloom/http/markup'
import { type PageFrame, type PagePolicy, pageAnswer } from '@lendloom/http/page-frame'
import type { Answer } from '@lendloom/http/server'

export interface SandboxPage {
  /** The page's title, and its heading by default. */
  title: string
  heading?: string
  brand: string
  logo?: string
  back?: Html
  tag?: string
  /** A further stylesheet, such as the colours of the brand. */
  sheet?: string
  body: Html
  /** Paragraphs below the content. */
  footer?: Html
  /** Adds a script that closes the window, if the browser allows it. */
  closesWindow?: boolean
  /** An address of the app that the page calls, with or without scripts; the page does not wait for the answer. */
  tellsApp?: string | null
  /** Uses the wide layout, for documents. */
  isWide?: boolean
}

export const framed = (page: SandboxPage): PageFrame => {
  const { title, heading = title, brand, logo, back, tag = 'Sandbox', sheet } = page
  const { body, footer, closesWindow, tellsApp = null, isWide } = page
  return {
    title,
    sheets: ['/lenders/-/page.css', ...(sheet === undefined ? [] : [sheet])],
    head: html`${tellsApp !== null && html`<script src="/lenders/-/tell-app.js" data-address="${tellsApp}" defer></script>`}${
      closesWindow && html`<script src="/lenders/-/close.js" defer></script>`
    }`,
    ...(tellsApp !== null && { policy: policyTowards(new URL(tellsApp).origin) }),
    body: html`<a class="skip" href="#main">Skip to the content</a>
<header class="brand">${logo !== undefined && html`<img src="${logo}" alt="" width="40" height="40">`}<span>${brand}</span><span class="tag">${tag}</span></header>
<main id="main" class="${isWide ? 'wide' : 'narrow'}">
${back}<h1>${heading}</h1>
${body}
${tellsApp !== null && html`<noscript><img src="${tellsApp}" alt="" width="1" height="1"></noscript>`}
</main>
${footer && html`<footer>${footer}</footer>`}`,
  }
}

/** Lets a page call an app: by a script, or by an image where scripts are off. */
const policyTowards = (origin: string): PagePolicy => ({
  'connect-src': origin,
  'img-src': `'self' ${origin}`,
})

interface FormsPolicy {
  /** The URL to which a form's answer may redirect: browsers apply `form-action` to redirections too. */
  back: string | null
}

/** Answers with a framed page. With `forms` the page has no script. */
export function htmlAnswer(page: PageFrame, status = 200, forms: FormsPolicy | null = null): Answer {
  const policy = {
    ...page.policy,
    ...(!forms && { 'script-src': `'self'` }),
    'form-action': ["'self'", ...(forms?.back ? [new URL(forms.back).origin] : [])].join(' '),
  }
  return pageAnswer({ ...page, status, policy })
}

/** Facts in two columns. */
export const facts = (rows: [label: string, value: string | Html][]): Html =>
  html`<dl class="facts">${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`

/** A fault of the posted form, as an alert. */
export const notice = (fault: string | null): Html | null =>
  fault === null ? null : html`<p class="notice bad" role="alert">${fault}</p>`

const readAsset = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')

/** Styles and scripts of all sandbox pages, read once. */
export const assets = {
  'page.css': { type: 'text/css; charset=utf-8', text: styleOf(readAsset('page.css'), 'large') },
  'home.css': { type: 'text/css; charset=utf-8', text: inlineTokens(readAsset('home.css'), 'large') },
  'tell-app.js': { type: 'text/javascript; charset=utf-8', text: readAsset('tell-app.js') },
  'close.js': { type: 'text/javascript; charset=utf-8', text: readAsset('close.js') },
} as const

/** Masks all but the last four characters. */
export const masked = (text: string): string => `${'•'.repeat(Math.max(0, text.length - 4))}${text.slice(-4)}`
