// The fields that the objects of the partner exchange are made of, and what must never cross in any of them (D3 §2.1).

import { isAadhaar } from '#contract/identifier.ts'
import type { FieldError } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import { type Paise, paiseFrom } from '#kit/money/money.ts'
import { required } from '#kit/runtime/record.ts'

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
/** Paise of a field that fits `Money`. */
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
/** A moment in UTC, with `Z`. */
export const Instant = Type.String({
  pattern: `^${day}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?Z$`,
  'x-says': 'must be a moment in UTC, such as 2026-11-20T10:00:00.000Z',
  examples: ['2026-11-20T10:00:00.000Z'],
})
/** Whether one instant, written with any number of decimals, is later than another. */
export const isLater = (one: string, other: string): boolean => Date.parse(one) > Date.parse(other)

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
/** A reason, method or frequency as its author gave it. */
export const Code = Type.String({
  pattern: '^[!-~](?:[ -~]{0,98}[!-~])?$',
  'x-says': 'must be a code of 1 to 100 ASCII characters',
})
/** Text that a person wrote or reads: not blank, without control characters. */
export const Text = (most = 200) =>
  Type.String({
    maxLength: most,
    pattern: '^(?=[^]*\\S)[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]+$',
    'x-says': `must be text of 1 to ${most} characters`,
  })
/** An address that a browser may open: https, or http of this machine; no user before the host. */
export const Url = Type.String({
  maxLength: 2048,
  pattern:
    '^(?:https://[^\\s/?#@"<>\\\\]+|http://(?:127\\.0\\.0\\.1|localhost)(?::\\d{1,5})?)(?:[/?#][^\\s"<>\\\\]*)?$',
  'x-says': 'must be an https URL',
})

const mostCounted = 2_147_483_647
/** Counts from zero, versions and numbers from one. */
export const Count = Type.Integer({ minimum: 0, maximum: mostCounted })
export const Version = Type.Integer({ minimum: 1, maximum: mostCounted })

export const Ids = Type.Array(Id, { maxItems: 1000, uniqueItems: true })

/** A rule between fields: whether it is broken, the field, and the message for the sender. */
export type FieldRule = [isBroken: boolean, path: string, message: string]

/** The rules that are broken, as wrong fields; `under` is the path of the object that they speak of. */
export const broken = (under: string, ...rules: FieldRule[]): FieldError[] =>
  rules.filter(([isBroken]) => isBroken).map(([, path, message]) => ({ path: inside(under, path), message }))

export const inside = (under: string, path: string | number): string => (under === '' ? `${path}` : `${under}.${path}`)

/** The positions of repeated values, after the first. */
export const repeated = (values: readonly string[]): number[] =>
  values.flatMap((value, i) => (values.indexOf(value) < i ? [i] : []))

/** Limits on reported faults, and on the length of their paths, because a body may be long. */
const mostFaults = 100
const longestPath = 200

/** The refused texts and keys of a value by their paths, without their content. */
export function sensitiveFaults(value: unknown, path = ''): FieldError[] {
  const found: FieldError[] = []
  visit(value, path, '', false)
  return found.slice(0, mostFaults).map((fault) => ({ ...fault, path: fault.path.slice(0, longestPath) }))

  function visit(value: unknown, path: string, key: string, native: boolean): void {
    if (typeof value === 'string' || typeof value === 'number') {
      if (tellsAadhaar(String(value), key, native)) found.push({ path, message: noAadhaar })
    } else if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) visit(item, inside(path, i), key, native)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (isAadhaar(name)) found.push({ path, message: 'must not have an Aadhaar number as a key' })
        else if (credential.test(name) && inner !== null)
          found.push({ path: inside(path, name), message: noCredential })
        else visit(inner, inside(path, name), name, native || name === 'report_data')
      }
    }
  }
}

const noAadhaar = 'must not hold a full Aadhaar number'
const noCredential = 'must not be sent: it is named like a bank-login credential'

/**
 * One in ten numbers of twelve digits has an Aadhaar check digit by chance, so a number with another meaning by its
 * field name is accepted, and so is one within a text that may be a bank narration. Groups of digits inside a UUID or
 * an amount are not separate numbers.
 */
function tellsAadhaar(text: string, key: string, native: boolean): boolean {
  if (!twelveDigits.test(text) || otherNumber.test(key) || (!native && ourId.test(key))) return false
  if (isAadhaar(text)) return true
  const unnamed = native || narration.test(key) ? grouped : report
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
