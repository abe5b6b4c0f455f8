// A reason in words: as the hosted page gets it, in each of its languages, and as headless clients do, in English.
import type { Language } from '#contract/language.ts'
import { Closed, type Static, Type } from '#kit/http/schema.ts'
import { isReason, type Stored } from './reason.ts'
import { english } from './text-en.ts'
import { hindi } from './text-hi.ts'

const Text = Type.String()
const InEachLanguage: Record<Language, typeof Text> = { en: Text, hi: Text }

/** What a borrower reads: a sentence of ours in each language of the page, or words from outside, which stay as they came. */
export const Words = Type.Union([Closed(InEachLanguage), Closed({ outside: Text })])
export type Words = Static<typeof Words>

/** The words of a reason as it is stored. Releases before the codes stored a sentence: it is shown as words from outside. */
export const wordsOf = (stored: Stored | null): Words | null =>
  stored === null ? null : isReason(stored) ? { en: english[stored], hi: hindi[stored] } : { outside: stored }

/** The sentence for D2 and hybrid calls, which have one language. */
export const englishOf = (stored: Stored | null): string | null =>
  stored !== null && isReason(stored) ? english[stored] : stored
