// Texts of ours about complaints: letters to borrowers, and templates of officers' answers, in each language.

import { fill } from '@lendloom/foundation/message'
import { messageOf } from '@lendloom/foundation/message-format'
import { businessDate, longDayText } from '@lendloom/lending/calendar'
import { type Language, localeOf } from '@lendloom/lending/language'
import { type ComplaintTemplate, isRequestCategory } from '@lendloom/wire/console/complaint-lists'
import type { Complaint } from './complaint.ts'
import bn from './text/bn.json' with { type: 'json' }
import en from './text/en.json' with { type: 'json' }
import hi from './text/hi.json' with { type: 'json' }
import mr from './text/mr.json' with { type: 'json' }
import ta from './text/ta.json' with { type: 'json' }
import te from './text/te.json' with { type: 'json' }

export type BorrowerText = keyof typeof en.letters
interface Notices {
  letters: Record<BorrowerText, string>
  requests: Partial<Record<BorrowerText, string>>
  /** Opening templates of officers' answers. */
  templates: Record<ComplaintTemplate, string>
}

export const letterCatalogues: Record<Language, Notices> = { en, hi, ta, te, mr, bn }

/** Fills in placeholders; a placeholder without a value stays, so that the officer sees it. */
export const fillPlaceholders = (text: string, values: Record<string, string>, language: Language = 'en'): string =>
  fill(messageOf(text), localeOf(language), values)

/** A letter to the borrower; a request, such as to cancel a loan, may have its own wording. */
export function borrowerText(
  { language, category }: Pick<Complaint, 'language' | 'category'>,
  text: BorrowerText,
  values: Record<string, string> = {},
): string {
  const { letters, requests } = letterCatalogues[language]
  return fillPlaceholders((isRequestCategory(category) && requests[text]) || letters[text], values, language)
}

/** The beginning of an officer's answer, which the officer completes. */
export const templateText = (language: Language, template: ComplaintTemplate, values: Record<string, string>): string =>
  fillPlaceholders(letterCatalogues[language].templates[template], values, language)

/** The day in India, such as `20 November 2026`. */
export const dayText = (language: Language, at: Date): string => longDayText(businessDate(at), localeOf(language))
