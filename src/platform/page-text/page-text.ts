// The texts of the pages that our server makes, in the language that the browser prefers.
import { type Language, pageLanguage } from '#contract/language.ts'
import type { Arrival } from '#kit/http/server.ts'
import { bengali } from './text-bn.ts'
import { english, type PageTexts } from './text-en.ts'
import { hindi } from './text-hi.ts'
import { marathi } from './text-mr.ts'
import { tamil } from './text-ta.ts'
import { telugu } from './text-te.ts'

const catalogues: Record<Language, PageTexts> = {
  en: english,
  hi: hindi,
  ta: tamil,
  te: telugu,
  mr: marathi,
  bn: bengali,
}

/** What a page needs to be written in the language of whoever asks for it. */
export interface Reader {
  language: Language
  texts: PageTexts
}

/** By the headers of a request; in English where there is none, or none that says what its browser prefers. */
export function readerOf(headers: Arrival['headers'] = {}, lang?: string): Reader {
  const accepted = headers['accept-language']
  const language = pageLanguage(lang, typeof accepted === 'string' ? accepted : undefined)
  return { language, texts: catalogues[language] }
}
