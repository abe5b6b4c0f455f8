// What the server says in words, in the language of the page; what came from outside is shown as it came.
import type { Words } from '#contract/reason/words.ts'
import { language, textOf } from './text.ts'

/** A server of the release before this one sends the sentences without their code. */
type Sent = Words | { code?: undefined; en: string; hi: string }

/** In English while the words of the language are not there, and where a newer server says what this page does not know. */
export function inLanguage(words: Sent | null): string | null {
  if (!words || 'outside' in words) return words?.outside ?? null
  if (words.code === undefined && language.value === 'hi') return words.hi
  return textOf(`reason.${words.code}`) || words.en
}
