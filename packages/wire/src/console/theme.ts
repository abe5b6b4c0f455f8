// Schemas of the console API: the theme of an application's hosted page.

import { Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { Id } from '#wire/basic-schemas.ts'
import { contrastKinds, corners, fonts, maxThemeNameLength } from './lists.ts'

const Colour = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', 'x-says': 'must be a colour such as #1f4f8f' })
const ColourText = Type.String({ examples: ['#1f4f8f'] })
const choices = { accent: Colour, corner: OneOf(corners), font: OneOf(fonts) }

/** The choices without the name and the logo. */
export const ThemeChoices = Closed(choices)
export type ThemeChoices = Static<typeof ThemeChoices>

export const ThemeRequest = Closed({
  ...choices,
  name: Type.String({
    minLength: 1,
    maxLength: maxThemeNameLength,
    'x-says': `must have 1 to ${maxThemeNameLength} characters`,
  }),
  /** A PNG, WebP or SVG file of at most 100 kB in Base64; null removes the logo; if omitted, the logo stays. */
  logo: Type.Optional(orNull(Type.String({ maxLength: 140_000, 'x-says': 'must be a file of at most 100 kB' }))),
})
export type ThemeRequest = Static<typeof ThemeRequest>

export const ContrastView = Closed({
  what: OneOf(contrastKinds),
  tone: OneOf(['light', 'dark']),
  colour: ColourText,
  on: ColourText,
  contrast: Type.Number(),
  needed: Type.Number(),
})
export type ContrastView = Static<typeof ContrastView>

const Tokens = Type.Record(Type.String(), Type.String())
/** The effect of the choices: the tokens of each tone, the font, and the contrasts. */
export const ThemeEffect = Closed({
  light: Tokens,
  dark: Tokens,
  font: Type.String(),
  contrasts: Type.Array(ContrastView),
})
export type ThemeEffect = Static<typeof ThemeEffect>

export const ThemeView = Closed({
  applicationId: Id,
  /** False if the page has the platform's theme. */
  isOwn: Type.Boolean(),
  name: Type.String(),
  accent: ColourText,
  corner: OneOf(corners),
  font: OneOf(fonts),
  logo: orNull(Closed({ url: Type.String(), width: Type.Number(), height: Type.Number() })),
  contrasts: Type.Array(ContrastView),
})
export type ThemeView = Static<typeof ThemeView>

export const PreviewQuery = Closed({
  tenantId: Type.Optional(Id),
  tone: OneOf(['light', 'dark']),
})
