// The words of the papers of a loan, in the languages of borrowers.
import { type Language, languages, localeOf } from '#contract/language.ts'
import type { Translate } from '#kit/runtime/message.ts'
import { translator } from '#kit/runtime/message-format.ts'
import { recordOf } from '#kit/runtime/record.ts'
import bn from './paper-text/bn.json' with { type: 'json' }
import en from './paper-text/en.json' with { type: 'json' }
import hi from './paper-text/hi.json' with { type: 'json' }
import mr from './paper-text/mr.json' with { type: 'json' }
import type { Places } from './paper-text/places.ts'
import ta from './paper-text/ta.json' with { type: 'json' }
import te from './paper-text/te.json' with { type: 'json' }

export const paperCatalogues: Record<Language, typeof en> = { en, hi, ta, te, mr, bn }
export type PaperText = Translate<keyof typeof en, Places>

export const paperTexts = recordOf(
  languages,
  (language): PaperText => translator(paperCatalogues[language], localeOf(language)),
)
