// Compares the name on a bank account with the borrower's name. Money is sent only to the borrower's own account.
import { normalize, toAscii } from '@lendloom/foundation/search-form'

/** `UNCERTAIN`: the rule cannot decide whether both names are of one person, so an officer decides. */
export type NameMatch = 'SAME' | 'DIFFERENT' | 'UNCERTAIN'

/** Titles before a name. They do not identify a person. */
const titles = new Set(['MR', 'MRS', 'MISS', 'SHRI', 'SHRIMATI', 'SMT', 'M/S', 'MESSRS', 'श्री', 'श्रीमती'])

/**
 * Titles that are also names or initials: `MS Dhoni`, `Kumari`. They are titles only before two or more words, and then
 * the other name must have the same words: `DR RAVI KUMAR` may be D. R. Ravi Kumar, and is not S. Ravi Kumar.
 */
const possibleTitles = new Set(['MS', 'DR', 'SRI', 'SHREE', 'KUM', 'KUMARI', 'कुमारी'])

/** A title of a man and one of a woman name two persons, such as a couple with one name. Any others may be of one. */
const titlesOfMen = new Set(['MR', 'SHRI', 'SRI', 'SHREE', 'श्री'])
const titlesOfWomen = new Set(['MRS', 'MISS', 'SHRIMATI', 'SMT', 'MS', 'KUM', 'KUMARI', 'श्रीमती', 'कुमारी'])

/** A relative's name after the person's own: `RAVI KUMAR S/O MOHAN LAL`, also D/O, W/O, C/O. */
const relative = / [SDWC] ?[/\\] ?O\b/i

/**
 * Words that may be several initials, such as `SM`, `AK` and `AVSN`: up to three letters, or without a vowel after the
 * first letter.
 */
const joinedInitials = /^(?:.{2,3}|.[^AEIOUY]+)$/

/** Words of an account that is not, or not only, the named person's own: of two holders, a guardian, or an estate. */
const otherHolder =
  /(?:^|\s)(?:&|AND|OR|OF|JT|JOINT|SO|DO|WO|CO|[SDWC] O|HUF|AOP|BOI|KARTA|MINORS?|MASTER|U[/ ]?G|GUARDIAN|FATHER|MOTHER|WIFE|HUSBAND|SON|DAUGHTER|JR|SR|JUNIOR|SENIOR|II|III|LATE|DECD|DECEASED|LEGAL ?HEIRS?|ESCROW|EST|ESTATE|EXECUTORS?|EXECUTRIX|ADMINISTRATOR|ADMINISTRATRIX|POA|ATTORNEY|NOMINEE|TRUSTEES?)(?=[\s.]|$)/i

/** Words of the account of a firm, or of an association. */
const firm =
  /(?:^|\s)(?:PROP|PROPRIETOR|TRUST|FOUNDATION|SOCIETY|CHS|SHG|ASSOCIATES|AGENCY|AGENCIES|INDUSTRIES|MOTORS|TEXTILES?|GARMENTS?|FASHIONS?|TAILORS|JEWELS|JEWELL?ERS?|JEWELL?E?RY|HOSPITAL|CLINIC|PHARMACY|MEDICALS?|DIAGNOSTICS|OPTICALS?|HOTELS?|RESTAURANT|BAKERY|SWEETS|DAIRY|FARMS?|KIRANA|PROVISIONS?|HARDWARE|ELECTRICALS?|ELECTRONICS|CORPORATION|CONSTRUCTIONS?|BUILDERS|DEVELOPERS|TRANSPORTS?|TRAVELS|SERVICES|SOLUTIONS|WORKS|CATERERS|STUDIO|SALON|MART|SUPERMARKET|CONSULTANCY|CONTRACTORS?|CORP|GROUP|LABS|SAREES|INFRA|FINANCE|DHABA|NGO|SCHOOL|COLLEGE|ACADEMY|TEMPLE|BROTHERS|BROS|SONS|COMPANY|TRADERS|TRADING|ENTERPRISES?|STORES?|LLP|LTD|LIMITED|PVT)(?=[\s.]|$)/i

/** Two holders in one line: `RAVI KUMAR/SITA DEVI`, `RAVI KUMAR, SITA DEVI`; not `KUMAR, RAVI`. */
const twoHolders = /\p{L}{2}\s?[/+]\s?\p{L}{2}|\p{L}\s\p{L}[\p{L}\p{M}]*\s?,\s?\p{L}[\p{L}\p{M}]*\s\p{L}/u

/** A bank cuts names long before; a longer text is not compared. */
const maxNameLength = 200

const isLatin = (name: string): boolean => !/\p{L}/u.test(name.replace(/\p{Script=Latin}/gu, ''))

/**
 * Compares two names, in any word order. `SAME`: each word of the shorter name is in the longer one, which has at most
 * one more, and initials have the same order; or both have as many words, and an initial stands where the other name has
 * its word. One full word must be equal, and two if one name has more words. If both name a relative, it is the same.
 * Titles of a man and of a woman are not of one person. `DIFFERENT`: no word is shared or spelled alike. Any other pair
 * is `UNCERTAIN`, and so is an account that may also belong to somebody else. Names in other scripts than Latin are
 * `SAME` if each word is spelled or sounds like a word of the other name, otherwise `UNCERTAIN`.
 */
