// Colours by culori: as the tokens write them, in OKLCH, and as every browser reads them, in hexadecimal sRGB.

import type * as culori from 'culori'
import { load } from '#kit/runtime/load.ts'

const { converter, formatHex, formatHex8, wcagContrast }: typeof culori = load('culori')
const oklch = converter('oklch')
const linear = converter('lrgb')

/** `oklch(46% 0.16 265)`, with an opacity or without one; what sRGB cannot show is cut off at its edge. */
const written = /oklch\([\d.]+% [\d.]+ [\d.]+( \/ [\d.]+)?\)/g

/** Replaces every OKLCH colour in a value by the same one in hexadecimal. */
export const inHex = (value: string): string =>
  value.replace(written, (colour, opacity?: string) => {
    const hex = (opacity ? formatHex8(colour) : formatHex(colour)) ?? colour
    return hex.replace(/^#(\w)\1(\w)\2(\w)\3$/, '#$1$2$3')
  })

/** A colour in OKLCH: lightness from 0 to 1, chroma, and hue in degrees. */
export interface Lch {
  lightness: number
  chroma: number
  hue: number
}

/** `#1f4f8f` in OKLCH. */
export function lchOf(hex: string): Lch {
  const { l = 0, c = 0, h = 0 } = oklch(hex) ?? {}
  return { lightness: l, chroma: c, hue: h }
}

/** The colour as `#1f4f8f`. Where sRGB cannot show that much chroma, it has as much as sRGB shows, and keeps its hue. */
export function hexOf({ lightness, chroma, hue }: Lch): string {
  const withChroma = (c: number) => ({ mode: 'oklch', l: lightness, c, h: hue }) as const
  // Replaces culori's clampChroma, whose rounding at the edge of sRGB reduces chroma.
  function isShown(c: number): boolean {
    const { r, g, b } = linear(withChroma(c))
    return Math.min(r, g, b) > -0.0005 && Math.max(r, g, b) < 1.0005
  }
  let [least, most] = isShown(chroma) ? [chroma, chroma] : [0, chroma]
  for (let i = 0; i < 12; i++) {
    const middle = (least + most) / 2
    if (isShown(middle)) least = middle
    else most = middle
  }
  return formatHex(withChroma(least))
}

/** The contrast of two colours such as `#1f4f8f`, by WCAG 2: from 1 to 21. */
export const contrastOf = (one: string, other: string): number => wcagContrast(one, other)
