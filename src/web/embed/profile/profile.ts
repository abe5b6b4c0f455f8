// The first part of the profile, with stored values in the form's format. Pure.
import type { EmbedView } from '#contract/hosted/embed.ts'

export type Values = Partial<Record<string, string>>

interface CommonField {
  name: string
  /** The field's group in the request; top level when absent. */
  group?: 'profile' | 'workProfile' | 'address' | 'goldLoan'
  part: number
  optional?: true
  /** The field's regular expression; any value when absent. */
  pattern?: string | undefined
  /** Shown only when this holds. */
  when?: (values: Values) => boolean
  input?: {
    inputMode?: 'numeric' | 'decimal' | 'email'
    autocomplete?: string
    autocapitalize?: 'characters' | 'words'
    maxLength?: number
  }
}

interface EnteredField extends CommonField {
  /** An amount is in whole rupees, and a later part: the first one can do without it. */
  kind?: 'date' | 'amount'
  options?: undefined
}

interface ChosenField extends CommonField {
  kind: 'choice' | 'select'
  options: readonly string[]
}

export type Field = EnteredField | ChosenField

const first = { group: 'profile', part: 0 } as const
export const firstFields: Field[] = [
  { ...first, name: 'pan', input: { autocapitalize: 'characters' } },
  { ...first, name: 'panName', input: { autocomplete: 'name', autocapitalize: 'words' } },
  { ...first, name: 'dob', kind: 'date' },
  { ...first, name: 'gender', kind: 'choice', options: ['female', 'male', 'transgender'] },
  { ...first, name: 'personalemail', input: { inputMode: 'email', autocomplete: 'email' } },
]

/** Stored values; unknown ones are absent. */
export function valuesOf({ profile, workProfile, address, goldLoan, endUse }: EmbedView): Values {
  const known = Object.entries({ ...profile, ...workProfile, ...address, ...goldLoan, endUse })
  return Object.fromEntries(
    known.filter(([, value]) => (value ?? null) !== null).map(([name, value]) => [name, `${value}`]),
  )
}
