// Consent texts by language, version and purpose. A version is never edited: every change is a new version.

import { ownValue, recordOf } from '@lendloom/foundation/record'
import { type Language, languages } from '@lendloom/lending/language'
import bn from './consent-text/bn.json' with { type: 'json' }
import en from './consent-text/en.json' with { type: 'json' }
import hi from './consent-text/hi.json' with { type: 'json' }
import mr from './consent-text/mr.json' with { type: 'json' }
import ta from './consent-text/ta.json' with { type: 'json' }
import te from './consent-text/te.json' with { type: 'json' }

/** `bank_analysis` is requested on a separate page, on which the borrower shares a statement. */
export type ConsentPurpose = PagePurpose | 'bank_analysis'
/** Purposes of consents on the hosted page itself. */
export type PagePurpose = 'bureau' | 'data_sharing' | 'key_facts' | 'submission' | 'drawdown'

/** The version that pages show today. */
export const currentConsentVersion = '2026-11-22'

type CurrentTexts = Record<typeof currentConsentVersion, Record<ConsentPurpose, string>>
const catalogues: Record<Language, CurrentTexts> = { en, hi, ta, te, mr, bn }

export const currentConsentTexts = recordOf(languages, (language) => catalogues[language][currentConsentVersion])

/** The text of a purpose; undefined for an unknown version, or one that lacks this language. */
export const consentText = (version: string, purpose: ConsentPurpose, language: Language): string | undefined =>
  ownValue<Partial<Record<ConsentPurpose, string>>>(catalogues[language], version)?.[purpose]
