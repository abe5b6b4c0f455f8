// What the server says in words, in the language of the page; what came from outside is shown as it came.
import type { Words } from '#contract/reason/reason.ts'
import { textOf } from '../text.ts'

/** In English while the words of the language are not there, and where a newer server says what this page does not know. */
export const inLanguage = (words: Words | null): string | null =>
  !words || 'outside' in words ? (words?.outside ?? null) : textOf(`reason.${words.code}`) || words.en
