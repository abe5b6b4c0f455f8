// The pages that our server makes speak the language that the browser prefers, and nothing but that language.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '#contract/language.ts'
import { pageLanguage, readerOf } from './page-text.ts'

/** Every text of a catalogue by its place, with a value where it takes some. */
function textsIn(part: unknown, at = ''): [at: string, text: string][] {
  if (typeof part === 'string') return [[at, part]]
  if (typeof part === 'function') return textsIn(part(7, 7, 7), at)
  return Object.entries(part as object).flatMap(([name, inner]) => textsIn(inner, `${at}.${name}`))
}

/** What is written the same in every language. */
const names = /\b(?:APR|KFS|UTR|UPI|PDF|PNG|JPEG|MiB)\b/g

test('D1 §1: no English word is on the Hindi pages', () => {
  const hindi = textsIn(readerOf({ 'accept-language': 'hi' }).texts)
  assert.ok(hindi.length > 80)
  for (const [at, text] of hindi) {
    assert.match(text, /\p{Script=Devanagari}/u, at)
    assert.doesNotMatch(text.replace(names, ''), /[A-Za-z]/, at)
  }
  assert.doesNotMatch(textsIn(readerOf().texts).join(' '), /\p{Script=Devanagari}/u)
})

test('D1 §1: the browser says which language is read, and English is for whoever asks for another', () => {
  assert.equal(readerOf({ 'accept-language': 'hi-IN,hi;q=0.9,en;q=0.8' }).language, 'hi')
  assert.equal(readerOf({ 'accept-language': 'fr-FR,fr' }).language, 'en')
  assert.equal(readerOf({ 'accept-language': 'en' }, 'hi').language, 'hi')
  for (const language of languages) assert.equal(pageLanguage(language, 'en'), language)
})
