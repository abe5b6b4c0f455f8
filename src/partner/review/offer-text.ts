// Texts of an offer's key facts statement and terms, in the borrowers' languages.
import { type Language, languages, localeOf } from '#contract/language.ts'
import type { Translate } from '#kit/runtime/message.ts'
import { translator } from '#kit/runtime/message-format.ts'
import { recordOf } from '#kit/runtime/record.ts'
import bn from './offer-text/bn.json' with { type: 'json' }
import en from './offer-text/en.json' with { type: 'json' }
import hi from './offer-text/hi.json' with { type: 'json' }
import mr from './offer-text/mr.json' with { type: 'json' }
import type { Placeholders } from './offer-text/places.ts'
import ta from './offer-text/ta.json' with { type: 'json' }
import te from './offer-text/te.json' with { type: 'json' }

export const offerCatalogues: Record<Language, typeof en> = { en, hi, ta, te, mr, bn }
export type OfferText = Translate<keyof typeof en, Placeholders>

export const offerTexts = recordOf(
  languages,
  (language): OfferText => translator(offerCatalogues[language], localeOf(language)),
)
