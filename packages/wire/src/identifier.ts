// Patterns of Indian identifiers and of names, and the conversion of input to the stored form.
import { businessDate, yearsBetween } from '@lendloom/lending/calendar'

/**
 * One line of visible text, not blank. Characters that are invisible or change the direction of text could make a name
 * look like another one. After an Indic letter or mark U+200C and U+200D select the form of the letter.
 */
export const visiblePattern = '^(?=.*\\S)(?:[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]|(?<=[\\u0900-\\u0dff])[\\u200c\\u200d])*$'

/**
 * A character that is invisible or changes the direction of text, except the joiners that `visiblePattern` allows. Fields
 * with a published pattern are searched for it, because their pattern must not change.
 */
export const hasHiddenCharacter = (text: string): boolean =>
  /(?![\u200c\u200d])[\p{Cf}\p{Zl}\p{Zp}]|(?<![\u0900-\u0dff])[\u200c\u200d]/u.test(text)

// Most patterns also take what people write, with blanks around it or in small letters; the stored form has neither.

/** The PAN of a person or an organisation. */
export const panPattern = '^\\s*[A-Za-z]{3}[ABCFGHJLPTabcfghjlpt][A-Za-z](?!0000)\\d{4}[A-Za-z]\\s*$'
/** The PAN of a person. The fourth character, which is the kind of holder, is P. */
export const personPanPattern = '^\\s*[A-Za-z]{3}[Pp][A-Za-z](?!0000)\\d{4}[A-Za-z]\\s*$'
export const isPersonPan = (text: string): boolean => new RegExp(personPanPattern).test(text)
export const mobilePattern = '^\\s*(?:\\+?91[ -]?)?[6-9](?:[ -]?\\d){9}\\s*$'
/** A mobile number as people write it in a search: also with the 0 of a domestic call, or 00 before the country. */
export const writtenMobilePattern = '^\\s*(?:(?:\\+|00)?91[ -]?|0[ -]?)?[6-9](?:[ -]?\\d){9}\\s*$'
/** A UMRN of NACH, or the address of a UPI mandate. */
export const mandateNumberPattern = '^(?:[A-Z0-9]{1,20}|[0-9a-f]{32}@[a-z]{2,20})$'
/** An IFSC in the stored form, in capitals. */
export const storedIfscPattern = '^[A-Z]{4}0[A-Z0-9]{6}$'
export const ifscPattern = '^\\s*[A-Za-z]{4}0[A-Za-z0-9]{6}\\s*$'
export const udyamPattern = '^\\s*[Uu][Dd][Yy][Aa][Mm]-[A-Za-z]{2}-\\d{2}-\\d{7}\\s*$'
export const gstinPattern = '^\\s*[0-9A-Za-z]{15}\\s*$'
export const pincodePattern = '^[1-9]\\d{5}$'
export const accountNumberPattern = '^\\d{9,18}$'
export const emailPattern =
  "^\\s*[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]{2,63}\\s*$"

/** A positive amount in whole rupees, such as an income or a turnover. */
export const rupeesPattern = '^0*[1-9]\\d{0,11}$'

/** No blank, control or direction character, and no sign that separates or quotes addresses. */
const mailCharacter =
  '[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069@<>(),;:"\\\\\\[\\]]'

/** A single mail address. Excludes lists and line breaks, which could inject mail headers. */
export const mailAddressPattern = `^${mailCharacter}{1,64}@${mailCharacter}{1,190}$`

/** The GSTIN of a regular taxpayer; `isGstin` also verifies the check character. */
const regularGstin = /^(?:0[1-9]|[12]\d|3[0-8]|97|99)[A-Z]{3}[ABCFGHJLPT][A-Z](?!0000)\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/

/** Whether a text is a GSTIN with a valid check character. */
export function isGstin(text: string): boolean {
  if (!regularGstin.test(text)) return false
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  let sum = 0
  for (const [i, character] of [...text.slice(0, 14)].entries()) {
    const product = alphabet.indexOf(character) * (i % 2 === 0 ? 1 : 2)
    sum += Math.floor(product / 36) + (product % 36)
  }
  return text[14] === alphabet[(36 - (sum % 36)) % 36]
}

/** The stored form of an identifier that people write in any case. */
export const upper = (text: string): string => text.trim().toUpperCase()

/** Ten digits, without prefix, spaces or hyphens. */
export const tenDigits = (mobile: string): string => mobile.replace(/\D/g, '').slice(-10)

/** Converts `YYYY-MM-DD`, `DD/MM/YYYY` or an instant (to its day in India) to `YYYY-MM-DD`. Null if invalid. */
export function calendarDate(text: string): string | null {
  const [, yearFirst, time, zone] = /^\s*(\d{4}-\d{2}-\d{2})(?:(T[\d:.]+)(Z|[+-]\d{2}:\d{2})?)?\s*$/.exec(text) ?? []
  const [, day, month, year] = /^\s*(\d{2})[-/](\d{2})[-/](\d{4})\s*$/.exec(text) ?? []
  const date = yearFirst ?? `${year}-${month}-${day}`
  const midnight = new Date(`${date}T00:00:00Z`)
  const instant = time ? new Date(`${date}${time}${zone ?? 'Z'}`) : midnight
  if (Number.isNaN(midnight.getTime()) || Number.isNaN(instant.getTime())) return null
  if (midnight.getUTCDate() !== Number(date.slice(-2))) return null
  return zone ? businessDate(instant) : date
}

/** The age in complete years on the Indian date of `at`. */
export const ageOn = (dob: string, at: Date): number => yearsBetween(dob, businessDate(at))

/** Whether a text is a full Aadhaar number, which we never store: twelve digits with a valid Verhoeff check digit. */
export function isAadhaar(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '')
  if (!/^[2-9]\d{11}$/.test(digits)) return false
  let check = 0
  for (const [i, digit] of [...digits].reverse().entries()) check = multiply(check, permute(i % 8, Number(digit)))
  return check === 0
}

/** Multiplication in the dihedral group of order ten. */
function multiply(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : ((a + b) % 5) + 5
  return b < 5 ? ((a - b + 5) % 5) + 5 : (a - b + 5) % 5
}

const permutation = '1576283094'
const permute = (round: number, digit: number): number =>
  round === 0 ? digit : permute(round - 1, Number(permutation.charAt(digit)))
