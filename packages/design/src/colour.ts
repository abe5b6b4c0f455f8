// Converts colours with culori from OKLCH, which the tokens use, to hexadecimal sRGB, which every browser reads.

import { load } from '@lendloom/foundation/load-package'
import type * as culori from 'culori'

const { converter, formatHex, formatHex8, wcagContrast }: typeof culori = load('culori')
const oklch = converter('oklch')
const linear = converter('lrgb')

/** A colour such as `oklch(46% 0.16 265)`, with or without an opacity. */
const oklchPattern = /oklch\([\d.]+% [\d.]+ [\d.]+( \/ [\d.]+)?\)/g

/** Replaces every OKLCH colour in a value by hexadecimal sRGB, clipped to the gamut of sRGB. */
export const inHex = (value: string): string =>
  value.replace(oklchPattern, (colour, opacity?: string) => {
    const hex = (opacity ? formatHex8(colour) : formatHex(colour)) ?? colour
    return hex.replace(/^#(\w)\1(\w)\2(\w)\3$/, '#$1$2$3')
  })

/** A colour in OKLCH: lightness from 0 to 1, chroma, and hue in degrees. */
export interface Lch {
  lightness: number
  chroma: number
  hue: number
}

/** Returns a colour such as `#1f4f8f` in OKLCH. */
export function lchOf(hex: string): Lch {
  const { l = 0, c = 0, h = 0 } = oklch(hex) ?? {}
  return { lightness: l, chroma: c, hue: h }
}

/** Returns a colour such as `#1f4f8f`. Reduces the chroma to what sRGB can show, and keeps lightness and hue. */
export function hexOf({ lightness, chroma, hue }: Lch): string {
  const withChroma = (c: number) => ({ mode: 'oklch', l: lightness, c, h: hue }) as const
  // Replaces culori's clampChroma, whose rounding at the edge of sRGB reduces chroma.
  function isInGamut(c: number): boolean {
    const { r, g, b } = linear(withChroma(c))
    return Math.min(r, g, b) > -0.0005 && Math.max(r, g, b) < 1.0005
  }
  let [least, most] = isInGamut(chroma) ? [chroma, chroma] : [0, chroma]
  for (let i = 0; i < 12; i++) {
    const middle = (least + most) / 2
    if (isInGamut(middle)) least = middle
    else most = middle
  }
  return formatHex(withChroma(least))
}

/** The contrast of two colours such as `#1f4f8f`, by WCAG 2: from 1 to 21. */
export const contrastOf = (a: string, b: string): number => wcagContrast(a, b)
