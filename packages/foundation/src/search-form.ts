// The search form of a text: full-width characters, and digits and dashes of any script, become ASCII.
import type * as anyAscii from 'any-ascii'
import { lazily } from './lazily.ts'
import { load } from './load-package.ts'

const ascii = /^[\0-\x7f]*$/
/** Non-ASCII digits, zero-width characters and dashes: NFKC does not convert all of them. */
const nonAsciiForms = /[^\P{Nd}0-9]|[\p{Cf}\u2010-\u2015\u2212]/u
const zeroWidth = /\p{Cf}/u
const dash = /[\u2010-\u2015\u2212]/
const digit = /^\p{Nd}$/u

/** Unicode orders the ten digits of a script consecutively. */
const digitAt = (code: number): number =>
  digit.test(String.fromCodePoint(code - 1)) ? (digitAt(code - 1) + 1) % 10 : 0

/**
 * The search form of one character that is not ASCII. A dash becomes `~`: it may separate digits of a number, but is not
 * the hyphen of a prefix such as `CASE-`.
 */
function searchFormOf(code: number): string {
  const character = String.fromCodePoint(code)
  const normal = normalize(character, 'NFKC')
  if (normal.length === 1 && normal <= '\u007f') return normal
  if (dash.test(character)) return '~'
  return digit.test(character) ? String(digitAt(code)) : character.charAt(0)
}

/** The UTF-16 code of the search form of each code point, 0 until it is computed: a hostile text has 20,000 of them. */
const formCodes = lazily(() => new Uint16Array(0x110000))
/** Marks a zero-width character, which belongs to the character before it. No other character has this form. */
const zeroWidthMark = 1

function formCodeOf(code: number): number {
  if (code <= 0x7f) return code
  const known = formCodes()[code]
  if (known) return known
  const computed = zeroWidth.test(String.fromCodePoint(code)) ? zeroWidthMark : searchFormOf(code).charCodeAt(0)
  formCodes()[code] = computed
  return computed
}

interface SearchForm {
  form: string
  /** Where each character of the form begins in the text, and the end of the text. */
  starts: Uint32Array
}

function searchFormWithStarts(text: string): SearchForm {
  const codes = new Uint16Array(text.length)
  const starts = new Uint32Array(text.length + 1)
  let count = 0
  for (let start = 0; start < text.length; start++) {
    const code = text.codePointAt(start) ?? 0
    const formCode = formCodeOf(code)
    if (formCode !== zeroWidthMark || code === zeroWidthMark || count === 0) {
      codes[count] = formCode
      starts[count++] = start
    }
    if (code > 0xffff) start++
  }
  starts[count] = text.length
  let form = ''
  for (let i = 0; i < count; i += 8192) form += String.fromCharCode(...codes.subarray(i, Math.min(i + 8192, count)))
  return { form, starts }
}

/** Replaces the matches of a global pattern in the search form of a text, except matches that have a first group. */
export const replaceInAnySpelling = (text: string, pattern: RegExp, replacement: string): string =>
  replaceFound(text, replacement, (form) =>
    [...form.matchAll(pattern)]
      .filter(({ 1: exempt }) => exempt === undefined)
      .map(({ index, 0: match }) => ({ start: index, end: index + match.length })),
  )

/** Replaces the parts that `find` finds in the search form of a text, in their order and without overlaps. */
export function replaceFound(
  text: string,
  replacement: string,
  find: (form: string) => { start: number; end: number }[],
): string {
  const isOwnForm = ascii.test(text) || (!nonAsciiForms.test(text) && normalize(text, 'NFKC') === text)
  const { form, starts } = isOwnForm ? { form: text, starts: null } : searchFormWithStarts(text)
  const placeOf = (index: number): number => starts?.[index] ?? index
  const parts: string[] = []
  let rest = 0
  for (const { start, end } of find(form)) {
    parts.push(text.slice(placeOf(rest), placeOf(start)), replacement)
    rest = end
  }
  return [...parts, text.slice(placeOf(rest))].join('')
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
