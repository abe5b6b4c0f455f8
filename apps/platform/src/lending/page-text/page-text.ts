// Texts of server-rendered pages, in the browser's preferred language.

import type { Translate } from '@lendloom/foundation/message'
import type { Arrival } from '@lendloom/http/server'
import { type Language, pageLanguage } from '@lendloom/lending/language'
import { translatorsOf } from '@lendloom/wire/text-catalogue'
import bn from './bn.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import hi from './hi.json' with { type: 'json' }
import mr from './mr.json' with { type: 'json' }
import type { PagePlaceholders } from './places.ts'
import ta from './ta.json' with { type: 'json' }
import te from './te.json' with { type: 'json' }

export const pageCatalogues: Record<Language, typeof en> = { en, hi, ta, te, mr, bn }
export type PageText = Translate<keyof typeof en, PagePlaceholders>

const texts: Record<Language, PageText> = translatorsOf(pageCatalogues)

export interface Reader {
  language: Language
  t: PageText
}

/** Selects the language by `lang`, or else by the request headers. Without a preference the language is English. */
export function readerOf(headers: Arrival['headers'] = {}, lang?: string): Reader {
  const accepted = headers['accept-language']
  const language = pageLanguage(lang, typeof accepted === 'string' ? accepted : undefined)
  return { language, t: texts[language] }
}
