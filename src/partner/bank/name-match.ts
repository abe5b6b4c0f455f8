// Whether the name on a bank account is the borrower's: money goes to the borrower's own account only.
import { asciiOf, normalize } from '#kit/runtime/search-form.ts'

/** `UNCERTAIN`: in scripts that a rule cannot compare reliably, so a person decides. */
export type NameMatch = 'SAME' | 'DIFFERENT' | 'UNCERTAIN'

/** Titles before Indian names, which do not identify a person. */
const titles = new Set(['MR', 'MRS', 'MS', 'MISS', 'SHRI', 'SMT', 'KUMARI', 'DR', 'M', 'S'])

const isLatin = (name: string): boolean => !/\p{L}/u.test(name.replace(/\p{Script=Latin}/gu, ''))

/** Letters with marks, and others of the Latin script, as those without; in capitals. */
const wordsOf = (name: string): string[] =>
  asciiOf(normalize(name, 'NFKD').replace(/\p{M}+/gu, ''))
    .toUpperCase()
    .replace(/[^A-Z ]+/g, ' ')
    .split(' ')
    .filter((word) => word !== '' && !titles.has(word))

const wordsAsWritten = (name: string): string[] =>
  normalize(name, 'NFC')
    .split(/[^\p{L}\p{M}\u200c\u200d]+/u)
    .filter((word) => word !== '' && !titles.has(word.toUpperCase()))

/**
 * Names in Latin letters are the same or different by `isSameName`. In another script they are the same when every word of
 * one is written as, or sounds as, a word of the other; everything else is uncertain and never a refusal.
 */
export function compareNames(one: string, other: string): NameMatch {
  if (isLatin(one) && isLatin(other)) return isSameName(one, other) ? 'SAME' : 'DIFFERENT'
  const [words, left] = [wordsAsWritten(one), wordsAsWritten(other)]
  if (words.length === 0 || words.length !== left.length) return 'UNCERTAIN'
  for (const word of words) {
    const found = left.findIndex((each) => soundsAs(word, each))
    if (found < 0) return 'UNCERTAIN'
    left.splice(found, 1)
  }
  return 'SAME'
}

function soundsAs(one: string, other: string): boolean {
  if (one.toUpperCase() === other.toUpperCase()) return true
  const [a, b] = [spellingsOf(one), spellingsOf(other)]
  if (a && isLatin(other)) return a.test(latinSound(asciiOf(other)))
  return b !== null && isLatin(one) && b.test(latinSound(asciiOf(one)))
}

/**
 * Whether two names are one person's, in any order of their words: the same words, or the shorter name's words all found
 * in the longer one, an initial standing for a word that begins with it; one full word at least must be the same.
 */
export function isSameName(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)]
  const [few, many] = words.length <= others.length ? [words, others] : [others, words]
  if (few.length === 0) return false
  const left = [...many]
  let whole = 0
  for (const word of [...few].sort((a, b) => b.length - a.length)) {
    const place = left.indexOf(word)
    const found = place >= 0 ? place : left.findIndex((each) => isInitial(word, each))
    if (found < 0) return false
    if (place >= 0 && word.length > 1) whole++
    left.splice(found, 1)
  }
  return whole > 0 && (few.length > 1 || many.length === 1)
}

const isInitial = (a: string, b: string): boolean =>
  (a.length === 1 && b.startsWith(a)) || (b.length === 1 && a.startsWith(b))

/** The scripts whose consonants carry a vowel that is not written. */
const syllabic =
  /^[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\u200c\u200d]+$/u
/** The signs that take that vowel away, and the consonants of Malayalam that have none. */
const silencing = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d]/u
const silent = /[\u0d7a-\u0d7f]/u

/** Joiners, and the dot that makes a letter of one language into one of another. */
const unheard = /\u200c|\u200d|[\u093c\u09bc\u0a3c\u0abc\u0b3c]/u

interface Sound {
  /** In ASCII. */
  text: string
  /** A consonant without a written vowel: an `a` may follow it in speech. */
  hasOwnVowel: boolean
  /** The sign for a nasal, which sounds by what follows it. */
  isNasal: boolean
}

function soundsOf(word: string): Sound[] {
  const points = [...normalize(word, 'NFC')].filter((point) => !unheard.test(point))
  return points.flatMap((point, i) => {
    const text = plainOf(point)
    const after = points[i + 1] ?? ''
    const isConsonant = /\p{L}/u.test(point) && isHard(text) && !silent.test(point)
    const hasOwnVowel = isConsonant && !silencing.test(after) && !(/\p{M}/u.test(after) && !isHard(plainOf(after)))
    return text === '' ? [] : [{ text, hasOwnVowel, isNasal: text === 'm' && /\p{M}/u.test(point) }]
  })
}

const plainOf = (point: string): string =>
  asciiOf(point)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
const isHard = (text: string | undefined): boolean => text !== undefined && !/[aeiou]/.test(text)

/**
 * The spellings of a word in one of these scripts, for a word that `latinSound` has simplified; null for another
 * script. The vowel of the first syllable is always written, one within the word may be omitted, and a final one is
 * spoken only after two consonants: so `कमल` is not `Kamala`, and `रमा` is not `Ram`.
 */
function spellingsOf(word: string): RegExp | null {
  if (!syllabic.test(word)) return null
  const sounds = soundsOf(word)
  const pattern = sounds.map(({ text, hasOwnVowel, isNasal }, i) => {
    if (isNasal && isHard(sounds[i + 1]?.text)) return '[mn]g?'
    if (!hasOwnVowel) return text
    const before = sounds[i - 1]
    if (i === sounds.length - 1) return before && isHard(before.text) && !before.hasOwnVowel ? `${text}a?` : text
    const isFirst = sounds.slice(0, i).every((sound) => !sound.hasOwnVowel && isHard(sound.text))
    return isFirst ? `${text}a` : `${text}a?`
  })
  return new RegExp(`^(?:${pattern.join('')})$`)
}

/** A word in Latin letters as these scripts sound: one letter for each of the usual spellings. */
export const latinSound = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll('chh', '\u0001')
    .replaceAll('ch', 'c')
    .replaceAll('\u0001', 'ch')
    .replaceAll('sh', 's')
    .replaceAll('w', 'v')
    .replaceAll('z', 'j')
    .replaceAll('f', 'ph')
    .replace(/aa+/g, 'a')
    .replace(/ee+/g, 'i')
    .replace(/oo+/g, 'u')
    .replace(/(?<=[^aeiou])y$/, 'i')
