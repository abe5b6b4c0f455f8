// Whether the name on a bank account is the borrower's: money goes to the borrower's own account and to no other.

import { asciiOf } from '#kit/runtime/ascii.ts'
import { normalize } from '#kit/runtime/normalize.ts'
import { latinSound, spellingsOf } from './name-sound.ts'

/** `UNCERTAIN`: written in scripts that a rule cannot compare for sure, so that a person has to look. */
export type NameMatch = 'SAME' | 'DIFFERENT' | 'UNCERTAIN'

/** What stands before names in India, and says nothing about who it is. */
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
