// Derives the tokens of an accent colour for light and dark pages, with the required contrasts.
import { contrastOf, hexOf, inHex, type Lch, lchOf } from './colour.ts'
import { type Token, tokenOf } from './style.ts'

export type Tone = keyof Token

/** The tokens that depend on the accent colour. */
export const accentTokens = ['--accent', '--accent-fill', '--accent-deep', '--accent-tint', '--on-accent'] as const
export interface Accent {
  tokens: Record<(typeof accentTokens)[number], string>
  /** The border of a button whose fill is hard to see on the page; null when no border is needed. */
  rim: string | null
}

/**
 * WCAG 2.2 contrast: of text with its background (1.4.3), and of edges and focus rings with their surroundings
 * (1.4.11).
 */
export const minTextContrast = 4.5
export const minEdgeContrast = 3

/** The backgrounds of text in the accent colour, besides its tint. */
const backgrounds = ['--page', '--surface', '--fill'] as const
const backgroundsIn = (tone: Tone): string[] => backgrounds.map((name) => inHex(tokenOf(name)[tone]))

const lowestContrast = (colour: string, others: string[]): number =>
  Math.min(...others.map((other) => contrastOf(colour, other)))

/**
 * Returns the tokens of a colour such as `#1f4f8f` in one tone. Buttons are filled with the colour; their text is white
 * or black, by contrast, and a rim outlines a button whose fill is hard to see on the page. Text, lines and focus rings use
 * the colour with its lightness adjusted to the required contrast.
 */
export function accentIn(colour: string, tone: Tone): Accent {
  const lch = lchOf(colour)
  const tint = tintOf(lch, tone)
  const accent = legibleColour(lch, tone, [...backgroundsIn(tone), tint])
  const fill = colour.toLowerCase()
  const isWhiteOn = contrastOf('#ffffff', fill) >= minTextContrast
  // Moves away from the colour of the button's text, so that the text stays legible.
  const deep = hexOf({ ...lch, lightness: Math.min(1, Math.max(0, lch.lightness + (isWhiteOn ? -0.06 : 0.05))) })
  return {
    tokens: {
      '--accent': accent,
      '--accent-fill': fill,
      '--accent-deep': deep,
      '--accent-tint': tint,
      '--on-accent': isWhiteOn ? '#ffffff' : '#000000',
    },
    rim: lowestContrast(fill, backgroundsIn(tone)) >= minEdgeContrast ? null : accent,
  }
}

/** Uses the lightness of the default tint, so that text that is legible on that one is legible here too. */
function tintOf({ chroma, hue }: Lch, tone: Tone): string {
  const standard = lchOf(inHex(tokenOf('--accent-tint')[tone]))
  return hexOf({ lightness: standard.lightness, chroma: Math.min(chroma, standard.chroma), hue })
}

function legibleColour({ lightness, chroma, hue }: Lch, tone: Tone, on: string[]): string {
  const step = tone === 'light' ? -0.005 : 0.005
  for (let current = lightness; current > 0 && current < 1; current += step) {
    const colour = hexOf({ lightness: current, chroma, hue })
    if (lowestContrast(colour, on) >= minTextContrast) return colour
  }
  return tone === 'light' ? '#000000' : '#ffffff'
}

/** One contrast of an accent colour; `needed` is the minimum of WCAG 2.2. */
export interface ContrastFigure {
  what: 'WORDS' | 'BUTTON' | 'EDGE'
  tone: Tone
  colour: string
  on: string
  /** Rounded down to a tenth. */
  contrast: number
  needed: number
}

/** The contrasts of an accent colour, shown to the team that chose it. */
export const contrastsOf = (colour: string): ContrastFigure[] =>
  (['light', 'dark'] as const).flatMap((tone) => {
    const { tokens, rim } = accentIn(colour, tone)
    const surface = inHex(tokenOf('--surface')[tone])
    const all = [
      { what: 'WORDS', colour: tokens['--accent'], on: surface, needed: minTextContrast },
      { what: 'BUTTON', colour: tokens['--on-accent'], on: tokens['--accent-fill'], needed: minTextContrast },
      { what: 'EDGE', colour: rim ?? tokens['--accent-fill'], on: surface, needed: minEdgeContrast },
    ] as const
    return all.map((each) => ({ ...each, tone, contrast: Math.floor(contrastOf(each.colour, each.on) * 10) / 10 }))
  })
