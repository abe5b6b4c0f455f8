// Formats of English texts: capitals, sentences, counts with their noun, sizes of files.

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The text as a sentence: with a capital letter and a full stop. */
export const sentenceOf = (text: string): string => `${capitalize(text)}${/[.!?]$/.test(text) ? '' : '.'}`

/** A count with its noun: `1 file`, `2 files`. */
export const countText = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count.toLocaleString('en-IN')} ${count === 1 ? singular : plural}`

/** `12 kB` or `1.5 MB`; at least `1 kB`. */
export const sizeText = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
