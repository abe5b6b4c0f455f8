// Faults of a form by field.
import { textOf } from '../text.ts'

/** Each field with its text, or empty to use the catalogue's. */
export type Wrong = Record<string, string>

export const wordsFor = (wrong: Wrong, name: string): string | undefined =>
  name in wrong ? wrong[name] || textOf(`wrong.${name}`) : undefined
