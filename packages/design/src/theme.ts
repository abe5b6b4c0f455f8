// The theme of an application: its colour, corners and font. Only these tokens vary; colours of states, sizes and
// spacing are fixed, so that no theme can hide a warning or a lender.
import { accentIn, accentTokens } from './accent.ts'
import { inlineTokens, rootFont, rootOf, type Token, tokenOf, tokensWith } from './style.ts'
import type { Corner, Font } from './theme-lists.ts'

export interface Theme {
  /** A colour such as `#1f4f8f`. */
  accent: string
  corner: Corner
  font: Font
}

/** Radii of controls, cards and sheets; `soft` equals the tokens. */
const radii: Record<Corner, readonly [control: string, card: string, sheet: string]> = {
  square: ['0px', '0px', '0px'],
  soft: ['10px', '14px', '16px'],
  round: ['26px', '24px', '28px'],
}
const radiusTokens = ['--radius', '--radius-card', '--radius-sheet'] as const

const fallbackFonts = '"Noto Sans", "Noto Sans Devanagari", sans-serif'
/** System fonts only, so that a page stays small and calls no third party. */
const stacks: Record<Font, string> = {
  system: tokenOf('--sans').light,
  humanist: `Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", ${fallbackFonts}`,
  rounded: `ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, "Arial Rounded MT Bold", Calibri, ${fallbackFonts}`,
  serif: 'Charter, "Bitstream Charter", "Sitka Text", Cambria, "Noto Serif", "Noto Serif Devanagari", serif',
  mono: `${tokenOf('--mono').light.replace(', monospace', '')}, "Noto Sans Devanagari", monospace`,
}

/** Tokens that stay variables in the rules of a page that may have a theme. */
export const themedTokens = ['--on-accent', ...radiusTokens] as const

/** The rules of a page, in which `themedTokens` are still variables, and the names of the colour tokens that it uses. */
export interface ThemedRules {
  rules: string
  colours: string[]
}

/** The tokens that a theme sets in each tone. */
export function themeTokens({ accent, corner }: Theme): [name: string, token: Token][] {
  const light = accentIn(accent, 'light').tokens
  const dark = accentIn(accent, 'dark').tokens
  return [
    ...accentTokens.map((name): [string, Token] => [name, { light: light[name], dark: dark[name] }]),
    ...radiusTokens.map((name, i): [string, Token] => {
      const radius = radii[corner][i] ?? ''
      return [name, { light: radius, dark: radius }]
    }),
  ]
}

export const fontOf = ({ font }: Pick<Theme, 'font'>): string => stacks[font]

/** The style sheet of the first response under a theme; it also sets the values that later style sheets use. */
export function themedStyle({ rules, colours }: ThemedRules, theme: Theme): string {
  const tokens = tokensWith('large', themeTokens(theme))
  const own = themedTokens.flatMap((name): [string, Token][] => {
    const token = tokens.get(name)
    const standard = tokensWith('large', []).get(name)
    return token && (token.light !== standard?.light || token.dark !== standard.dark) ? [[name, token]] : []
  })
  const used = colours.flatMap((name): [string, Token][] => {
    const token = tokens.get(name)
    return token && !own.some(([each]) => each === name) ? [[name, token]] : []
  })
  return `${rootOf([...used, ...own], rootFont(stacks[theme.font]))}${inlineTokens(rules, 'large', tokens)}${rimOf(theme)}`
}

function rimOf({ accent }: Theme): string {
  const rule = (tone: keyof Token) => {
    const { rim } = accentIn(accent, tone)
    return rim === null ? '' : `.main{border-color:${rim}}`
  }
  const light = rule('light')
  const dark = rule('dark')
  if (light === '' && dark === '') return ''
  return `${light}@media(prefers-color-scheme:dark){${dark || '.main{border-color:transparent}'}}`
}

/** Rules whose `themedTokens` tokens stay variables, for `themedStyle`. */
export function themableRules(rules: string): string {
  const fixed = new Map([...tokensWith('large', [])].filter(([name]) => !themedTokens.some((each) => each === name)))
  return inlineTokens(rules, 'large', fixed)
}

/** Rules for a later style sheet: the themed values of the first response, or our defaults. */
export const rulesFollowingTheme = (rules: string): string =>
  themedTokens.reduce(
    (all, name) => all.replaceAll(`var(${name})`, `var(${name},${inlineTokens(`var(${name})`, 'large')})`),
    themableRules(rules),
  )
