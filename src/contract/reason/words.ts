// A reason in words: as the hosted page gets it, by code, and as headless clients do, in English.
import { Text } from '#contract/atoms.ts'
import type { Language } from '#contract/language.ts'
import { Closed, type Static, Type } from '#kit/http/schema.ts'
import { isReason, type Reason, type Stored } from './reason.ts'
import { bengali } from './text-bn.ts'
import { english } from './text-en.ts'
import { hindi } from './text-hi.ts'
import { marathi } from './text-mr.ts'
import { tamil } from './text-ta.ts'
import { telugu } from './text-te.ts'

/** The sentence for each reason, in the languages of the page. */
export const reasonTexts: Record<Language, Record<Reason, string>> = {
  en: english,
  hi: hindi,
  ta: tamil,
  te: telugu,
  mr: marathi,
  bn: bengali,
}

/**
 * What a borrower reads: a reason of ours, for which the page has the words, or words from outside, which stay as they came.
 * The English ones are for a page that is older than the reason.
 */
export const Words = Type.Union([Closed({ code: Text, en: Text }), Closed({ outside: Text })])
export type Words = Static<typeof Words>

/** The words of a reason as it is stored: a code of ours, or words of a lender. */
export const wordsOf = (stored: Stored | null): Words | null =>
  stored === null ? null : isReason(stored) ? { code: stored, en: english[stored] } : { outside: stored }

/** The sentence for D2 and hybrid calls, which have one language. */
export const englishOf = (stored: Stored | null): string | null =>
  stored !== null && isReason(stored) ? english[stored] : stored
