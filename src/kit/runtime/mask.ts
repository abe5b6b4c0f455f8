// Masks personal data by field names and by patterns in texts: in logs, and in documents that people read.

import { cache } from './cache.ts'
import { isObject } from './record.ts'
import { normalize, replaceInAnySpelling } from './search-form.ts'

/** Personal and secret field names, in lower case and without underscores, so that every spelling matches. */
const personal =
  /^(pan|panname|dob|dateofbirth|name|accountholdername|(business)?address(l[12])?|udyamnumber|gstin|companyname|gender|income|annualturnover|vpa|body|profile|workprofile|cookie|otp|.*(token|secret|password|apikey|authorization|email|mobile|contactnumber|accountnumber|aadhaar|embedurl))$/

/** Further names in the same form, from schemas of personal data. */
const addedNames = new Set<string>()

/** Makes `isPersonal` true for these names from now on. */
export function maskFieldsNamed(names: readonly string[]): void {
  for (const name of names) addedNames.add(plainName(name))
  for (const [name] of [...personalByName.entries()]) personalByName.delete(name)
}

const plainName = (name: string): string => name.toLowerCase().replaceAll('_', '')

/** Results of `isPersonal`; limited in size, because names also come from outside. */
const personalByName = cache<boolean>({ name: 'log-names', maxBytes: 512 * 1024, lifetimeMs: Number.POSITIVE_INFINITY })

/** Whether fields of this name are personal or secret. */
export function isPersonal(key: string): boolean {
  const cached = personalByName.get(key, 0)
  if (cached !== undefined) return cached
  const plain = plainName(key)
  const result = addedNames.has(plain) || personal.test(plain)
  personalByName.set(key, result, 0)
  return result
}

/** Our tokens, PANs, and numbers as long as phone, account and Aadhaar numbers; after `word-` they are part of an id. */
const identifiers =
  /(?<!\w|\w-)(?:(?:sk_live|sk_test|st|rt|bt)_[0-9A-Za-z]{8,}|[A-Za-z]{5}\d{4}[A-Za-z]|\d{10,18})(?![\w-])/g
/** Numbers of that length that are joined by dashes. */
const joined = /(?<!\w|\w-)\d{10,18}(?:-\d{10,18}){1,9}(?![\w-])/
const identifiersOrJoined = new RegExp(`${identifiers.source}|${joined.source}`, 'g')

export const scrub = (text: string): string => replaceInAnySpelling(text, identifiersOrJoined, '[masked]')

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/
const id = new RegExp(`(?<![\\w-])(${uuid.source})(?![\\w-])`)
const hidden = '•••••'

/** A mobile number in two halves. `~` is any non-ASCII dash; between two round amounts it marks a range instead. */
const mobile =
  /(?:(?:\+|00)?91[\s~-]{0,2}|0[\s~-]?)?(?!\d{3}00\s?~\s?\d{3}00(?!\d))(?:\([6-9]\d{4}\)|[6-9]\d{4})[\s~-]{0,2}\d{5}/

/**
 * A mobile number in three groups with the same separator. Amounts do not match: groups that do not have ten digits in
 * all, a first group of one digit, or a round amount. Nor does a text that ends with a year.
 */
const unequalGroups = (gap: string): string => {
  const ten = `(?=\\d(?:${gap}?\\d){9}(?!${gap}?\\d|[ .,]\\d))`
  const amounts = '(?![\\d ]{0,10}00(?!\\d))'
  return `${ten}${gap === ' ' ? amounts : ''}[6-9]\\d{1,6}${gap}\\d{1,7}${gap}(?!(?:19|20)\\d\\d(?!\\d))\\d{1,7}(?!${gap}?\\d)`
}

/**
 * Matches e-mail addresses, UPI ids, PANs and mobile numbers as people type them, and ids, which may contain digits
 * that look like a number. An address must not follow a character that addresses may contain, because otherwise the
 * time would grow quadratically for a text without blanks. `5000@month` is a price and not a UPI id, `987654 2026` an
 * amount with its year and not a number; with a slash only two halves are a number, because references have slashes too. The
 * fourth letter of a PAN is one of ten, which distinguishes a grouped PAN from words, unless a round amount follows.
 * The last two patterns find digits in pairs and singly.
 */
