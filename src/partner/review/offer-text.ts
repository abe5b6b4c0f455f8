// The words of an offer's key facts statement and terms, in the languages of borrowers.
import type { Language } from '#contract/language.ts'
import { bengali } from './offer-text-bn.ts'
import { english, type OfferTexts } from './offer-text-en.ts'
import { hindi } from './offer-text-hi.ts'
import { marathi } from './offer-text-mr.ts'
import { tamil } from './offer-text-ta.ts'
import { telugu } from './offer-text-te.ts'

export const offerTexts: Record<Language, OfferTexts> = {
  en: english,
  hi: hindi,
  ta: tamil,
  te: telugu,
  mr: marathi,
  bn: bengali,
}
