// The hosted page's HTML, with all security headers.

import { brotliCompressSync } from 'node:zlib'
import { inTone } from '@lendloom/design/style'
import { copyBytes } from '@lendloom/foundation/cache'
import { acceptsCoding } from '@lendloom/http/compress-answer'
import { escaped } from '@lendloom/http/markup'
import { type PagePolicy, pageHeaders } from '@lendloom/http/page-frame'
import type { Language } from '@lendloom/lending/language'
import { digestOf } from '@lendloom/seal/token'
import type { ColorScheme } from '@lendloom/wire/hosted/color-scheme'
import type { StaticAnswer, WebBuild } from '#platform/api/web-build.ts'
import { type PageTheme, pageWithName, themedPage } from './themed-page.ts'

/** An exact origin; for the sandbox also any port of localhost. */
const exactOrigin = /^(https?:\/\/[a-z0-9.-]+(:\d{1,5})?|http:\/\/(localhost|127\.0\.0\.1):\*)$/i

export interface EmbedPageRequest {
  language: Language
  /** The exact origins of pages that may frame this one and receive its messages; empty for a standalone page. */
  origins: string[]
  acceptEncoding?: string | undefined
  /** URL to which browsers report policy violations; null if they are not reported. */
  reportUrl?: string | null
  /** The application's name for the header of the default look; null without an application. */
  name?: string | null
  /** The application's theme, with its own name; null for the default look. */
  theme?: PageTheme | null
  /** The fixed colour scheme; null to follow the device. */
  scheme?: ColorScheme | null
  /** Whether the document shows that the page is loading, instead of the form. */
  isFormSent?: boolean
}

/** Returns the document of `/lab/embed`. It contains no personal data: only the token identifies the borrower. */
export function embedPage(
  build: WebBuild,
  { language, origins, acceptEncoding, reportUrl = null, name = null, theme = null, ...options }: EmbedPageRequest,
): StaticAnswer {
  const { scheme = null, isFormSent = false } = options
  const invalidOrigin = origins.find((origin) => !exactOrigin.test(origin))
  if (invalidOrigin !== undefined) throw new Error(`${invalidOrigin} is not an exact origin`)
  const base = theme
    ? themedPage(build, language, theme)
    : {
        document: name === null ? build.documents[language] : pageWithName(build, language, name),
        hash: build.styleHash,
      }
  const { document, hash } = scheme ? restrictToScheme(base.document, scheme) : base
  const headers = {
    'content-language': language,
    ...pageHeaders(policyOf(build, hash, { origins, reportUrl })),
    ...(reportUrl !== null && { 'reporting-endpoints': `csp="${reportUrl}"` }),
    'permissions-policy': 'camera=(self), microphone=(self), geolocation=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'origin-agent-cluster': '?1',
    vary: 'accept-encoding, accept-language',
  }
  const shown = isFormSent ? withoutForm(document, build.working[language]) : document
  const html = shown.replace('"hostOrigins":[]', () => `"hostOrigins":${JSON.stringify(origins)}`)
  if (!acceptsCoding(acceptEncoding, 'br')) return { headers, body: Buffer.from(html) }
  return {
    headers: { ...headers, 'content-encoding': 'br' },
    body: compressOnce(build, JSON.stringify([language, scheme, isFormSent, origins, theme ?? name]), html),
  }
}

/** Replaces progress bar and form by the text of a loading page, which the script then renders too. */
function withoutForm(document: string, working: string): string {
  const start = document.indexOf('<nav aria-label')
  const end = document.indexOf('</main>', start)
  const page = `${document.slice(0, start)}<main><p class="loading">${escaped(working)}</p>${document.slice(end)}`
  return page.replace('"hostOrigins":[]', '"isFormSent":true,"hostOrigins":[]')
}

/** Returns the document in only one colour scheme, and the hash of its style. */
function restrictToScheme(document: string, scheme: ColorScheme): { document: string; hash: string } {
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(document) ?? []
  const schemeStyle = inTone(style, scheme)
  return { document: document.replace(style, () => schemeStyle), hash: digestOf(schemeStyle).toString('base64') }
}

function policyOf(
  build: WebBuild,
  styleHash: string,
  { origins, reportUrl }: { origins: string[]; reportUrl: string | null },
): PagePolicy {
  return {
    'script-src': `'self' 'sha256-${build.scriptHash}'`,
    'style-src': `'self' 'sha256-${styleHash}' 'sha256-${build.noscriptHash}'`,
    'img-src': `'self' data:`,
    'font-src': `'self'`,
    'connect-src': `'self'`,
    'frame-src': `'none'`,
    'worker-src': `'none'`,
    'object-src': `'none'`,
    'frame-ancestors': origins.length > 0 ? origins.join(' ') : `'none'`,
    'require-trusted-types-for': `'script'`,
    'trusted-types': `'none'`,
    ...(reportUrl !== null && { 'report-to': 'csp' }),
  }
}

/** Compresses each document once, because brotli's best level takes 50 ms. */
function compressOnce(build: WebBuild, key: string, html: string): Buffer {
  const cached = build.packed.get(key)
  if (cached) return cached
  const body = copyBytes(brotliCompressSync(html))
  build.packed.set(key, body)
  return body
}
