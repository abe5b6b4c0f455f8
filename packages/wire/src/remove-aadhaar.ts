// Removes Aadhaar numbers from texts of people (D3 §2.1), however the digits are written.
import { normalize, replaceFound } from '@lendloom/foundation/search-form'
import { isAadhaar } from './identifier.ts'

const mark = '[Aadhaar number removed]'
/** Mail programs break the lines of a quoted mark. */
const quotedMark = /\[Aadhaar[\s>]+number[\s>]+removed\]/g
/** Characters that nobody sees, such as soft hyphens and the joiners of Indian scripts. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/** The name in the spellings of letters and mails. Names of people such as Adarsh and Gangadhar are none. */
const spellings = [
  /aad+(?:h+a*|a{2,})r/i,
  /(?<![a-z])(?:e|m|my|pvc)?ad+(?:h+a*|a{2,})r/i,
  /(?<![a-z])(?:e|m|my|pvc)?a[adhrt]{3,7}[^a-z0-9]{0,3}(?:card|no|num(?:ber)?)(?![a-z])/i,
  /(?<![a-z])(?:my)?uid(?:ai)?(?:no|num(?:ber)?|card)?(?![a-z])/i,
  /(?:आ|अा)धा?र|(?:আ|অা)ধা(?:র|ৰ)|(?:આ|અા)ધાર|(?:ਆ|ਅਾ)ਧਾਰ|(?:ଆ|ଅା)ଧାର|ஆதார|ఆధార|ಆಧಾರ|ആധാ(?:ർ|ര)|آد(?:ھ|ه)ار/,
]

function mentionsAadhaar(context: string): boolean {
  const text = normalize(context, 'NFKC').replace(invisible, '').replace(quotedMark, '')
  return spellings.some((spelling) => spelling.test(text))
}

const fours = (gap: string): string => ['\\d{4}', '\\d{4}', '\\d{4}'].join(gap)
/** Groups of four that the same sign separates, with blanks or not. In a search form, `~` is any dash that is not ASCII. */
const groupsOfFour = [
  fours('[ \\t]{1,3}'),
  ...['\\.', '~', '_', '-', '·', '•'].map((sign) => fours(`[ \\t]?${sign}[ \\t]?`)),
]

/** Twelve digits, each followed by at most five characters that are neither letters nor digits. */
const spread = '(?:\\d[^\\p{L}\\p{N}]{0,5}){11}\\d'
/**
 * Numbers that may stand beside others: a day and a time would else be taken for one number of twelve digits. The pattern
 * below consumes such a number without a capture, so that the search goes on behind it.
 */
const others = {
  day: '\\d{1,2}[-./~]\\d{1,2}[-./~]\\d{4}(?![-./~]?\\d)',
  dayOfTwoDigitYear: '\\d{1,2}[-./~](?:0?[1-9]|1[0-2])[-./~]\\d{2}(?![-./~]?\\d)',
  yearFirst: '(?:19|20)\\d{2}[-./~](?:0?[1-9]|1[0-2])[-./~]\\d{1,2}(?![-./~]?\\d)',
  time: '(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?(?!:?\\d)',
  rupees: '\\d{1,3}(?:,\\d{2}){0,3},\\d{3}(?:\\.\\d{2})?(?![.,]?\\d)',
  rupeesAndPaise: '\\d{1,6}\\.\\d{2}(?![.,]?\\d)',
  mobile: '(?<=\\+[ ]?)91[ ~-]{0,3}[6-9](?:[ ~-]?\\d){9}(?!\\d)',
}

/**
 * Captures a number in a look-ahead, which consumes nothing: the next search begins at the next digit, and so finds a
 * number that begins within twelve digits that are none.
 */
const captured = (forms: string[]): string => `(?=(${forms.join('|')})(?!\\d))`
const numberOfFours = new RegExp(`(?<!\\d)${captured(groupsOfFour)}`, 'gu')
const spreadNumber = new RegExp(`(?<!\\d)(?:${Object.values(others).join('|')}|${captured([spread])})`, 'gu')

/** Removes the numbers of a text that is its own context. */
export const withoutAadhaar = (text: string): string => aadhaarRemover(text)(text)

/**
 * Returns a function that removes the numbers with a valid check digit from texts with a common context. Payment
 * references have twelve digits too, so digits that are not in groups of four, or not in one line, count only if the
 * context mentions Aadhaar. Then it is better to remove a number too many.
 */
export function aadhaarRemover(context: string): (text: string) => string {
  const pattern = mentionsAadhaar(context) ? spreadNumber : numberOfFours
  const numbersIn = (form: string) => {
    const numbers: { start: number; end: number }[] = []
    for (const { index: start, 1: number = '' } of form.matchAll(pattern)) {
      if (!isAadhaar(number.replace(/\D/g, ''))) continue
      const end = start + number.length
      const last = numbers.at(-1)
      if (last && start < last.end) last.end = end
      else numbers.push({ start, end })
    }
    return numbers
  }
  return (text) => replaceFound(text, mark, numbersIn)
}
