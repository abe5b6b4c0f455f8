// What a form of the desk says, read strictly: a field that is not readable is named.

import { paiseOf } from '#contract/exchange/fields.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Paise } from '#kit/money/money.ts'

/** A field with a text that is not as it must be; the text may be of a borrower, and is for the page alone. */
export class Unreadable extends Refusal {
  /** The same without the text. */
  readonly unread: string

  constructor(field: string, text: string) {
    const unread = `${field} is not readable`
    super('invalid', `${unread}: "${text}"`, { field })
    this.unread = unread
  }
}

export function matching(form: URLSearchParams, name: string, pattern: RegExp): string {
  const value = form.get(name)?.trim() ?? ''
  if (!pattern.test(value)) throw new Unreadable(name, value)
  return value
}

export function paiseIn(form: URLSearchParams, name: string): Paise {
  const [rupees = '', part = ''] = matching(form, name, /^\d{1,9}(\.\d{1,2})?$/).split('.')
  return paiseOf(`${BigInt(rupees)}.${part.padEnd(2, '0')}`)
}

export const percentIn = (form: URLSearchParams, name: string): string => matching(form, name, /^\d{1,2}(\.\d{1,2})?$/)

/** Why something is done, for the record; `because` says first why that is asked. Refused as `invalid` at the field. */
export function reasonIn(form: URLSearchParams, name = 'reason', because = ''): string {
  const reason = form.get(name)?.trim() ?? ''
  if (reason === '' || reason.length > 500)
    throw new Refusal('invalid', `${because}say why, in at most 500 characters`, { field: name })
  return reason
}
