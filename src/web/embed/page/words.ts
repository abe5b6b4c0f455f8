// Texts of the server in the page's language.
import type { Words } from '#contract/reason/reason.ts'
import { textOf } from '../text.ts'

/** Translates a text of ours; falls back to English if the page has no translation. Texts of lenders are unchanged. */
export const translate = (words: Words | null): string | null =>
  !words || 'outside' in words ? (words?.outside ?? null) : textOf(`reason.${words.code}`) || words.en
