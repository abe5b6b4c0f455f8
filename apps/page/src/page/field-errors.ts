// Errors of a form's fields.
import { textOf } from '../text.ts'

/** Error texts by field; an empty text selects the catalogue's. */
export type FieldErrors = Record<string, string>

export const errorOf = (errors: FieldErrors, name: string): string | undefined =>
  name in errors ? errors[name] || textOf(`wrong.${name}`) : undefined
