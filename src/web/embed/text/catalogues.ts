// What the page says in every language, for the build and its tests. The page itself fetches the files of one language.
import type { Language } from '#contract/language.ts'
import { reasonTexts } from '#contract/reason/words.ts'
import type { Message, TextFile, Translated } from '../text.ts'
import * as bn from './bn/index.ts'
import * as en from './en/index.ts'
import * as hi from './hi/index.ts'
import * as mr from './mr/index.ts'
import * as ta from './ta/index.ts'
import * as te from './te/index.ts'

export type Catalogue = { [Name in keyof typeof en]: Translated<(typeof en)[Name]> }

export const catalogues: Record<Language, Catalogue> = { en, hi, ta, te, mr, bn }

/** The texts of each file that is fetched, by key. */
export function textFilesOf(language: Language): Record<TextFile, Record<string, Message>> {
  const { first, later, ...others } = catalogues[language]
  const reasons = Object.entries(reasonTexts[language]).map(([code, text]) => [`reason.${code}`, text])
  return { ...others, page: { ...first, ...later }, reasons: Object.fromEntries(reasons) }
}
