// Style sheets of server-rendered pages: the design tokens that a page uses, and its rules.

import { readFileSync } from 'node:fs'
import { inHex, lchOf } from './colour.ts'

const read = (name: string): string =>
  readFileSync(new URL(`./${name}`, import.meta.url), 'utf8').replace(/\/\*[^*]*\*\/\n?/g, '')

/** A value for light pages and one for dark pages; equal for tokens that are not colours. */
export interface Token {
  light: string
  dark: string
}

/** `work` for staff pages, `large` for borrowers. */
export type Size = 'work' | 'large'

const source = read('tokens.css')
const paired = /^light-dark\((oklch\([^)]*\)), (oklch\([^)]*\))\)$/

function tokensIn(selector: string): Map<string, Token> {
  const start = source.indexOf(`${selector} {`)
  const block = source.slice(start, source.indexOf('\n}', start))
  return new Map(
    [...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => {
      const [, light = value, dark = value] = paired.exec(value) ?? []
      return [name, { light, dark }]
    }),
  )
}

const work = tokensIn(':root')
const scales = { work, large: new Map([...work, ...tokensIn(':root[data-size="large"]')]) }

export type DesignTokens = ReadonlyMap<string, Token>

/** The tokens of a size, with others in the place of some of them. */
export const tokensWith = (size: Size, others: Iterable<[name: string, token: Token]>): DesignTokens =>
  new Map([...scales[size], ...others])

/** Rules in which every token has its value that is the same in light and in dark. */
export function inlineTokens(rules: string, size: Size = 'work', tokens: DesignTokens = scales[size]): string {
  const value = (whole: string, name: string): string => {
    const token = tokens.get(name)
    return token && token.light === token.dark ? inHex(token.light) : whole
  }
  return rules.replace(/var\((--[\w-]+)\)/g, value)
}

/** The names of the tokens that differ in light and in dark, of those that the rules use. */
export const colourTokensIn = (rules: string): string[] =>
  [...work].flatMap(([name, { light, dark }]) => (light !== dark && rules.includes(`var(${name})`) ? [name] : []))

/** The colour tokens that the rules use: light ones, and dark ones by the browser's preference. */
export const tokensFor = (rules: string): string => rootOf(usedBy(rules), rootFont(tokenOf('--sans').light))

const usedBy = (rules: string): [name: string, token: Token][] =>
  colourTokensIn(rules).map((name) => [name, tokenOf(name)])

/** As above with the reader's choice in `data-theme` of the root; placed after the tokens. */
export const themesFor = (rules: string): string =>
  (['light', 'dark'] as const)
    .map((tone) => `:root[data-theme=${tone}]{color-scheme:${tone};${valuesOf(usedBy(rules), tone)}}`)
    .join('')

/** The root's font. */
export const rootFont = (stack: string): string => `color-scheme:light dark;font-family:${stack.replaceAll(', ', ',')};`

/** The rules that give tokens their values, after what else the root has. */
export function rootOf(tokens: [name: string, token: Token][], more = ''): string {
  return `:root{${more}${valuesOf(tokens, 'light')}}@media(prefers-color-scheme:dark){:root{${valuesOf(tokens, 'dark')}}}`
}

const valuesOf = (tokens: [name: string, token: Token][], tone: keyof Token): string =>
  tokens.map(([name, token]) => `${name}:${inHex(token[tone])}`).join(';')

/** Returns a token. Throws for an unknown name. */
export function tokenOf(name: string): Token {
  const token = work.get(name)
  if (!token) throw new Error(`there is no token ${name}`)
  return token
}

/** The parts that pages share: headings, links, buttons, fields, tables, badges, notices. */
export const controls = read('controls.css')
/** The common style of the back offices: bar, figures, facts, panels, charts. */
export const office = read('office.css')

/** The style sheet of a page: tokens, shared parts, and its own rules. */
export function styleOf(rules: string, size: Size = 'work'): string {
  const all = inlineTokens(controls + rules, size)
  return `${tokensFor(all)}\n${all}`
}

/** The accent in the hue of a colour such as `#1f4f8f`, in the lightness of the tokens, so that words on it stay legible. */
export function accentOf(colour: string): string {
  const hue = lchOf(colour).hue.toFixed(1)
  const turned = (value: string): string => value.replace(/ [\d.]+\)$/, ` ${hue})`)
  const names = ['--accent', '--accent-fill', '--accent-deep', '--accent-tint']
  return rootOf(
    names.map((name) => {
      const { light, dark } = tokenOf(name)
      return [name, { light: turned(light), dark: turned(dark) }]
    }),
  )
}

/** Rules in one fixed tone, independent of the reader's system. */
export const inTone = (rules: string, tone: keyof Token): string =>
  rules
    .replaceAll(/@media ?\(prefers-color-scheme: ?dark\)/g, tone === 'dark' ? '@media all' : '@media not all')
    .replace('color-scheme:light dark', `color-scheme:${tone}`)
