// Fields of the profile's first part, and stored values in the form's format. Pure.
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'

export type Values = Partial<Record<string, string>>

interface CommonField {
  name: string
  /** The field's group in the request; top level if absent. */
  group?: 'profile' | 'workProfile' | 'address' | 'goldLoan'
  part: number
  optional?: true
  folded?: true
  /** Regular expression of valid values; any value if absent. */
  pattern?: string | undefined
  /** Whether the field is shown. */
  when?: (values: Values) => boolean
  input?: {
    inputMode?: 'numeric' | 'decimal' | 'email'
    autocomplete?: string
    autocapitalize?: 'characters' | 'words'
    maxLength?: number
  }
}

interface EnteredField extends CommonField {
  /** An amount is in whole rupees. Only later parts have amounts. */
  kind?: 'date' | 'amount'
  options?: undefined
}

interface ChosenField extends CommonField {
  kind: 'choice' | 'select'
  options: readonly string[]
}

/** The characters of a text without a limit of its own. */
export const usualMaxLength = 200

export type Field = EnteredField | ChosenField

const firstPartField = { group: 'profile', part: 0 } as const
export const firstFields: Field[] = [
  { ...firstPartField, name: 'pan', input: { autocapitalize: 'characters' } },
  { ...firstPartField, name: 'panName', input: { autocomplete: 'name', autocapitalize: 'words' } },
  { ...firstPartField, name: 'dob', kind: 'date' },
  { ...firstPartField, name: 'gender', kind: 'choice', options: ['female', 'male', 'transgender'] },
  { ...firstPartField, name: 'personalemail', input: { inputMode: 'email', autocomplete: 'email' } },
]

/** Stored values; unknown ones are absent. */
export function valuesOf({ profile, workProfile, address, goldLoan, endUse }: EmbedView): Values {
  const known = Object.entries({ ...profile, ...workProfile, ...address, ...goldLoan, endUse })
  return Object.fromEntries(
    known.filter(([, value]) => (value ?? null) !== null).map(([name, value]) => [name, `${value}`]),
  )
}
