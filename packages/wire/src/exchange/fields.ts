// Field schemas of the partner exchange, and the check for data that must never be sent (D3 §2.1).

import type { FieldError } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { Type } from '@lendloom/foundation/schema'
import { type Paise, paiseFrom } from '@lendloom/lending/money'
import { isAadhaar } from '#wire/identifier.ts'

const rupees = '(?:0|[1-9]\\d{0,12})\\.\\d{2}'

/** Rupees with exactly two decimals, never negative. */
export const Money = Type.String({
  pattern: `^${rupees}$`,
  'x-says': 'must be an amount in rupees with exactly two decimals, such as "1234.50"',
  examples: ['1234.50'],
})
export const PositiveMoney = Type.String({
  pattern: `^(?!0\\.00$)${rupees}$`,
  'x-says': 'must be an amount above zero in rupees with exactly two decimals, such as "1234.50"',
  examples: ['1234.50'],
})
export const paiseOf = (money: string): Paise => required(paiseFrom(money), 'amount of rupees with two decimals')

/** A rate as a decimal string: `"24.00"`. */
export const Percent = Type.String({
  pattern: '^(?:0|[1-9]\\d{0,3})(?:\\.\\d{1,6})?$',
  'x-says': 'must be a percentage as a decimal string, such as "24.00"',
  examples: ['24.00'],
})
export const Currency = Type.Literal('INR')

const leapYear = '(?:(?:19|20)(?:0[48]|[2468][048]|[13579][26])|2000)'
const day =
  '(?:(?:19|20)\\d{2}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)' +
  `|02-(?:0[1-9]|1\\d|2[0-8]))|${leapYear}-02-29)`

/** A real day, `YYYY-MM-DD`, in the business calendar of Asia/Kolkata. */
export const BusinessDate = Type.String({
  pattern: `^${day}$`,
  'x-says': 'must be a calendar date as YYYY-MM-DD',
  examples: ['2026-11-20'],
})
/** An instant in UTC, with `Z`. */
export const Instant = Type.String({
  pattern: `^${day}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?Z$`,
  'x-says': 'must be an instant in UTC, such as 2026-11-20T10:00:00.000Z',
  examples: ['2026-11-20T10:00:00.000Z'],
})
/** Compares two instants, which may have different numbers of decimals. */
export const isLater = (instant: string, other: string): boolean => Date.parse(instant) > Date.parse(other)

/** An identifier of either side: visible ASCII without blanks. */
export const Id = Type.String({
  pattern: '^[!-~]{1,128}$',
  'x-says': 'must be an identifier of 1 to 128 visible ASCII characters',
})
/** The loan ID is a numeric string: D3 §1.1. */
export const LoanId = Type.String({
  pattern: '^\\d{1,30}$',
  'x-says': 'must be a numeric string',
  examples: ['70012345'],
})

/** A bank's, bureau's or provider's own reference. */
export const Reference = Type.String({
  maxLength: 200,
  pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]+$',
  'x-says': 'must be a reference of 1 to 200 characters',
})
/** A reason, method or frequency, as its author wrote it. */
export const Code = Type.String({
  pattern: '^[!-~](?:[ -~]{0,98}[!-~])?$',
  'x-says': 'must be a code of 1 to 100 ASCII characters',
})
/** Text that a person wrote or reads: not blank, without control characters. */
export const Text = (maxLength = 200) =>
  Type.String({
    maxLength,
    pattern: '^(?=[^]*\\S)[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]+$',
    'x-says': `must be text of 1 to ${maxLength} characters`,
  })
/** A URL that a browser may open: https, or http on this machine; without user info. */
export const Url = Type.String({
  maxLength: 2048,
  pattern:
    '^(?:https://[^\\s/?#@"<>\\\\]+|http://(?:127\\.0\\.0\\.1|localhost)(?::\\d{1,5})?)(?:[/?#][^\\s"<>\\\\]*)?$',
  'x-says': 'must be an https URL',
})