export function compareNames(first: string, second: string): NameMatch {
  if (first.length > maxNameLength || second.length > maxNameLength) return 'UNCERTAIN'
  const match = compareWords(first, second)
  return match === 'SAME' && (mayBeOthers(first) || mayBeOthers(second)) ? 'UNCERTAIN' : match
}

/** Whether the account of this name may be of somebody else, or of two holders. */
const mayBeOthers = (name: string): boolean => {
  const text = name.replace(/\s+/g, ' ').trim()
  const words = text.replace(/[.,:;()-]+/g, ' ')
  return otherHolder.test(words) || firm.test(words) || twoHolders.test(text)
}

function compareWords(first: string, second: string): NameMatch {
  if (!isLatin(first) || !isLatin(second)) return compareScripts(nameIn(first), nameIn(second))
  const one = nameIn(toLatin(first))
  const other = nameIn(toLatin(second))
  const hasPossibleTitle = one.hasPossibleTitle || other.hasPossibleTitle
  const fits = hasPossibleTitle
    ? hasSameWords(one, other) && one.words.some(isFullWord)
    : hasAllWords(one.words, other.words) || fitsInitials(one.words, other.words)
  if (fits) return mayBeOneRelative(one.relative, other.relative) && mayHaveTitles(one, other) ? 'SAME' : 'UNCERTAIN'
  return mayBeOnePerson(one.words, other.words) ? 'UNCERTAIN' : 'DIFFERENT'
}

/** Whether two relatives, such as `S/O MOHAN LAL`, have the same words; a name without a relative fits any. */
const mayBeOneRelative = (first: string, second: string): boolean =>
  first === '' || second === '' || hasSameWords(nameIn(first), nameIn(second))

/** Whether one person may have the titles of both names; a name without titles fits any. */
const mayHaveTitles = ({ titleSexes: one }: OwnName, { titleSexes: other }: OwnName): boolean =>
  one.length === 0 || other.length === 0 || one.some((sex) => other.includes(sex))

const hasSameWords = (one: OwnName, other: OwnName): boolean =>
  one.words.toSorted().join(' ') === other.words.toSorted().join(' ')

