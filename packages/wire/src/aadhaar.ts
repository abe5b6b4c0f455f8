// Removes Aadhaar numbers from texts of people (D3 §2.1), however the digits are written.
import { normalize, replaceFound } from '@lendloom/foundation/search-form'
import { isAadhaar } from './identifier.ts'

/** The name in the spellings of letters and mails, but not in the mark of a removed number. */
const mention = /(?<![a-z[])a+d+h+a*r|(?<![a-z])uid(?:ai)?(?![a-z])|आधार|ஆதார|ఆధార|আধার|આધાર|ಆಧಾರ|ആധാർ|ਆਧਾਰ|ଆଧାର|آدھار/i

const mark = '[Aadhaar number removed]'

const groups = (sizes: number[], gap: string): string => sizes.map((size) => `\\d{${size}}`).join(gap)
/** Groups that the same sign separates, with blanks or not. In a search form, `~` is any dash that is not ASCII. */
const fours = ['\\.', '~', '_', '-', '·', '•'].map((sign) => groups([4, 4, 4], `[ \\t]?${sign}[ \\t]?`))
const unnamed = [groups([4, 4, 4], '[ \\t]{1,3}'), ...fours]

const gap = '[ \\t.~_·•-]{1,3}'
/** Cells of a table and lines of a quote separate groups too. Other sizes of groups are not those of dates and amounts. */
const named = [
  groups([4, 4, 4], '[\\s.,:;|>*~_/()·•-]{0,4}'),
  groups([4, 8], gap),
  groups([8, 4], gap),
  groups(Array(2).fill(6), gap),
  groups(Array(4).fill(3), gap),
  groups(Array(6).fill(2), gap),
  groups(Array(12).fill(1), gap),
]

/** Matches at the first digit, so that a number is found which begins within twelve digits that are none. */
const patternOf = (forms: string[]): RegExp => new RegExp(`(?<!\\d)(?=(${forms.join('|')})(?!\\d))`, 'g')
const unnamedNumber = patternOf(unnamed)
const namedNumber = patternOf(named)

/** Removes the numbers of a text that is its own context. */
export const withoutAadhaar = (text: string): string => aadhaarRemover(text)(text)

/**
 * Returns a function that removes the numbers with a valid check digit from texts with a common context. Payment
 * references have twelve digits too, so digits that are not in groups of four, or not in one line, count only if the
 * context mentions Aadhaar.
 */
export function aadhaarRemover(context: string): (text: string) => string {
  const pattern = mention.test(normalize(context, 'NFKC')) ? namedNumber : unnamedNumber
  const numbersIn = (form: string) => {
    const found: { start: number; end: number }[] = []
    for (const { index: start, 1: number = '' } of form.matchAll(pattern))
      if (start >= (found.at(-1)?.end ?? 0) && isAadhaar(number.replace(/\D/g, '')))
        found.push({ start, end: start + number.length })
    return found
  }
  return (text) => replaceFound(text, mark, numbersIn)
}
