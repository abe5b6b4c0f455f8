// What the hosted page would show in English of words that a view carries.
import type { Words } from '#contract/reason/reason.ts'

export const inEnglish = (words: Words | null | undefined): string =>
  !words ? '' : 'outside' in words ? words.outside : words.en
