// A reason in words: as the hosted page gets it, by code, and as headless clients do, in English.
import { Text } from '#contract/atoms.ts'
import type { Language } from '#contract/language.ts'
import { Closed, type Static, Type } from '#kit/http/schema.ts'
import { type BorrowerWord, isReason, type Reason, type Stored } from './reason.ts'
import bn from './text/bn.json' with { type: 'json' }
import en from './text/en.json' with { type: 'json' }
import hi from './text/hi.json' with { type: 'json' }
import mr from './text/mr.json' with { type: 'json' }
import ta from './text/ta.json' with { type: 'json' }
import te from './text/te.json' with { type: 'json' }

/** The sentence for each reason, in the languages of the page, plain and free of the network's own words. */
export const reasonTexts: Record<Language, Record<Reason, string>> = { en, hi, ta, te, mr, bn }

/** In English alone, as D2 and D3 are: no page shows it. */
export const borrowerWords: Record<BorrowerWord, string> = {
  DECLINED: 'The borrower declined the final terms.',
  WITHDREW: 'the borrower withdrew the consent',
}

/**
 * What a borrower reads: a reason of ours, for which the page has the words, or words from outside, which stay as they came.
 * The English ones are for a page that is older than the reason.
 */
export const Words = Type.Union([Closed({ code: Text, en: Text }), Closed({ outside: Text })])
export type Words = Static<typeof Words>

/** The words of a reason as it is stored: a code of ours, or words of a lender. */
export const wordsOf = (stored: Stored | null): Words | null =>
  stored === null ? null : isReason(stored) ? { code: stored, en: en[stored] } : { outside: stored }

/** The sentence for D2 and hybrid calls, which have one language. */
export const englishOf = (stored: Stored | null): string | null =>
  stored !== null && isReason(stored) ? en[stored] : stored
