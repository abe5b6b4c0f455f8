// Fields that several profile forms share, and the validation of a posted form (FIS12 §7.7).

import { type FieldError, invalid } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { faults, fits, type Static, type TSchema, Type } from '@lendloom/foundation/schema'
import { type Paise, paiseFrom } from '@lendloom/lending/money'
import {
  calendarDate,
  emailPattern,
  isAadhaar,
  mobilePattern,
  panPattern,
  pincodePattern,
} from '@lendloom/wire/identifier'

/** The message that a form shows for an invalid field. */
export const withMessage = (message: string) => ({ 'x-says': message })
/** A field that may be empty. */
export const optional = Type.Optional
export const ShortText = Type.String({
  maxLength: 200,
  pattern: '\\S',
  ...withMessage('must be filled in, with at most 200 characters'),
})
export const Email = Type.String({ pattern: emailPattern, ...withMessage('must be an e-mail address') })
export const Pan = Type.String({ pattern: panPattern, ...withMessage('must be a PAN') })
export const Mobile = Type.String({ pattern: mobilePattern, ...withMessage('must be an Indian mobile number') })
export const Pincode = Type.String({ pattern: pincodePattern, ...withMessage('must be a PIN code') })
export const Handle = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,100}@[A-Za-z0-9._-]{1,100}$',
  ...withMessage('must be a handle'),
})

/** Returns a text without blanks at its ends; null without a text. */
export const trimmedOrNull = (text: string | undefined): string | null => text?.trim() ?? null
/** Whether a tick box was ticked, as browsers and buyer apps write it. */
export const isTicked = (text: string | undefined): boolean => /^(?:true|on|yes|1)$/i.test(text ?? '')

/** The validated fields and the date of birth; empty fields are dropped. Throws `invalid`, naming every wrong field. */
export function validatedFields<Schema extends TSchema>(
  schema: Schema,
  posted: Partial<Record<string, string>>,
  freeTextFields: (keyof Static<Schema> & string)[],
): { fields: Static<Schema>; bornOn: string } {
  const fields = Object.fromEntries(Object.entries(posted).filter(([, value]) => value?.trim()))
  const bornOn = calendarDate(fields.dob ?? '')
  const errors: FieldError[] = faults(schema, fields)
  if (fields.dob !== undefined && bornOn === null) errors.push(invalidDate)
  for (const field of freeTextFields)
    if (isAadhaar(String(fields[field] ?? ''))) errors.push({ path: field, message: 'must not be an Aadhaar number' })
  if (errors.length === 0 && bornOn !== null && fits(schema, fields)) return { fields, bornOn }
  const [firstError = invalidDate, ...otherErrors] = errors
  throw invalid(firstError, ...otherErrors)
}

const invalidDate: FieldError = { path: 'dob', message: 'must be a date such as 1994-03-21' }

/** Parses a validated field with an amount. */
export const rupeesIn = (text: string): Paise => required(paiseFrom(text.trim()), 'amount of rupees in the field')
