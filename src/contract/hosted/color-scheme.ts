// The two tones of the hosted page, one of which an app may name (D1 §2.2), and how large its logo is drawn.

export const colorSchemes = ['light', 'dark'] as const
export type ColorScheme = (typeof colorSchemes)[number]

/** The largest logo, in pixels; on a phone, name and language choice are beside it. */
const most = { width: 150, mark: 36, wordmark: 26 }
/** A logo this many times wider than high is assumed to contain the name, which is then not repeated. */
const wordmarkRatio = 2.2

export interface LogoSize {
  kind: 'mark' | 'wordmark'
  /** In whole pixels. */
  width: number
  height: number
}

/** For a picture of this size, in any unit. */
export function logoSize({ width, height }: { width: number; height: number }): LogoSize {
  const kind = width / height >= wordmarkRatio ? 'wordmark' : 'mark'
  const scale = Math.min(most[kind] / height, most.width / width)
  const drawn = (side: number) => Math.max(1, Math.round(side * scale))
  return { kind, width: drawn(width), height: drawn(height) }
}
