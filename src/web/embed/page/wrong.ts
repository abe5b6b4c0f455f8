// What is wrong in a form, by the name of the field.
import { textOf } from '../text.ts'

/** Each field with words of its own, or none where the texts have some. */
export type Wrong = Record<string, string>

export const wordsFor = (wrong: Wrong, name: string): string | undefined =>
  name in wrong ? wrong[name] || textOf(`wrong.${name}`) : undefined
