// Masks personal data in logs and texts, by field names and by patterns.

import { cache } from './cache.ts'
import { normalize, replaceInAnySpelling } from './search-form.ts'

/** Personal and secret field names, in lower case and without underscores, so that every spelling matches. */
const personalNames =
  /^(pan|panname|dob|dateofbirth|name|accountholdername|(business)?address(l[12])?|udyamnumber|gstin|companyname|gender|income|annualturnover|vpa|body|profile|workprofile|cookie|otp|.*(token|secret|password|apikey|authorization|email|mobile|contactnumber|accountnumber|aadhaar|embedurl))$/

/** More names in the same form, added by `maskFieldsNamed`. */
const addedNames = new Set<string>()

/** Makes `isPersonal` true for these names from now on. */
export function maskFieldsNamed(names: readonly string[]): void {
  for (const name of names) addedNames.add(normalizedName(name))
  for (const [name] of [...personalByName.entries()]) personalByName.delete(name)
}

/** A field name without case and underscores. */
export const normalizedName = (name: string): string => name.toLowerCase().replaceAll('_', '')

/** Results of `isPersonal`; limited in size, because names also come from outside. */
const personalByName = cache<boolean>({ name: 'log-names', maxBytes: 512 * 1024, lifetimeMs: Number.POSITIVE_INFINITY })

/** Whether fields of this name are personal or secret. */
export function isPersonal(key: string): boolean {
  const cached = personalByName.get(key, 0)
  if (cached !== undefined) return cached
  const normalized = normalizedName(key)
  const result = addedNames.has(normalized) || personalNames.test(normalized)
  personalByName.set(key, result, 0)
  return result
}

/** Our tokens, PANs, and numbers of 10 to 18 digits. After `word-` they are part of an id and do not match. */
const identifiers =
  /(?<!\w|\w-)(?:(?:sk_live|sk_test|st|rt|bt|lk|ld)_[0-9A-Za-z]{8,}|[A-Za-z]{5}\d{4}[A-Za-z]|\d{10,18})(?![\w-])/g
/** Numbers of 10 to 18 digits that are joined by dashes. */
const joinedNumbers = /(?<!\w|\w-)\d{10,18}(?:-\d{10,18}){1,9}(?![\w-])/
const identifiersOrJoinedNumbers = new RegExp(`${identifiers.source}|${joinedNumbers.source}`, 'g')

/** Masks tokens, PANs and long numbers in a text; keeps mail addresses and words. */
export const scrub = (text: string): string => replaceInAnySpelling(text, identifiersOrJoinedNumbers, '[masked]')

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/
const id = new RegExp(`(?<![\\w-])(${uuid.source})(?![\\w-])`)
const maskMark = '•••••'

/** A mobile number in two halves. `~` is any non-ASCII dash; two round amounts with `~` are a range, not a number. */
const mobile =
  /(?:(?:\+|00)?91[\s~-]{0,2}|0[\s~-]?)?(?!\d{3}00\s?~\s?\d{3}00(?!\d))(?:\([6-9]\d{4}\)|[6-9]\d{4})[\s~-]{0,2}\d{5}/

/** Matches a mobile number of ten digits in three groups with the same separator, but no amount and no date. */
const unequalGroups = (gap: string): string => {
  const tenDigits = `(?=\\d(?:${gap}?\\d){9}(?!${gap}?\\d|[ .,]\\d))`
  const notRoundAmount = '(?![\\d ]{0,10}00(?!\\d))' // No group before a blank ends with 00.
  const firstGroup = '[6-9]\\d{1,6}' // At least two digits.
  const lastGroup = '(?!(?:19|20)\\d\\d(?!\\d))\\d{1,7}' // Not a year.
  return `${tenDigits}${gap === ' ' ? notRoundAmount : ''}${firstGroup}${gap}\\d{1,7}${gap}${lastGroup}(?!${gap}?\\d)`
}

