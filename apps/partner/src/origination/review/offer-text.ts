// Texts of an offer's key facts statement and terms, in the borrowers' languages.

import type { Translate } from '@lendloom/foundation/message'
import type { Language } from '@lendloom/lending/language'
import { translatorsOf } from '@lendloom/wire/text-catalogue'
import bn from './offer-text/bn.json' with { type: 'json' }
import en from './offer-text/en.json' with { type: 'json' }
import hi from './offer-text/hi.json' with { type: 'json' }
import mr from './offer-text/mr.json' with { type: 'json' }
import type { OfferPlaceholders } from './offer-text/places.ts'
import ta from './offer-text/ta.json' with { type: 'json' }
import te from './offer-text/te.json' with { type: 'json' }

export const offerCatalogues: Record<Language, typeof en> = { en, hi, ta, te, mr, bn }
export type OfferText = Translate<keyof typeof en, OfferPlaceholders>

export const offerTexts: Record<Language, OfferText> = translatorsOf(offerCatalogues)
