// Texts of the server in the page's language.
import type { Words } from '@lendloom/lending/reason/reason'
import { textOf } from '../text.ts'

/** Translates a reason; falls back to English if the page has no translation. */
export const translate = (words: Words | null): string | null => words && (textOf(`reason.${words.code}`) || words.en)