const maxCount = 2_147_483_647
/** `Count` starts at zero, `Version` at one. */
export const Count = Type.Integer({ minimum: 0, maximum: maxCount })
export const Version = Type.Integer({ minimum: 1, maximum: maxCount })

export const Ids = Type.Array(Id, { maxItems: 1000, uniqueItems: true })

/** A rule between fields: whether it is broken, the field, and the message for the sender. */
export type FieldRule = [isBroken: boolean, path: string, message: string]

/** Returns the faults of the broken rules; `under` is the path of the object that the rules are about. */
export const brokenRules = (under: string, ...rules: FieldRule[]): FieldError[] =>
  rules.filter(([isBroken]) => isBroken).map(([, path, message]) => ({ path: pathIn(under, path), message }))

export const pathIn = (under: string, path: string | number): string => (under === '' ? `${path}` : `${under}.${path}`)

/** Returns the index of each value that equals an earlier one. */
export const repeatedIndexes = (values: readonly string[]): number[] =>
  values.flatMap((value, i) => (values.indexOf(value) < i ? [i] : []))

/** Limits the reported faults and the length of their paths, because a body may be long. */
const maxFaults = 100
const maxPathLength = 200

/** Finds Aadhaar numbers and bank credentials in a value; a fault has the path, never the content. */
export function sensitiveFaults(value: unknown, path = ''): FieldError[] {
  const faults: FieldError[] = []
  visit(value, path, '', false)
  return faults.slice(0, maxFaults).map((fault) => ({ ...fault, path: fault.path.slice(0, maxPathLength) }))

  function visit(value: unknown, path: string, key: string, isNative: boolean): void {
    if (typeof value === 'string' || typeof value === 'number') {
      if (containsAadhaar(String(value), key, isNative)) faults.push({ path, message: noAadhaar })
    } else if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) visit(item, pathIn(path, i), key, isNative)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (isAadhaar(name)) faults.push({ path, message: 'must not have an Aadhaar number as a key' })
        else if (credential.test(name) && inner !== null)
          faults.push({ path: pathIn(path, name), message: noCredential })
        else visit(inner, pathIn(path, name), name, isNative || name === 'report_data')
      }
    }
  }
}

const noAadhaar = 'must not contain a full Aadhaar number'
const noCredential = 'must not be sent: it is named like a bank-login credential'

/**
 * One in ten numbers of twelve digits has a valid Aadhaar check digit by chance. Therefore a number is accepted if its
 * field name means another number, or if it is inside a text that may be a bank narration. Digits inside a UUID or an
 * amount do not count.
 */
function containsAadhaar(text: string, key: string, isNative: boolean): boolean {
  if (!twelveDigits.test(text) || otherNumber.test(key) || (!isNative && ourId.test(key))) return false
  if (isAadhaar(text)) return true
  const unnamed = isNative || narration.test(key) ? grouped : report
  const form = /aadh?a+r|uidai/i.test(text) ? anywhere : unnamed
  return [...text.matchAll(form)].some(([digits]) => isAadhaar(digits))
}

const twelveDigits = /[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}/
const anywhere = /(?<!\d)[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}(?!\d)/g
const report = /(?<!\w|\w-|\d\.)[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}(?!\w|-\w|\.\d)/g
const grouped = /(?<!\w|\w-|\d\.)[2-9]\d{3}([ -])\d{4}\1\d{4}(?!\w|-\w|\.\d)/g
const otherNumber = /mobile|phone|contact|account|acct|rrn|utr|ref|txn|transaction|umrn|loan|amount|balance|date|time/i
const ourId = /_ids?$/
const narration = /message|reason/
const credential =
  /^(?:(?:net_?|internet_?|mobile_?)?bank(?:ing)?_?(?:user_?(?:name|id)|login(?:_?id)?|password|pin)|(?:login_?)?password|passcode|m_?pin|otp|cvv)$/i
