// What can be seen of a translation without knowing its language: the same places, its own script, no word left in English.
import assert from 'node:assert/strict'
import type { Language } from '#contract/language.ts'

/** What is written the same in every language. */
const names = [
  /\{\w+\}/,
  /Lendloom|JavaScript|WhatsApp|CIBIL|ABCPE1234F|UDYAM-MH-18-0000001|asha@mail\.example|HDFC0000001/,
  /(?:https:\/\/)?cms\.rbi\.org\.in/,
  /Centralised Receipt and Processing Centre, Reserve Bank of India, 4th Floor, Sector 17, Chandigarh 160017/,
  /\b(?:APR|EMI|KFS|KYC|LTV|MB|MiB|PAN|PDF|PNG|JPEG|IFSC|UPI|UTR|SMS|OTP|NBFC|RBI|CSV|\d+K\d*)\b/,
]
const known = new RegExp(names.map(({ source }) => source).join('|'), 'g')

/** In which a language is written, as ISO 15924 calls it. */
const scriptOf = (language: Language): string => new Intl.Locale(language).maximize().script ?? ''

const placesIn = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort()

/**
 * Fails unless the texts are those of English, by name, in another language. What counts one thing may say "one" instead
 * of `{count}`; `same` are texts that are the same in both.
 */
export function assertTranslated(
  language: Language,
  texts: Record<string, string>,
  { english, same = [] }: { english: Record<string, string>; same?: readonly string[] },
): void {
  assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort(), `${language} has the texts of English`)
  const letters = new RegExp(`\\p{Script=${scriptOf(language)}}`, 'u')
  const others = new RegExp(`(?!\\p{Script=${scriptOf(language)}})\\p{L}`, 'u')
  for (const [name, text] of Object.entries(texts)) {
    const at = `${language}: ${name}: ${text}`
    const original = english[name] ?? ''
    assert.equal(text.trim() === '', original.trim() === '', `${at}: has words`)
    const optional = (places: string[]) => places.filter((place) => place !== '{count}')
    assert.deepEqual(optional(placesIn(text)), optional(placesIn(original)), `${at}: the places of English`)
    const words = text.replace(known, '')
    assert.doesNotMatch(words, others, `${at}: no letter of another script`)
    // A text may be made of places and abbreviations alone; any other one has words.
    if (same.includes(name) || original.replace(known, '').match(/\p{L}/u) === null) continue
    assert.match(words, letters, `${at}: translated`)
  }
}

/** Every text of a catalogue by its place, that of each plural form too. */
export function textsIn(part: unknown, at = ''): Record<string, string> {
  if (typeof part === 'string') return { [at]: part }
  return Object.assign(
    {},
    ...Object.entries(part as object).map(([name, inner]) => textsIn(inner, (at && `${at}.${name}`) || name)),
  )
}
