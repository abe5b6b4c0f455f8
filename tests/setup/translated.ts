// Checks a translation without knowledge of its language: same placeholders, own script, no untranslated words.
import assert from 'node:assert/strict'
import type { Language } from '@lendloom/lending/language'

/** Words that are written the same in every language. */
const names = [
  /\{\w+\}/,
  /Lendloom|JavaScript|WhatsApp|CIBIL|ABCPE1234F|UDYAM-MH-18-0000001|asha@mail\.example|HDFC0000001/,
  /(?:https:\/\/)?cms\.rbi\.org\.in/,
  /Centralised Receipt and Processing Centre, Reserve Bank of India, 4th Floor, Sector 17, Chandigarh 160017/,
  /\b(?:APR|EMI|KFS|KYC|LTV|MB|MiB|P|PAN|PDF|PNG|JPEG|MP4|IFSC|UPI|UTR|SMS|OTP|NBFC|RBI|CSV|\d+K\d*)\b/,
]
const known = new RegExp(names.map(({ source }) => source).join('|'), 'g')

/** The ISO 15924 script of each language. */
const scriptOf = (language: Language): string => new Intl.Locale(language).maximize().script ?? ''

const placesIn = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort()

/**
 * Fails unless `texts` has the keys of the English texts, translated. The plural form for one may say "one" instead of
 * `{count}`. `same` lists texts that are identical in both languages.
 */
export function assertTranslated(
  language: Language,
  texts: Record<string, string>,
  { english, same = [] }: { english: Record<string, string>; same?: readonly string[] },
): void {
  assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort(), `${language} has the same texts as English`)
  const letters = new RegExp(`\\p{Script=${scriptOf(language)}}`, 'u')
  const others = new RegExp(`(?!\\p{Script=${scriptOf(language)}})\\p{L}`, 'u')
  for (const [name, text] of Object.entries(texts)) {
    const place = `${language}: ${name}: ${text}`
    const original = english[name] ?? ''
    assert.equal(text.trim() === '', original.trim() === '', `${place}: is not empty`)
    const optional = (places: string[]) => places.filter((place) => place !== '{count}')
    assert.deepEqual(
      optional(placesIn(text)),
      optional(placesIn(original)),
      `${place}: has the placeholders of the English text`,
    )
    const words = text.replace(known, '')
    assert.doesNotMatch(words, others, `${place}: has no letter of another script`)
    // A text may consist of placeholders and abbreviations only; any other text has words.
    if (same.includes(name) || original.replace(known, '').match(/\p{L}/u) === null) continue
    assert.match(words, letters, `${place}: is translated`)
  }
}

/** Every text of a catalogue by its key, including each plural form. */
export function textsIn(part: unknown, place = ''): Record<string, string> {
  if (typeof part === 'string') return { [place]: part }
  return Object.assign(
    {},
    ...Object.entries(part as object).map(([name, inner]) => textsIn(inner, (place && `${place}.${name}`) || name)),
  )
}
