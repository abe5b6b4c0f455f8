// Texts of a loan's documents, such as statements and certificates, in the borrowers' languages.

import type { Translate } from '@lendloom/foundation/message'
import type { Language } from '@lendloom/lending/language'
import { translatorsOf } from '@lendloom/wire/text-catalogue'
import bn from './text/bn.json' with { type: 'json' }
import en from './text/en.json' with { type: 'json' }
import hi from './text/hi.json' with { type: 'json' }
import mr from './text/mr.json' with { type: 'json' }
import type { LoanPaperPlaceholders } from './text/places.ts'
import ta from './text/ta.json' with { type: 'json' }
import te from './text/te.json' with { type: 'json' }

export const paperCatalogues: Record<Language, typeof en> = { en, hi, ta, te, mr, bn }
export type LoanPaperText = Translate<keyof typeof en, LoanPaperPlaceholders>

export const paperTexts: Record<Language, LoanPaperText> = translatorsOf(paperCatalogues)
