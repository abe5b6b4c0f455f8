// The words of the papers of a loan, in the languages of borrowers.
import type { Language } from '#contract/language.ts'
import { bengali } from './paper-text-bn.ts'
import { english, type PaperTexts } from './paper-text-en.ts'
import { hindi } from './paper-text-hi.ts'
import { marathi } from './paper-text-mr.ts'
import { tamil } from './paper-text-ta.ts'
import { telugu } from './paper-text-te.ts'

export const paperTexts: Record<Language, PaperTexts> = {
  en: english,
  hi: hindi,
  ta: tamil,
  te: telugu,
  mr: marathi,
  bn: bengali,
}
