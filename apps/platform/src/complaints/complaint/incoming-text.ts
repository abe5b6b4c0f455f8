// The text of a message or mail as it comes in: its validation, its plain form, and its language.

import { lazily } from '@lendloom/foundation/lazily'
import { invalid } from '@lendloom/foundation/refusal'
import { type Language, languages } from '@lendloom/lending/language'
import { withoutAadhaar } from '@lendloom/wire/remove-aadhaar'

/** The lengths of a text that the page or the console accepts. */
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
