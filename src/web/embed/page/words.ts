// The server's texts in the page's language; outside texts unchanged.
import type { Words } from '#contract/reason/reason.ts'
import { textOf } from '../text.ts'

/** English while the language is not loaded, and for texts of a newer server. */
export const inLanguage = (words: Words | null): string | null =>
  !words || 'outside' in words ? (words?.outside ?? null) : textOf(`reason.${words.code}`) || words.en