/** Returns a Latin name in ASCII letters, without apostrophes: `D’Souza` is `DSouza`. */
const toLatin = (name: string): string =>
  toAscii(normalize(name, 'NFKD').replace(/[\p{M}'’`]+/gu, '')).replace(/[^A-Za-z/\\]+/g, ' ')

type Sex = 'MAN' | 'WOMAN'

interface OwnName {
  /** The words of the person's own name in capitals, without titles. */
  words: string[]
  /** Whether a word was left out that is a title or initials. */
  hasPossibleTitle: boolean
  /** Of whom the titles are. A word that may be a name or initials is none behind the name. */
  titleSexes: Sex[]
  /** The relative after it, such as `S/O MOHAN LAL`; empty without one. */
  relative: string
}

/** Divides a name into titles, own words and a relative. */
function nameIn(name: string): OwnName {
  const oneSpaced = normalize(name, 'NFC')
    .replace(/\s+/g, ' ')
    .replace(/\bM ?\/ ?S\b/gi, 'M/S')
  const relativeAt = oneSpaced.search(relative)
  const ownName = relativeAt < 0 ? oneSpaced : oneSpaced.slice(0, relativeAt)
  const words = ownName
    .split(/[^\p{L}\p{M}\p{Join_Control}/]+/u)
    .map((word) => word.toUpperCase())
    .filter((word) => word !== '')
  const firstOwn = words.findIndex((word, i) => !isTitle(word, words.length - i - 1))
  const ownWords = firstOwn < 0 ? [] : words.slice(firstOwn)
  const titleWords = words.filter((word, i) => titles.has(word) || i < firstOwn)
  return {
    words: ownWords.flatMap((word) => word.split('/')).filter((word) => word !== ''),
    hasPossibleTitle: words.slice(0, Math.max(firstOwn, 0)).some((word) => possibleTitles.has(word)),
    titleSexes: titleWords.flatMap(sexOf),
    relative: relativeAt < 0 ? '' : oneSpaced.slice(relativeAt).trim(),
  }
}

const isTitle = (word: string, wordsAfter: number): boolean =>
  titles.has(word) || (wordsAfter > 1 && possibleTitles.has(word))

function sexOf(title: string): Sex[] {
  if (titlesOfMen.has(title)) return ['MAN']
  return titlesOfWomen.has(title) ? ['WOMAN'] : []
}

const isFullWord = (word: string): boolean => word.length > 1

/** Whether the longer name has each word of the shorter one, and at most one more: another full name is another person. */
function hasAllWords(first: string[], second: string[]): boolean {
  const isFirstShorter = first.length <= second.length
  const shorter = isFirstShorter ? first : second
  const remaining = remainingAfter(shorter, isFirstShorter ? second : first, (word, each) => word === each)
  const fullWords = shorter.filter(isFullWord).length
  if (remaining === null || remaining.length > 1) return false
  if (!isSubsequence(initialsIn(shorter), initialsIn(isFirstShorter ? second : first))) return false
  return remaining.length === 0 ? fullWords > 0 : fullWords > 1
}

const initialsIn = (words: string[]): string[] => words.filter((word) => !isFullWord(word))

/** Whether `longer` has the letters in this order, perhaps with others between them. */
function isSubsequence(letters: string[], longer: string[]): boolean {
  let from = 0
  return letters.every((letter) => {
    const at = longer.indexOf(letter, from)
    from = at + 1
    return at >= 0
  })
}

/** Returns the words that remain after each of `words` took one that fits it; null if one finds none. */
function remainingAfter(
  words: string[],
  otherWords: string[],
  fits: (word: string, otherWord: string) => boolean,
): string[] | null {
  const remaining = [...otherWords]
  for (const word of words) {
    const index = remaining.findIndex((each) => fits(word, each))
    if (index < 0) return null
    remaining.splice(index, 1)
  }
  return remaining
}

/** Whether both names have the same words in the same order, some of them as initials, and one of them in full. */
const fitsInitials = (first: string[], second: string[]): boolean =>
  first.length === second.length &&
  first.every((word, i) => word === second[i] || isInitial(word, second[i] ?? '')) &&
  first.some((word, i) => isFullWord(word) && word === second[i])

/** Whether one is the initial of the other, which is a name and not several initials. */
const isInitial = (a: string, b: string): boolean =>
  (a.length === 1 && b.startsWith(a) && !joinedInitials.test(b)) ||
  (b.length === 1 && a.startsWith(b) && !joinedInitials.test(a))

/**
 * Whether the names share a word, are spelled alike when joined, have initials for each other's words, or one consists of
 * initials of the other.
 */
function mayBeOnePerson(first: string[], second: string[]): boolean {
  const fitsWord = (word: string, other: string): boolean => word === other || isInitial(word, other)
  if (first.length > 0 && first.length === second.length && remainingAfter(first, second, fitsWord) !== null)
    return true
  const sounds = second.filter(isFullWord).map(consonantsOf)
  if (first.some((word) => isFullWord(word) && sounds.includes(consonantsOf(word)))) return true
  const one = latinSound(first.filter(isFullWord).join(''))
  const other = latinSound(second.filter(isFullWord).join(''))
  if (isWithin(one, other) || isWithin(other, one)) return true
  return isInitialsOf(first, second) || isInitialsOf(second, first)
}

/** Whether one text, of more letters than a short name, is in the other: `MUTHU KUMAR` and `Muthukumar`, `KARTHIKM`. */
const isWithin = (part: string, whole: string): boolean => part.length > 4 && whole.includes(part)

/** Whether a name consists of initials, perhaps written together, of the other's words. */
function isInitialsOf(initials: string[], words: string[]): boolean {
  if (initials.length === 0 || !initials.every((word) => !isFullWord(word) || joinedInitials.test(word))) return false
  return [...initials.join('')].every((letter) => words.some((word) => word.startsWith(letter)))
}

/** The sound of a word by its consonants, of which a short word has too few: `Mohammed` and `MOHAMMAD`, `LAXMI`. */
function consonantsOf(word: string): string {
  const sound = latinSound(word.replaceAll('X', 'KS'))
  const consonants = sound.replace(/(?!^)[aeiou]/g, '').replace(/(.)\1+/g, '$1')
  return consonants.length > 2 ? consonants : sound
}

/** Compares names of which one is not in Latin letters. Initials must stand in the same order. */
function compareScripts(name: OwnName, other: OwnName): NameMatch {
  const { words } = name
  const otherWords = other.words
  if (words.length !== otherWords.length || !words.some(isFullWord)) return 'UNCERTAIN'
  if (!mayBeOneRelative(name.relative, other.relative) || !mayHaveTitles(name, other)) return 'UNCERTAIN'
  const initials = initialsIn(words)
  const otherInitials = initialsIn(otherWords)
  const isOneOrder =
    initials.length === otherInitials.length && initials.every((each, i) => soundsLike(each, otherInitials[i] ?? ''))
  return isOneOrder && remainingAfter(words, otherWords, soundsLike) !== null ? 'SAME' : 'UNCERTAIN'
}

/** Whether two words, one of them in another script than Latin, are spelled or sound alike. */
function soundsLike(first: string, second: string): boolean {
  if (first.toUpperCase() === second.toUpperCase()) return true
  const firstPattern = spellingPattern(first)
  const secondPattern = spellingPattern(second)
  if (firstPattern && isLatin(second)) return firstPattern.test(latinSound(toAscii(second)))
  return secondPattern !== null && isLatin(first) && secondPattern.test(latinSound(toAscii(first)))
}

/** Matches words in scripts whose consonants carry an inherent vowel. */
const inherentVowelScripts =
  /^[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\u200c\u200d]+$/u
/** Viramas: signs that remove the inherent vowel of the consonant before them. */
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

/** Returns the sounds of a word in a script whose consonants carry a vowel. */
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
