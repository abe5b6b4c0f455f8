// Compares the name on a bank account with the borrower's name. Money is sent only to the borrower's own account.
import { normalize, toAscii } from '#kit/runtime/search-form.ts'

/** `UNCERTAIN`: the rule cannot compare the scripts reliably, so an officer decides. */
export type NameMatch = 'SAME' | 'DIFFERENT' | 'UNCERTAIN'

/** Titles before Indian names. They do not identify a person. */
const titles = new Set(['MR', 'MRS', 'MS', 'MISS', 'SHRI', 'SMT', 'KUMARI', 'DR', 'M', 'S'])

const isLatin = (name: string): boolean => !/\p{L}/u.test(name.replace(/\p{Script=Latin}/gu, ''))

/** Returns the words of a Latin name in ASCII capitals, without titles. */
const latinWords = (name: string): string[] =>
  toAscii(normalize(name, 'NFKD').replace(/\p{M}+/gu, ''))
    .toUpperCase()
    .replace(/[^A-Z ]+/g, ' ')
    .split(' ')
    .filter((word) => word !== '' && !titles.has(word))

const originalWords = (name: string): string[] =>
  normalize(name, 'NFC')
    .split(/[^\p{L}\p{M}\u200c\u200d]+/u)
    .filter((word) => word !== '' && !titles.has(word.toUpperCase()))

/**
 * Compares two names. `isSameName` compares Latin names. Names in other scripts are `SAME` if both have as many words,
 * and each word is spelled or sounds like a word of the other name. Otherwise they are `UNCERTAIN`, never `DIFFERENT`.
 */
export function compareNames(first: string, second: string): NameMatch {
  if (isLatin(first) && isLatin(second)) return isSameName(first, second) ? 'SAME' : 'DIFFERENT'
  const words = originalWords(first)
  const remaining = originalWords(second)
  if (words.length === 0 || words.length !== remaining.length) return 'UNCERTAIN'
  for (const word of words) {
    const index = remaining.findIndex((each) => soundsLike(word, each))
    if (index < 0) return 'UNCERTAIN'
    remaining.splice(index, 1)
  }
  return 'SAME'
}

function soundsLike(first: string, second: string): boolean {
  if (first.toUpperCase() === second.toUpperCase()) return true
  const firstPattern = spellingPattern(first)
  const secondPattern = spellingPattern(second)
  if (firstPattern && isLatin(second)) return firstPattern.test(latinSound(toAscii(second)))
  return secondPattern !== null && isLatin(first) && secondPattern.test(latinSound(toAscii(first)))
}

/**
 * Whether two Latin names match, in any word order. Each word of the name with fewer words must equal a word of the
 * other name, or one of the two words must be the initial of the other. At least one full word must be equal.
 */
export function isSameName(first: string, second: string): boolean {
  const firstWords = latinWords(first)
  const secondWords = latinWords(second)
  const isFirstShorter = firstWords.length <= secondWords.length
  const [shorter, longer] = isFirstShorter ? [firstWords, secondWords] : [secondWords, firstWords]
  if (shorter.length === 0) return false
  const remaining = [...longer]
  let fullMatches = 0
  for (const word of [...shorter].sort((a, b) => b.length - a.length)) {
    const exactIndex = remaining.indexOf(word)
    const index = exactIndex >= 0 ? exactIndex : remaining.findIndex((each) => isInitial(word, each))
    if (index < 0) return false
    if (exactIndex >= 0 && word.length > 1) fullMatches++
    remaining.splice(index, 1)
  }
  return fullMatches > 0 && (shorter.length > 1 || longer.length === 1)
}

const isInitial = (a: string, b: string): boolean =>
  (a.length === 1 && b.startsWith(a)) || (b.length === 1 && a.startsWith(b))

/** Matches words in scripts whose consonants carry an inherent vowel. */
const inherentVowelScripts =
  /^[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\u200c\u200d]+$/u
const vowelRemovers = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d]/u
/** Malayalam consonants without an inherent vowel. */
const vowellessConsonants = /[\u0d7a-\u0d7f]/u

/** Joiners and nuktas, which do not affect the comparison. */
const ignoredMarks = /\u200c|\u200d|[\u093c\u09bc\u0a3c\u0abc\u0b3c]/u

interface Sound {
  /** The sound in ASCII. */
  text: string
  /** Whether this is a consonant without a written vowel, after which an `a` may be spoken. */
  hasInherentVowel: boolean
  /** Whether this is a nasal sign, whose sound depends on the next letter. */
  isNasal: boolean
}

function soundsOf(word: string): Sound[] {
  const points = [...normalize(word, 'NFC')].filter((point) => !ignoredMarks.test(point))
  return points.flatMap((point, i) => {
    const text = latinLetters(point)
    const after = points[i + 1] ?? ''
    const isConsonant = /\p{L}/u.test(point) && isConsonantText(text) && !vowellessConsonants.test(point)
    const hasInherentVowel =
      isConsonant && !vowelRemovers.test(after) && !(/\p{M}/u.test(after) && !isConsonantText(latinLetters(after)))
    return text === '' ? [] : [{ text, hasInherentVowel, isNasal: text === 'm' && /\p{M}/u.test(point) }]
  })
}

const latinLetters = (point: string): string =>
  toAscii(point)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
const isConsonantText = (text: string | undefined): boolean => text !== undefined && !/[aeiou]/.test(text)

/**
 * Returns a pattern of a word's possible Latin spellings, as simplified by `latinSound`; null for other scripts. The
 * inherent vowel is required in the first syllable and optional within the word. At the end of the word it is optional
 * after two consonants, and otherwise not allowed: `कमल` is not `Kamala`, and `रमा` is not `Ram`.
 */
function spellingPattern(word: string): RegExp | null {
  if (!inherentVowelScripts.test(word)) return null
  const sounds = soundsOf(word)
  const pattern = sounds.map(({ text, hasInherentVowel, isNasal }, i) => {
    if (isNasal && isConsonantText(sounds[i + 1]?.text)) return '[mn]g?'
    if (!hasInherentVowel) return text
    const before = sounds[i - 1]
    if (i === sounds.length - 1)
      return before && isConsonantText(before.text) && !before.hasInherentVowel ? `${text}a?` : text
    const isFirst = sounds.slice(0, i).every((sound) => !sound.hasInherentVowel && isConsonantText(sound.text))
    return isFirst ? `${text}a` : `${text}a?`
  })
  return new RegExp(`^(?:${pattern.join('')})$`)
}

/** Simplifies the spelling of a Latin word, so that common variants of one sound become equal. */
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
