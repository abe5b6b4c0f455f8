// Texts of complaints: letters, templates, validation and detection of the language.

import { lazily } from '@lendloom/foundation/lazily'
import { fill } from '@lendloom/foundation/message'
import { messageOf } from '@lendloom/foundation/message-format'
import { invalid } from '@lendloom/foundation/refusal'
import { businessDate, longDayText } from '@lendloom/lending/calendar'
import { type Language, languages, localeOf } from '@lendloom/lending/language'
import { type ComplaintTemplate, isRequestCategory } from '@lendloom/wire/console/complaint-lists'
import { withoutAadhaar } from '@lendloom/wire/remove-aadhaar'
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

export const notices: Record<Language, Notices> = { en, hi, ta, te, mr, bn }

/** Fills in placeholders; a placeholder without a value stays, so that the officer sees it. */
export const fillPlaceholders = (text: string, values: Record<string, string>, language: Language = 'en'): string =>
  fill(messageOf(text), localeOf(language), values)

export function borrowerText(
  { language, category }: Pick<Complaint, 'language' | 'category'>,
  text: BorrowerText,
  values: Record<string, string> = {},
): string {
  const { letters, requests } = notices[language]
  return fillPlaceholders((isRequestCategory(category) && requests[text]) || letters[text], values, language)
}

export const templateText = (language: Language, template: ComplaintTemplate, values: Record<string, string>): string =>
  fillPlaceholders(notices[language].templates[template], values, language)

/** The day in India, such as `20 November 2026`. */
export const dayText = (language: Language, at: Date): string => longDayText(businessDate(at), localeOf(language))

const minLength = 10
const maxLength = 5000
/** A longer mail text is truncated, not rejected. */
const maxStoredLength = 20_000

/** Returns the trimmed text. Throws `invalid` at `path` for an invalid length, control characters or an Aadhaar number. */
export function validateComplaintText(input: string, path = 'text', min = minLength): string {
  const text = input.trim().replaceAll('\r\n', '\n')
  if (text.length < min || text.length > maxLength)
    throw invalid({ path, message: `must have ${min} to ${maxLength} characters` })
  if (text !== withoutControlCharacters(text))
    throw invalid({ path, message: 'must be plain text, without control characters' })
  if (text !== withoutAadhaar(text)) throw invalid({ path, message: 'must not contain an Aadhaar number' })
  return text
}

/** The text of a mail: plain, without an Aadhaar number. */
export const plainText = (input: string): string =>
  withoutAadhaar(withoutControlCharacters(input.trim().replaceAll('\r\n', '\n')))

/** The text of a mail for storage: plain, truncated, without an Aadhaar number. */
export const storableText = (input: string): string => plainText(input).slice(0, maxStoredLength)

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const withoutControlCharacters = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')

const scripts = lazily(() =>
  languages.flatMap((language) => {
    const { script } = new Intl.Locale(language).maximize()
    return script === undefined || script === 'Latn'
      ? []
      : [{ language, letters: new RegExp(`\\p{Script=${script}}`, 'gu') }]
  }),
)

/** Detects the language by the script. Of several languages with the same script, returns the first. */
export const languageOf = (text: string): Language =>
  scripts().find(({ letters }) => (text.match(letters)?.length ?? 0) > text.length / 5)?.language ?? 'en'
