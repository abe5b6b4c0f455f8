// Strict parsers of the fields of the desk's forms; an error names its field.

import { BusinessDate, paiseOf } from '#contract/exchange/fields.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { fits } from '#kit/http/schema.ts'
import { startOf } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'

/**
 * An invalid field. The message contains the input, which may be personal data: the page shows it, the audit log does
 * not.
 */
export class UnreadableField extends Refusal {
  /** The message without the input, for the audit log. */
  readonly messageWithoutText: string

  constructor(field: string, text: string) {
    const messageWithoutText = `${field} is not readable`
    super('invalid', `${messageWithoutText}: "${text}"`, { field })
    this.messageWithoutText = messageWithoutText
  }
}

export function readField(form: URLSearchParams, name: string, pattern: RegExp): string {
  const value = form.get(name)?.trim() ?? ''
  if (!pattern.test(value)) throw new UnreadableField(name, value)
  return value
}

export function paiseIn(form: URLSearchParams, name: string): Paise {
  const [rupees = '', part = ''] = readField(form, name, /^\d{1,9}(\.\d{1,2})?$/).split('.')
  return paiseOf(`${BigInt(rupees)}.${part.padEnd(2, '0')}`)
}

export const percentIn = (form: URLSearchParams, name: string): string => readField(form, name, /^\d{1,2}(\.\d{1,2})?$/)

/** A reason, for the record. The error message starts with `because`. Refused as `invalid` at the field. */
export function reasonIn(form: URLSearchParams, name = 'reason', because = ''): string {
  const reason = form.get(name)?.trim() ?? ''
  if (reason === '' || reason.length > 500)
    throw new Refusal('invalid', `${because}enter a reason of at most 500 characters`, { field: name })
  return reason
}

/** A business day. Refused as `invalid` at the field. */
export function dayIn(form: URLSearchParams, name: string): string {
  const day = form.get(name)?.trim() ?? ''
  if (!fits(BusinessDate, day)) throw new Refusal('invalid', `${name} is not a date: "${day}"`, { field: name })
  return day
}

/** A minute in Indian time, such as `2026-11-20T18:50`. Refused as `invalid` at the field. */
export function minuteIn(form: URLSearchParams, name: string): Date {
  const [, on = '', hours = '', minutes = ''] =
    /^([-0-9]{10})T([01]\d|2[0-3]):([0-5]\d)$/.exec(form.get(name) ?? '') ?? []
  if (!fits(BusinessDate, on)) throw new Refusal('invalid', `${name} is not a time`, { field: name })
  return secondsAfter(startOf(on), Number(hours) * 3600 + Number(minutes) * 60)
}

/** The number of a complaint, a message or a letter. */
export const referencePattern = /^[A-Za-z0-9][A-Za-z0-9/._-]{2,59}$/
