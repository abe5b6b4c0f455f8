// Reads what a browser posts as application/x-www-form-urlencoded.
import { isUtf8 } from 'node:buffer'
import { refuseUnkeepable } from './body.ts'
import { Refusal } from './refusal.ts'

/** The fields of a form. Refused: `malformed` when the bytes are no UTF-8 · `invalid`, naming the field, for text that no database keeps. */
export function formFrom(raw: Buffer): URLSearchParams {
  if (!isUtf8(raw)) throw new Refusal('malformed', 'the form is not UTF-8')
  const form = new URLSearchParams(raw.toString('utf8'))
  for (const [name, value] of form) refuseUnkeepable(value, name.isWellFormed() && !name.includes('\0') ? name : 'form')
  return form
}
