// Style sheets of server-rendered pages: the rules of a page, and the design tokens that it uses.

import { readFileSync } from 'node:fs'
import { inHex, lchOf } from './colour.ts'

const read = (name: string): string =>
  readFileSync(new URL(`./${name}`, import.meta.url), 'utf8').replace(/\/\*[^*]*\*\/\n?/g, '')

/** The values of a token for light and dark pages; they are equal unless the token is a colour. */
export interface Token {
  light: string
  dark: string
}

type NamedToken = [name: string, token: Token]

/** `work` for staff pages, `large` for borrowers. */
export type Size = 'work' | 'large'

const source = read('tokens.css')
const lightAndDark = /^light-dark\((oklch\([^)]*\)), (oklch\([^)]*\))\)$/

function tokensIn(selector: string): Map<string, Token> {
  const start = source.indexOf(`${selector} {`)
  const block = source.slice(start, source.indexOf('\n}', start))
  return new Map(
    [...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => {
      const [, light = value, dark = value] = lightAndDark.exec(value) ?? []
      return [name, { light, dark }]
    }),
  )
}

const work = tokensIn(':root')
const scales = { work, large: new Map([...work, ...tokensIn(':root[data-size="large"]')]) }

export type DesignTokens = ReadonlyMap<string, Token>

/** The tokens of a size, some of them replaced by `others`. */
export const tokensWith = (size: Size, others: Iterable<NamedToken>): DesignTokens =>
  new Map([...scales[size], ...others])

/** Replaces each token that is equal on light and dark pages by its value. */
export function inlineTokens(rules: string, size: Size = 'work', tokens: DesignTokens = scales[size]): string {
  const inlined = (reference: string, name: string): string => {
    const token = tokens.get(name)
    return token && token.light === token.dark ? inHex(token.light) : reference
  }
  return rules.replace(/var\((--[\w-]+)\)/g, inlined)
}

/** The names of the tokens in the rules that differ between light and dark pages. */
export const colourTokensIn = (rules: string): string[] =>
  [...work].flatMap(([name, { light, dark }]) => (light !== dark && rules.includes(`var(${name})`) ? [name] : []))

/** Sets the colour tokens that the rules use, light or dark by the preference of the browser. */
const tokensFor = (rules: string): string => rootOf(tokensUsedBy(rules), rootFont(tokenOf('--sans').light))

const tokensUsedBy = (rules: string): NamedToken[] => tokensNamed(colourTokensIn(rules))

/** The tokens with these names, with their names. Throws for an unknown name. */
export const tokensNamed = (names: string[]): NamedToken[] => names.map((name) => [name, tokenOf(name)])

/** Sets them by the reader's choice in `data-theme` of the root; follows the rules of `tokensFor`. */
export const themesFor = (rules: string): string => themesOf(tokensUsedBy(rules))

const themesOf = (tokens: NamedToken[]): string =>
  (['light', 'dark'] as const)
    .map((tone) => `:root[data-theme=${tone}]{color-scheme:${tone};${valuesOf(tokens, tone)}}`)
    .join('')

/** Sets every token, by the preference of the browser or the reader's choice in `data-theme` of the root. */
export function everyToken(): string {
  const colours = [...work].filter(([, { light, dark }]) => light !== dark)
  const others = [...work].filter(([, { light, dark }]) => light === dark)
  const declarations = `${rootFont(tokenOf('--sans').light)}${valuesOf(others, 'light')};`
  return rootOf(colours, declarations) + themesOf(colours)
}

/** Declarations for the root: both tones, and a font stack. */
export const rootFont = (stack: string): string => `color-scheme:light dark;font-family:${stack.replaceAll(', ', ',')};`

/** The root rules: the given declarations, then the values of the tokens for light and dark pages. */
export function rootOf(tokens: NamedToken[], declarations = ''): string {
  return `:root{${declarations}${valuesOf(tokens, 'light')}}@media(prefers-color-scheme:dark){:root{${valuesOf(tokens, 'dark')}}}`
}

const valuesOf = (tokens: NamedToken[], tone: keyof Token): string =>
  tokens.map(([name, token]) => `${name}:${inHex(token[tone])}`).join(';')

/** Returns a token. Throws for an unknown name. */
export function tokenOf(name: string): Token {
  const token = work.get(name)
  if (!token) throw new Error(`there is no token ${name}`)
  return token
}

/** The rules of parts that pages share: headings, links, buttons, fields, tables, badges, notices. */
export const controls = read('controls.css')
/** The common style of the back offices: bar, figures, facts, panels, charts. */
export const office = read('office.css')

/** The style sheet of a page: tokens, shared parts, and its own rules. */
export function styleOf(rules: string, size: Size = 'work'): string {
  const all = inlineTokens(controls + rules, size)
  return `${tokensFor(all)}\n${all}`
}

/** The accent tokens in the hue of a colour such as `#1f4f8f`; their lightness stays, so that text stays legible. */
export function accentOf(colour: string): string {
  const hue = lchOf(colour).hue.toFixed(1)
  const withHue = (value: string): string => value.replace(/ [\d.]+\)$/, ` ${hue})`)
  const names = ['--accent', '--accent-fill', '--accent-deep', '--accent-tint']
  return rootOf(
    names.map((name) => {
      const { light, dark } = tokenOf(name)
      return [name, { light: withHue(light), dark: withHue(dark) }]
    }),
  )
}

/** Fixes rules to one tone, whatever the reader's system prefers. */
export const inTone = (rules: string, tone: keyof Token): string =>
  rules
    .replaceAll(/@media ?\(prefers-color-scheme: ?dark\)/g, tone === 'dark' ? '@media all' : '@media not all')
    .replace('color-scheme:light dark', `color-scheme:${tone}`)