const typedIdentifiers = new RegExp(
  [
    /(?<![^\s@<>"'(),:;])[^\s@<>"'(),:;]+@[^\s@<>"'(),:;]+\.[^\s@<>"'(),:;.]+/,
    /(?<![^\s@<>"'(),:;])(?![^\s\w]?[\d.]{1,7}@)[^\s@<>"'(),:;]+@[A-Z][A-Z\d]+/,
    id,
    /(?<!\w|\w-)(?:[A-Z]{5}\d{4}[A-Z]|[A-Z]{3}[ABCFGHJLPT][A-Z](?: \d{4} |[~-]\d{4}[~-]|(?:[\s._~-]{1,2}\d){4}[\s._~-]{1,2})[A-Z])(?![\w-])/,
    /(?<!\w|\w-)[A-Z]{3}[ABCFGHJLPT][A-Z](?:(?! \d\d00)[ /]\d{4}[ /]?|\d{4}[ /])[A-Z](?![\w-])/,
    /(?<!\w|\w-)(?:[A-Z][._]?){3}[ABCFGHJLPT][._]?[A-Z][._]?(?:\d[._]?){4}[A-Z](?![\w-])/,
    /(?<!\w|\w-)(?:[A-Z][\s._~-]{1,2}){3}[ABCFGHJLPT][\s._~-]{1,2}[A-Z][\s._~-]{0,2}(?:\d[\s._~-]{0,2}){4}[A-Z](?![\w-])/,
    new RegExp(`(?<!\\d|\\w-)${mobile.source}(?:\\s?-\\s?${mobile.source}){0,9}(?![\\d-])`),
    /(?<![\w./]|\w-)(?:(?:\+|00)?91[ /~-]|0[ /~-]?)?[6-9]\d{4} ?\/ ?\d{5}(?![\w/-])/,
    /(?<!\d)(?:\+|00)91[\s~-]{0,2}[6-9](?:[\s~-]?\d){9}(?![\d-])/,
    /(?<![\d.]|\w-)(?:(?:00)?91[\s.~-]|0[\s.~-]?)?[6-9]\d{2}(?:[\s.~-]\d{3}[\s.~-]\d{4}|\d[\s.~-]\d{3}[\s.~-]\d{3})(?![\d.-]\d|\d)/,
    /(?<![\w.]|\w-)(?:(?:00)?91[ ~-]|0[ ~-]?)?[6-9]\d\d(?:[ ~-]\d{7}|\d[ ~-]\d{6}|\d{3}[ ~-](?!(?:19|20)\d\d)\d{4}|\d{4}[ ~-]\d{3})(?![\d.-]\d|\d)/,
    new RegExp(
      `(?<![\\w.₹]|\\w-|\\d,|[\\d₹] )(?:(?:00)?91[ ~-]|0[ ~-]?)?(?:${[' ', '-', '~'].map(unequalGroups).join('|')})`,
    ),
    /(?<![\w.]|\w-)(?:(?:\+|00)?91[ .~-]{1,2}|0[ .~-]{0,2})?[6-9]\d(?:[ .~-]{1,2}\d\d){4}(?![\d.-]\d|\d)/,
    /(?<![\w.]|\w-)\+?\d(?:[ .~-]{1,2}\d){9,17}(?![\d.-]\d|\d)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
)

/** A text with addresses, mobile numbers and PANs masked; ids and payment references stay. */
export const maskedWords = (text: string): string => replaceInAnySpelling(text, typedIdentifiers, hidden)

/** Aadhaar numbers in three groups, or in two of 4 and 8 digits of which the first is not a day or year. */
const grouped = new RegExp(
  [
    id,
    /(?<!\d)\d{4}(?<gap>[ .~-])\d{4}\k<gap>\d{4}(?!\d)/,
    /(?<![\w.]|\w-)(?!(?:19|20)\d\d[ ~-]|20\d\d[01]\d[0-3]\d[ ~-])(?:\d{4}[ ~-]\d{8}|\d{8}[ ~-]\d{4})(?![\d-]|\.\d)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
)

/** A staff note with addresses, mobile numbers, PANs, tokens, account and Aadhaar numbers masked. */
export const maskedNote = (text: string): string =>
  replaceInAnySpelling(scrub(maskedWords(text)).replaceAll('[masked]', hidden), grouped, hidden)

/** A URL path, masking segments that contain an address, a mobile number, a PAN, a token or a long number. */
export const maskedPath = (path: string): string =>
  path
    .split('/')
    .map((segment) => (isPersonalSegment(decoded(segment)) ? '[masked]' : segment))
    .join('/')

const onlyUuid = new RegExp(`^${uuid.source}$`, 'i')

/** Also reads `-`, `_` and `.` as blanks, because identifiers of integrators may be like `customer-9876501234`. */
const isPersonalSegment = (text: string): boolean =>
  !onlyUuid.test(text) &&
  (text.includes('@') || [text, text.replace(/[-_.]/g, ' ')].some((words) => maskedNote(words) !== words))

/** Decodes percent-encoding twice; invalid encoding stays, so that it cannot hide the rest of the segment. */
const decoded = (segment: string): string => normalize(decodedOnce(decodedOnce(segment)), 'NFKC')

const decodedOnce = (text: string): string =>
  text.replace(/(?:%[\da-f]{2})+/gi, (octets) => Buffer.from(octets.replaceAll('%', ''), 'hex').toString())

/** In addition to the names masked in logs: personal fields in the spelling of network messages and partner events. */
const personalInDocuments = new Set([
  ...['phone', 'virtualpaymentaddress', 'bankaccountnumber', 'firstname', 'middlename', 'lastname', 'fullname'],
  ...['gstin', 'line1', 'line2', 'holdername', 'reportdata', 'mobilenumber', 'emailid', 'addressl3', 'aaid', 'gender'],
  ...['statementupload', 'ip', 'longdesc', 'ifsc', 'city', 'pincode', 'areacode', 'gps', 'ckyc', 'ckycnumber'],
])
/** Fields that are masked part by part, because only some of their content is personal. */
const partlyPersonal = new Set(['body', 'profile', 'workprofile', 'address'])
/** Parents under which `name` is the name of a business or a thing. */
const impersonalParents = new Set([
  'descriptor',
  'provider',
  'lender',
  'lenders',
  'head',
  'tags',
  'list',
  'document',
  'product',
])
/** Codes of tags with personal values. */
const personalTags = new Set(['ACCOUNT_HOLDER_NAME', 'FOLIO_ID', 'ACCOUNT_NUMBER', 'IFSC_CODE', 'UPI_ID', 'VPA'])

const maxDepth = 40

/**
 * Masks a document for staff who support journeys. Personal values, which are found by field name, by tag code, or as a
 * PAN, a token or a long number, become `[masked]`. Null stays null.
 */
export function maskedDocument(value: unknown, key = '', parent = '', depth = 0): unknown {
  if (typeof value === 'string') return scrub(value)
  if (typeof value === 'number' && !Number.isSafeInteger(value) && Math.abs(value) >= 1e9) return '[masked]'
  if (typeof value === 'number' && isMobileLike(value)) return '[masked]'
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return '[deep]'
  if (Array.isArray(value)) return value.map((inner) => maskedDocument(inner, key, parent, depth + 1))
  const tag = isObject(value) && 'descriptor' in value && isObject(value.descriptor) ? value.descriptor : null
  const isTag = tag !== null && 'code' in tag && typeof tag.code === 'string' && personalTags.has(tag.code)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const shouldMask = inner !== null && inner !== '' && ((isTag && name === 'value') || isHidden(name, key))
      return [name, shouldMask ? '[masked]' : maskedDocument(inner, name, key, depth + 1)]
    }),
  )
}

/** Whether a number may be a mobile or account number: amounts of loans are smaller. */
const isMobileLike = (value: number): boolean => Number.isInteger(value) && value >= 6_000_000_000 && value < 1e18

function isHidden(name: string, parent: string): boolean {
  const plain = plainName(name)
  if (partlyPersonal.has(plain)) return false
  if (plain === 'name') return !impersonalParents.has(parent)
  // The files of a complaint.
  if (plain === 'url') return parent === 'additional_desc'
  return isPersonal(name) || personalInDocuments.has(plain)
}

/** A JSON field with a string, number or boolean, anywhere in a text that may be truncated. */
const field = /"([^"\\]{1,100})"(\s*:\s*)(?:"(?:[^"\\]|\\.)*(?:"|$)|-?[\d.eE+-]+|true|false)/g

/** Masks a text from outside, such as an answer: JSON fields by their names, everything else by patterns. */
export function maskedText(text: string): string {
  const withoutFields = text.replace(field, (whole, key: string, colon: string) =>
    isPersonal(key) ? `"${key}"${colon}"[masked]"` : whole,
  )
  return scrub(withoutFields)
}
