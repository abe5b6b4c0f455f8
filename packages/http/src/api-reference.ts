// The page of an API reference: Scalar shows an OpenAPI document of this program, without any other server.

import { readFileSync } from 'node:fs'
import { everyToken } from '@lendloom/design/style'
import { Html, html } from './markup.ts'
import { pageAnswer, sourceOf } from './page-frame.ts'
import type { Answer } from './route.ts'

interface ReferenceLink {
  href: string
  text: string
}

export interface ReferencePage {
  title: string
  /** The address of the OpenAPI document. */
  documentUrl: string
  /** The address of Scalar's script. */
  scalar: string
  /** Other documentation, in the bar. */
  links: ReferenceLink[]
  /** Whether readers may send requests from the page; only if this program serves the API itself. */
  maySend: boolean
}

/**
 * Scalar writes style elements and data images, so this page alone allows them. Scripts are those of this program, and
 * nothing is loaded from elsewhere.
 */
const policy = {
  'script-src': `'self'`,
  'style-src': `'self' 'unsafe-inline'`,
  'img-src': `'self' data:`,
  'font-src': `'self' data:`,
  'connect-src': `'self'`,
}

/** Returns the page, whose script asks for the document. */
export function referencePage({ title, documentUrl, scalar, links, maySend }: ReferencePage): Answer {
  const settings = JSON.stringify({ documentUrl, maySend })
  const body = html`<header class="reference-bar"><a href="/">Lendloom</a>${links.map(
    ({ href, text }) => html`<a href="${href}">${text}</a>`,
  )}<a href="${documentUrl}">OpenAPI 3.1</a></header>
<main id="reference" data-settings="${settings}"></main>
<noscript><p class="reference-note">This page needs scripts. The document itself is at <a href="${documentUrl}">${documentUrl}</a>.</p></noscript>
<script src="${scalar}"></script><script type="module">${new Html(script)}</script>`
  return pageAnswer({
    title,
    style,
    body,
    policy: { ...policy, 'script-src': `'self' ${sourceOf(script)}` },
    // The console has the same opener policy, so that it can open the page and send it an API key.
    headers: { 'cache-control': 'no-cache', 'cross-origin-opener-policy': 'same-origin' },
  })
}

const read = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
/** Our controls would change Scalar's, so the page has the tokens alone. */
const style = everyToken() + read('reference.css')
const script = read('reference.js')
