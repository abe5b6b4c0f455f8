// The search form of a text: full-width characters, and digits and dashes of any script, become ASCII.
import type * as anyAscii from 'any-ascii'
import { load } from './load.ts'
import { lazily } from './record.ts'

const ascii = /^[\0-\x7f]*$/
/** Non-ASCII digits, zero-width characters and dashes: NFKC does not convert all of them. */
const nonAsciiForms = /[^\P{Nd}0-9]|[\p{Cf}\u2010-\u2015\u2212]/u
const dash = /[\u2010-\u2015\u2212]/
const digit = /^\p{Nd}$/u

/** Unicode orders the ten digits of a script consecutively. */
const digitAt = (code: number): number =>
  digit.test(String.fromCodePoint(code - 1)) ? (digitAt(code - 1) + 1) % 10 : 0

/**
 * One character of the search form, for a character and the zero-width ones after it. A non-ASCII dash becomes `~`: it
 * may separate digits of a number, but is not the hyphen of a prefix such as `CASE-`.
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

/** Replaces the matches of a global pattern in the search form of a text, except matches that have a first group. */
export function replaceInAnySpelling(text: string, pattern: RegExp, replacement: string): string {
  if (ascii.test(text) || (!nonAsciiForms.test(text) && normalize(text, 'NFKC') === text))
    return text.replace(pattern, (match, exempt: unknown) => (typeof exempt === 'string' ? match : replacement))
  const characters = text.match(/.\p{Cf}*/gsu) ?? []
  const parts: string[] = []
  let end = 0
  for (const { index, 0: match, 1: exempt } of characters.map(searchFormOf).join('').matchAll(pattern)) {
    if (exempt !== undefined) continue
    parts.push(characters.slice(end, index).join(''), replacement)
    end = index + match.length
  }
  return [...parts, characters.slice(end).join('')].join('')
}

/**
 * A character with as many marks as Unicode's stream-safe format allows. U+FF9E and U+FF9F count as marks although
 * their category is letter.
 */
const fullMarkGroup = /(.[\p{M}\uff9e\uff9f]{30})/su

/** The text in a Unicode normal form, in linear time: more than 30 marks in a row are normalized in groups of 30. */
export const normalize = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  ascii.test(text)
    ? text
    : text
        .split(fullMarkGroup)
        .map((piece) => piece.normalize(form))
        .join('')

/** Converts `ø` to `o`, `श` to `s` and `ண` to `n`. Removes characters without an ASCII form, such as the virama. */
export const toAscii = (text: string): string => (ascii.test(text) ? text : tables().default(text))

const tables = lazily((): typeof anyAscii => load('any-ascii'))
