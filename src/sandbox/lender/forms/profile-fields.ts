// What several profile forms ask in the same way, and how what was posted is checked (FIS12 §7.7).

import {
  calendarDate,
  emailPattern,
  isAadhaar,
  mobilePattern,
  panPattern,
  pincodePattern,
} from '#contract/identifier.ts'
import { type FieldError, invalid } from '#kit/http/refusal.ts'
import { faults, fits, type Static, type TSchema, Type } from '#kit/http/schema.ts'
import { type Paise, paiseFrom } from '#kit/money/money.ts'
import { required } from '#kit/runtime/record.ts'

export const says = (words: string) => ({ 'x-says': words })
export const maybe = Type.Optional
export const Line = Type.String({
  maxLength: 200,
  pattern: '\\S',
  ...says('must be filled in, with at most 200 characters'),
})
export const Email = Type.String({ pattern: emailPattern, ...says('must be an e-mail address') })
export const Pan = Type.String({ pattern: panPattern, ...says('must be a PAN') })
export const Mobile = Type.String({ pattern: mobilePattern, ...says('must be an Indian mobile number') })
export const Pincode = Type.String({ pattern: pincodePattern, ...says('must be a PIN code') })
export const Handle = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,100}@[A-Za-z0-9._-]{1,100}$',
  ...says('must be a handle'),
})

export const line = (text: string | undefined): string | null => text?.trim() ?? null
export const isTicked = (text: string | undefined): boolean => /^(?:true|on|yes|1)$/i.test(text ?? '')

/** What was filled in, with the day of birth. Throws a `Refusal` of kind `invalid` naming every wrong field. */
export function checked<Schema extends TSchema>(
  schema: Schema,
  posted: Partial<Record<string, string>>,
  lines: (keyof Static<Schema> & string)[],
): { given: Static<Schema>; bornOn: string } {
  const given = Object.fromEntries(Object.entries(posted).filter(([, value]) => value?.trim()))
  const bornOn = calendarDate(given.dob ?? '')
  const wrong: FieldError[] = faults(schema, given)
  if (given.dob !== undefined && bornOn === null) wrong.push(noDate)
  for (const field of lines)
    if (isAadhaar(String(given[field] ?? ''))) wrong.push({ path: field, message: 'must not be an Aadhaar number' })
  if (wrong.length === 0 && bornOn !== null && fits(schema, given)) return { given, bornOn }
  const [first = noDate, ...more] = wrong
  throw invalid(first, ...more)
}

const noDate: FieldError = { path: 'dob', message: 'must be a date such as 1994-03-21' }

/** The amount in a field that was checked to hold one. */
export const rupeesIn = (text: string): Paise => required(paiseFrom(text.trim()), 'amount of rupees in the field')
