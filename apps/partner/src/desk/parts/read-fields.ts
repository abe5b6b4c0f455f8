// Reads the fields of forms: amounts, percentages, days, minutes and reasons. An error names the invalid field.

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { fits } from '@lendloom/foundation/schema'
import { startOf } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import { BusinessDate, paiseOf } from '@lendloom/wire/exchange/fields'

/** An invalid field. The message contains the input, which may be personal data, so the audit log must not store it. */
export class UnreadableField extends Refusal {
  /** For the audit log. */
  readonly messageWithoutInput: string

  constructor(field: string, input: string) {
    const messageWithoutInput = `${field} is not readable`
    super('invalid', `${messageWithoutInput}: "${input}"`, { field })
    this.messageWithoutInput = messageWithoutInput
  }
}

/** Reads a text in a format. Throws `UnreadableField` for any other text. */
export function readField(form: URLSearchParams, name: string, pattern: RegExp): string {
  const value = form.get(name)?.trim() ?? ''
  if (!pattern.test(value)) throw new UnreadableField(name, value)
  return value
}

/** Reads an amount in rupees with at most two decimals, also with the commas of lakhs. */
export function paiseIn(form: URLSearchParams, name: string): Paise {
  const text = readField(form, name, /^(\d{1,9}|\d{1,2}(,\d\d){0,2},\d{3})(\.\d{1,2})?$/)
  const [rupees = '', fraction = ''] = text.replaceAll(',', '').split('.')
  return paiseOf(`${BigInt(rupees)}.${fraction.padEnd(2, '0')}`)
}

/** Reads a percentage below 100 with at most two decimals. */
export const percentIn = (form: URLSearchParams, name: string): string => readField(form, name, /^\d{1,2}(\.\d{1,2})?$/)

/** A character that people see: no blank, control character or combining mark. */
const visibleCharacter = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Reads a reason with a visible character. Refused as `invalid` at the field, with `errorPrefix` at the start of the message. */
export function reasonIn(form: URLSearchParams, name = 'reason', errorPrefix = ''): string {
  const reason = form.get(name)?.trim() ?? ''
  if (!visibleCharacter.test(reason) || reason.length > 500)
    throw new Refusal('invalid', `${errorPrefix}enter a reason of at most 500 characters`, { field: name })
  return reason
}

/** Reads a business day. Refused as `invalid` at the field. */
export function dayIn(form: URLSearchParams, name: string): string {
  const day = form.get(name)?.trim() ?? ''
  if (!fits(BusinessDate, day)) throw new Refusal('invalid', `${name} is not a date: "${day}"`, { field: name })
  return day
}

/** Reads a minute in Indian time, such as `2026-11-20T18:50`. Refused as `invalid` at the field. */
export function minuteIn(form: URLSearchParams, name: string): Date {
  const [, day = '', hours = '', minutes = ''] =
    /^([-0-9]{10})T([01]\d|2[0-3]):([0-5]\d)$/.exec(form.get(name) ?? '') ?? []
  if (!fits(BusinessDate, day)) throw new Refusal('invalid', `${name} is not a time`, { field: name })
  return secondsAfter(startOf(day), Number(hours) * 3600 + Number(minutes) * 60)
}

/** The format of the number of a complaint, a message or a letter. Browsers read patterns with the flag `v`. */
export const referencePattern = /^[A-Za-z0-9][A-Za-z0-9\/._\-]{2,59}$/v
