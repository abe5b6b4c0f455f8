// The search form of a text: normalized, with full-width characters and digits and dashes of any script as ASCII, the
// rest unchanged.
import anyAscii from 'any-ascii'

/** Digits of other scripts, characters without a width, and dashes, which NFKC keeps. */
const otherForms = /[^\P{Nd}0-9]|[\p{Cf}\u2010-\u2015\u2212]/u
const dash = /[\u2010-\u2015\u2212]/
const digit = /^\p{Nd}$/u

/** Unicode orders the ten digits of a script consecutively. */
const digitAt = (code: number): number =>
  digit.test(String.fromCodePoint(code - 1)) ? (digitAt(code - 1) + 1) % 10 : 0

/**
 * One character of the search form, for a character and the zero-width ones after it. `~` stands for a non-ASCII dash:
 * such a dash may occur within a number, but no name ends with one as `CASE-` does.
 */
function searchFormOf(characters: string): string {
  const code = characters.codePointAt(0) ?? 0
  const first = String.fromCodePoint(code)
  if (first <= '\u007f') return first
  const normal = normalize(first, 'NFKC')
  if (normal.length === 1 && normal <= '\u007f') return normal
  if (dash.test(first)) return '~'
  return digit.test(first) ? String(digitAt(code)) : first.charAt(0)
}

/** Replaces every match of a global pattern, in all spellings of its letters and digits; a match of its first group stays. */
export function replaceFound(text: string, pattern: RegExp, replacement: string): string {
  if (!otherForms.test(text) && normalize(text, 'NFKC') === text)
    return text.replace(pattern, (found, kept: unknown) => (typeof kept === 'string' ? found : replacement))
  const written = text.match(/.\p{Cf}*/gsu) ?? []
  const parts: string[] = []
  let end = 0
  for (const { index, 0: found, 1: kept } of written.map(searchFormOf).join('').matchAll(pattern)) {
    if (kept !== undefined) continue
    parts.push(written.slice(end, index).join(''), replacement)
    end = index + found.length
  }
  return [...parts, written.slice(end).join('')].join('')
}

/** A character with as many marks as Unicode's stream-safe format allows. Two half-width marks are letters by their category. */
const marked = /(.[\p{M}\uff9e\uff9f]{30})/su

/** The text in a Unicode normal form, in linear time: more than 30 marks in a row are normalized in groups of 30. */
export const normalize = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  text
    .split(marked)
    .map((piece) => piece.normalize(form))
    .join('')

/**
 * `ø` as `o`, `श` as `s`, `ண` as `n`. Characters that are not letters, such as a sign that silences a vowel, become
 * empty.
 */
export const toAscii = (text: string): string => anyAscii(text)
