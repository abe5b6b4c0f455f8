// How a word in a script of India may be spelled with Latin letters: a pattern in which vowels that are not written may be missing.
import { asciiOf } from '#kit/runtime/ascii.ts'
import { normalize } from '#kit/runtime/normalize.ts'

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
  /** A consonant that nothing written follows: an `a` may be heard after it. */
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
 * The spellings of a word in one of these scripts, for a word that `latinSound` has made plain; null for another script. The
 * vowel of the first syllable is always spelled, one within the word may be left out, and one at the end is heard only after
 * two consonants: so `कमल` is no `Kamala`, and `रमा` no `Ram`.
 */
export function spellingsOf(word: string): RegExp | null {
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