/** Matches e-mail addresses, UPI ids, PANs and mobile numbers as people type them. The group `id` exempts UUIDs. */
const typedIdentifiers = new RegExp(
  [
    // E-mail addresses. The first condition prevents quadratic time in a long text without blanks.
    /(?<![^\s@<>"'(),:;])[^\s@<>"'(),:;]+@[^\s@<>"'(),:;]+\.[^\s@<>"'(),:;.]+/,
    // UPI ids. `5000@month` is a price, not a UPI id.
    /(?<![^\s@<>"'(),:;])(?![^\s\w]?[\d.]{1,7}@)[^\s@<>"'(),:;]+@[A-Z][A-Z\d]+/,
    id,
    // PANs, also in groups. The fourth letter is one of ten, which distinguishes a grouped PAN from a word.
    /(?<!\w|\w-)(?:[A-Z]{5}\d{4}[A-Z]|[A-Z]{3}[ABCFGHJLPT][A-Z](?: \d{4} |[~-]\d{4}[~-]|(?:[\s._~-]{1,2}\d){4}[\s._~-]{1,2})[A-Z])(?![\w-])/,
    /(?<!\w|\w-)[A-Z]{3}[ABCFGHJLPT][A-Z](?:(?! \d\d00)[ /]\d{4}[ /]?|\d{4}[ /])[A-Z](?![\w-])/,
    /(?<!\w|\w-)(?:[A-Z][._]?){3}[ABCFGHJLPT][._]?[A-Z][._]?(?:\d[._]?){4}[A-Z](?![\w-])/,
    /(?<!\w|\w-)(?:[A-Z][\s._~-]{1,2}){3}[ABCFGHJLPT][\s._~-]{1,2}[A-Z][\s._~-]{0,2}(?:\d[\s._~-]{0,2}){4}[A-Z](?![\w-])/,
    // Mobile numbers in two halves. Only here a slash may separate them, because references contain slashes too.
    new RegExp(`(?<!\\d|\\w-)${mobile.source}(?:\\s?-\\s?${mobile.source}){0,9}(?![\\d-])`),
    /(?<![\w./]|\w-)(?:(?:\+|00)?91[ /~-]|0[ /~-]?)?[6-9]\d{4} ?\/ ?\d{5}(?![\w/-])/,
    // Mobile numbers with the country code, and mobile numbers in three groups.
    /(?<!\d)(?:\+|00)91[\s~-]{0,2}[6-9](?:[\s~-]?\d){9}(?![\d-])/,
    /(?<![\d.]|\w-)(?:(?:00)?91[\s.~-]|0[\s.~-]?)?[6-9]\d{2}(?:[\s.~-]\d{3}[\s.~-]\d{4}|\d[\s.~-]\d{3}[\s.~-]\d{3})(?![\d.-]\d|\d)/,
    // Mobile numbers in two or three unequal groups. `987654 2026` is an amount with a year.
    /(?<![\w.]|\w-)(?:(?:00)?91[ ~-]|0[ ~-]?)?[6-9]\d\d(?:[ ~-]\d{7}|\d[ ~-]\d{6}|\d{3}[ ~-](?!(?:19|20)\d\d)\d{4}|\d{4}[ ~-]\d{3})(?![\d.-]\d|\d)/,
    new RegExp(
      `(?<![\\w.₹]|\\w-|\\d,|[\\d₹] )(?:(?:00)?91[ ~-]|0[ ~-]?)?(?:${[' ', '-', '~'].map(unequalGroups).join('|')})`,
    ),
    // Mobile numbers in pairs of digits, and numbers in single digits.
    /(?<![\w.]|\w-)(?:(?:\+|00)?91[ .~-]{1,2}|0[ .~-]{0,2})?[6-9]\d(?:[ .~-]{1,2}\d\d){4}(?![\d.-]\d|\d)/,
    /(?<![\w.]|\w-)\+?\d(?:[ .~-]{1,2}\d){9,17}(?![\d.-]\d|\d)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
)

/** Masks e-mail addresses, UPI ids, mobile numbers and PANs in a text; keeps ids and payment references. */
export const maskedWords = (text: string): string => replaceInAnySpelling(text, typedIdentifiers, maskMark)

/** Aadhaar numbers in three groups, or in two groups of 4 and 8 digits that do not begin with a day or a year. */
const groupedAadhaar = new RegExp(
  [
    id,
    /(?<!\d)\d{4}(?<gap>[ .~-])\d{4}\k<gap>\d{4}(?!\d)/,
    /(?<![\w.]|\w-)(?!(?:19|20)\d\d[ ~-]|20\d\d[01]\d[0-3]\d[ ~-])(?:\d{4}[ ~-]\d{8}|\d{8}[ ~-]\d{4})(?![\d-]|\.\d)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
)

/** Masks e-mail addresses, mobile numbers, PANs, tokens, account and Aadhaar numbers in a staff note. */
export const maskedNote = (text: string): string =>
  replaceInAnySpelling(scrub(maskedWords(text)).replaceAll('[masked]', maskMark), groupedAadhaar, maskMark)

/**
 * Masks the segments of a URL path that contain an e-mail address, a mobile number, a PAN, a token, a long number, or a
 * character that no id has, as names and postal addresses do.
 */
export const maskedPath = (path: string): string =>
  path
    .split('/')
    .map((segment) => (isPersonalSegment(decoded(segment)) ? '[masked]' : segment))
    .join('/')

/** Instants in ids: seconds or milliseconds since 1970, or digits as in `20261125101530`, with milliseconds or not. */
const instants = /(?<!\d)(?:1\d{9}|1\d{12}|20\d{12}|20\d{15})(?!\d)/g

/** Whether an id of a caller contains an e-mail address, a mobile number, a PAN, a token or a long number but an instant. */
export function isPersonalId(id: string): boolean {
  const rest = id.replace(instants, '')
  return maskedPath(rest) !== rest
}

const uuidOrLetters = new RegExp(`^(?:${uuid.source}|[a-z-]*)$`, 'i')

/** Also reads `-`, `_` and `.` as blanks, because an integrator's identifier may be `customer-9876501234`. */
const isPersonalSegment = (text: string): boolean =>
  !uuidOrLetters.test(text) &&
  (text.includes('@') ||
    /[^!-~]/.test(text) ||
    [text, text.replace(/[-_.]/g, ' ')].some((words) => maskedNote(words) !== words))

/** Decodes percent-encoding twice. An invalid `%` is left as it is, and the rest is still decoded. */
const decoded = (segment: string): string => normalize(decodedOnce(decodedOnce(segment)), 'NFKC')

const decodedOnce = (text: string): string =>
  text.replace(/(?:%[\da-f]{2})+/gi, (octets) => Buffer.from(octets.replaceAll('%', ''), 'hex').toString())

/** A JSON field with a string, number or boolean, anywhere in a text that may be truncated. */
const jsonField = /"([^"\\]{1,100})"(\s*:\s*)(?:"(?:[^"\\]|\\.)*(?:"|$)|-?[\d.eE+-]+|true|false)/g

/** Masks a text from outside, such as an answer: JSON fields by their names, everything else by patterns. */
export function maskedText(text: string): string {
  const withoutFields = text.replace(jsonField, (whole, key: string, colon: string) =>
    isPersonal(key) ? `"${key}"${colon}"[masked]"` : whole,
  )
  return scrub(withoutFields)
}
