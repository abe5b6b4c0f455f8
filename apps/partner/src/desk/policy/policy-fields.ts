// Reads the form fields of proposals to change the policy. An error names the field by its label.

import { Refusal } from '@lendloom/foundation/refusal'
import { fits } from '@lendloom/foundation/schema'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { BusinessDate } from '@lendloom/wire/exchange/fields'
import { policyTexts as texts } from './text-en.ts'

export interface FieldLabel {
  name: string
  label: string
}

/** Returns the error of a field; `rule` says what the field must be. */
export const fieldError = ({ name, label }: FieldLabel, rule: string): Refusal =>
  new Refusal('invalid', `${label}: ${rule}`, { field: name })

/** Reads a field. Refused as `invalid` at the field, with `rule` as message, unless it matches the pattern. */
export function readText(form: URLSearchParams, field: FieldLabel, pattern: RegExp, rule: string): string {
  const text = form.get(field.name)?.trim() ?? ''
  if (!pattern.test(text)) throw fieldError(field, rule)
  return text
}

const fromField = { name: 'from', label: texts.fromField }

/** Reads the day on which a change takes effect. `invalid` at `from` unless it is within a year after today. */
export function readStartDay(form: URLSearchParams, at: Date): string {
  const from = form.get('from')?.trim() ?? ''
  const today = businessDate(at)
  if (!fits(BusinessDate, from) || from <= today || from > plusDays(today, 366))
    throw fieldError(fromField, `it must be a day after today, ${today}, and within a year`)
  return from
}

export function readWholeNumber(
  form: URLSearchParams,
  field: FieldLabel,
  { min, max }: { min: number; max: number },
): number {
  const rule = `it must be a whole number from ${min} to ${max}`
  const count = Number(readText(form, field, /^\d{1,9}$/, rule))
  if (count < min || count > max) throw fieldError(field, rule)
  return count
}
