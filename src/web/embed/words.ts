// What the server says in words, in the language of the page; what came from outside is shown as it came.
import type { Words } from '#contract/reason/words.ts'
import { language } from './text.ts'

export const inLanguage = (words: Words | null): string | null =>
  words && ('outside' in words ? words.outside : words[language.value])
