// The hosted page in an application's theme, and its preview in the console.

import { readFileSync } from 'node:fs'
import { inHex } from '@lendloom/design/colour'
import { inlineTokens, inTone, type Token, tokensWith } from '@lendloom/design/style'
import { fontOf, type Theme, themedStyle, themedTokens, themeTokens } from '@lendloom/design/theme'
import { escaped } from '@lendloom/http/markup'
import { pageHeaders, sourceOf } from '@lendloom/http/page-frame'
import { type Answer, answer } from '@lendloom/http/server'
import type { Language } from '@lendloom/lending/language'
import { digestOf } from '@lendloom/seal/token'
import { logoSize } from '@lendloom/wire/hosted/color-scheme'
import type { ThemeStyle, WebBuild } from '#platform/api/web-build.ts'
import type { ApplicationKey, ThemeRow } from '#platform/integrators/access/theme/store.ts'
import { type LogoView, logoOf } from '#platform/integrators/access/theme.ts'

interface Preview {
  name: string
  theme: Theme
  tone: keyof Token
}

/** The page as the console shows it beside the form of a theme: without scripts, and inert. */
export function previewPage(build: WebBuild, { name, theme, tone }: Preview): Answer {
  const style = previewStyle(build, theme, tone)
  const document = withStyle(build, 'en', { style, name })
    .replace(/<noscript>.*?<\/noscript>/gs, '')
    .replace(/<script.*?<\/script>/gs, '')
    .replace('<body>', '<body inert>')
    // Selects an option, so that its colours are visible.
    .replace('type="radio"', 'type="radio" checked')
  return answer(200, document, {
    ...pageHeaders({
      'style-src': sourceOf(style),
      'img-src': `'self' data:`,
      'frame-ancestors': `'self'`,
      sandbox: 'allow-same-origin',
    }),
    'cross-origin-resource-policy': 'same-origin',
  })
}

/** Hides two fields, so that the button is visible on a phone's screen. */
const hiddenFields = 'form>:has(.date),form>:has([name=personalemail]){display:none}'

function previewStyle({ themed: { rules, colours } }: WebBuild, theme: Theme, tone: keyof Token): string {
  const tokens = tokensWith('large', themeTokens(theme))
  const values = [...colours, ...themedTokens, '--accent-deep'].map(
    (name) => `${name}:${inHex(tokens.get(name)?.[tone] ?? '')}`,
  )
  const root = `:root{color-scheme:${tone};font-family:var(--font,${fontOf(theme)});${values.join(';')}}`
  // The console sets `data-logo` to the kind of the logo; without a logo neither rule applies.
  const logoStyles = Object.entries(logoRules).map(([kind, css]) => `html[data-logo=${kind}]{${inTone(css, tone)}}`)
  return `${root}${rules}${hiddenFields}.main{border-color:var(--rim,transparent)}${inlineTokens(headerRules + logoStyles.join(''), 'large')}`
}

/**
 * An application's theme, with the name and logo in the page's header. The first response contains all of it, so that
 * the default look never flashes.
 */
export interface PageTheme extends Theme {
  name: string
  logo: LogoView | null
}

/** The theme of a stored row, with the address of its logo. */
export const pageTheme = (key: ApplicationKey, row: ThemeRow): PageTheme => ({
  name: row.name,
  accent: row.accent,
  corner: row.corner,
  font: row.font,
  logo: logoOf(key, row),
})

const readCss = (name: string): string =>
  readFileSync(new URL(name, import.meta.url), 'utf8').replace(/\/\*[^*]*\*\/\n?/g, '')
/** Styles of the header on every themed page; `logoRules` adds the styles of a square logo or a wordmark. */
const headerRules = readCss('brand.css')
const logoRules = { mark: readCss('brand-mark.css'), wordmark: readCss('brand-wordmark.css') }

function brandRules(logo: LogoView | null): string {
  if (!logo) return inlineTokens(headerRules, 'large')
  const { kind, width, height } = logoSize(logo)
  const size = `.brand{--logo:url("${logo.url}");--logo-width:${width}px;--logo-height:${height}px}`
  return inlineTokens(headerRules + logoRules[kind] + size, 'large')
}

const compact = (rules: string): string =>
  rules
    .replace(/\s*\n\s*/g, '')
    .replace(/\s*([{};:,])\s+/g, '$1')
    .replaceAll(' {', '{')
    .replaceAll(';}', '}')

/** The rules of a page's header in an application's theme. */
export const brandStyle = (logo: LogoView | null): string => compact(brandRules(logo))

function styleOf(build: WebBuild, theme: PageTheme): ThemeStyle {
  const key = JSON.stringify(theme)
  const cached = build.styles.get(key)
  if (cached) return cached
  const style = themedStyle(build.themed, theme) + brandStyle(theme.logo)
  if (/<\/style/i.test(style)) throw new Error('the style contains </style')
  const entry = { style, hash: digestOf(style).toString('base64') }
  build.styles.set(key, entry)
  return entry
}

/** Replaces a part of the document; throws if the part is missing. */
function replaceRequired(document: string, from: string | RegExp, to: string): string {
  const replaced = document.replace(from, () => to)
  if (replaced === document) throw new Error(`the document has no ${from}`)
  return replaced
}

const inScript = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c')

/** The document in an application's theme, with the hash of its style for the content security policy. */
export function themedPage(build: WebBuild, language: Language, theme: PageTheme): { document: string; hash: string } {
  const { style, hash } = styleOf(build, theme)
  return { document: withStyle(build, language, { style, name: theme.name }), hash }
}

/** Returns the document with this style and this name in its header. */
const withStyle = (build: WebBuild, language: Language, { style, name }: { style: string; name: string }): string =>
  replaceRequired(pageWithName(build, language, name), /<style>.*?<\/style>/s, `<style>${style}</style>`)

/** Returns the document in the default look, with the application's name in its header. */
export function pageWithName(build: WebBuild, language: Language, name: string): string {
  const poweredBy = build.poweredBy[language]
  const header = `<p class="brand"><b>${escaped(name)} </b><span>${escaped(poweredBy)}</span></p>`
  const withHeader = replaceRequired(build.documents[language], '<p class="brand"><b>Lendloom </b></p>', header)
  const withTexts = replaceRequired(withHeader, '"texts":{', `"texts":{"page.powered":${inScript(poweredBy)},`)
  return replaceRequired(withTexts, '"hostOrigins":[]', `"hostOrigins":[],"brand":${inScript(name)}`)
}
