// The accent in any colour: its tokens for light and dark pages, with the required contrasts.
import { contrastOf, hexOf, inHex, type Lch, lchOf } from './colour.ts'
import { type Token, tokenOf } from './style.ts'

export type Tone = keyof Token

/** The tokens that follow from the colour. */
export const accentTokens = ['--accent', '--accent-fill', '--accent-deep', '--accent-tint', '--on-accent'] as const
export interface Accent {
  tokens: Record<(typeof accentTokens)[number], string>
  /** The border of a button whose fill is too close to the page. */
  rim: string | null
}

/**
 * WCAG 2.2 contrast: of text with its background (1.4.3), and of edges and focus rings with their surroundings
 * (1.4.11).
 */
export const minTextContrast = 4.5
export const minEdgeContrast = 3

/** Backgrounds of accent-coloured text, besides its own tint. */
const grounds = ['--page', '--surface', '--fill'] as const
const groundsIn = (tone: Tone): string[] => grounds.map((name) => inHex(tokenOf(name)[tone]))

/** The lowest contrast of a colour with others. */
const leastContrast = (colour: string, others: string[]): number =>
  Math.min(...others.map((other) => contrastOf(colour, other)))

/**
 * The tokens of one tone, from a colour such as `#1f4f8f`. Buttons are filled with the colour; their text is white or
 * black, by contrast, and a rim outlines a button whose fill is too close to the page. Text, lines and focus rings use
 * the colour with its lightness adjusted to the required contrast.
 */
export function accentIn(colour: string, tone: Tone): Accent {
  const given = lchOf(colour)
  const tint = tintOf(given, tone)
  const accent = legible(given, tone, [...groundsIn(tone), tint])
  const fill = colour.toLowerCase()
  const isWhiteOn = contrastOf('#ffffff', fill) >= minTextContrast
  // Away from the words on it, so that they stay as legible.
  const deep = hexOf({ ...given, lightness: Math.min(1, Math.max(0, given.lightness + (isWhiteOn ? -0.06 : 0.05))) })
  return {
    tokens: {
      '--accent': accent,
      '--accent-fill': fill,
      '--accent-deep': deep,
      '--accent-tint': tint,
      '--on-accent': isWhiteOn ? '#ffffff' : '#000000',
    },
    rim: leastContrast(fill, groundsIn(tone)) >= minEdgeContrast ? null : accent,
  }
}

/** As light, or as dark, as our own tint is: what is legible on ours is legible on it. */
function tintOf({ chroma, hue }: Lch, tone: Tone): string {
  const ours = lchOf(inHex(tokenOf('--accent-tint')[tone]))
  return hexOf({ lightness: ours.lightness, chroma: Math.min(chroma, ours.chroma), hue })
}

function legible({ lightness, chroma, hue }: Lch, tone: Tone, on: string[]): string {
  const step = tone === 'light' ? -0.005 : 0.005
  for (let now = lightness; now > 0 && now < 1; now += step) {
    const colour = hexOf({ lightness: now, chroma, hue })
    if (leastContrast(colour, on) >= minTextContrast) return colour
  }
  return tone === 'light' ? '#000000' : '#ffffff'
}

/** One contrast of an accent; `needed` is the minimum of WCAG 2.2. */
export interface ContrastFigure {
  what: 'WORDS' | 'BUTTON' | 'EDGE'
  tone: Tone
  colour: string
  on: string
  /** Rounded down to a tenth. */
  contrast: number
  needed: number
}

/** The contrasts behind the choice of an accent, shown to the team that set the colour. */
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
