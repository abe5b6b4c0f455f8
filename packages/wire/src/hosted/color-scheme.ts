// The hosted page's colour schemes, which an app may select (D1 §2.2), and the size of its logo.

export const colorSchemes = ['light', 'dark'] as const
export type ColorScheme = (typeof colorSchemes)[number]

/** The maximum logo size in pixels; it leaves room for name and language choice on a phone. */
const maxSize = { width: 150, mark: 36, wordmark: 26 }
/** A logo at least this many times wider than high is assumed to contain the name; the page then omits the name. */
const wordmarkRatio = 2.2

export interface LogoSize {
  kind: 'mark' | 'wordmark'
  /** In whole pixels. */
  width: number
  height: number
}

/** Fits a picture, with sides in any unit, into the maximum size. */
export function logoSize({ width, height }: { width: number; height: number }): LogoSize {
  const kind = width / height >= wordmarkRatio ? 'wordmark' : 'mark'
  const scale = Math.min(maxSize[kind] / height, maxSize.width / width)
  const scaled = (side: number) => Math.max(1, Math.round(side * scale))
  return { kind, width: scaled(width), height: scaled(height) }
}
