// Texts of server-rendered pages: completeness in every language, and choice of the language.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages, pageLanguage } from '@lendloom/lending/language'
import { assertTranslated } from '@lendloom/tests/setup/translated'
import { pageCatalogues, readerOf } from './page-text.ts'

test('D1 §1: server-rendered pages have every text in every language, in the script of that language', () => {
  const english = pageCatalogues.en
  assert.doesNotMatch(Object.values(english).join(' '), /(?!\p{Script=Latin})\p{L}/u)
  for (const language of languages.filter((code) => code !== 'en'))
    assertTranslated(language, pageCatalogues[language], { english })
})

test('D1 §1: selects the language that the browser prefers, or English if that is not supported', () => {
  assert.equal(readerOf({ 'accept-language': 'hi-IN,hi;q=0.9,en;q=0.8' }).language, 'hi')
  assert.equal(readerOf({ 'accept-language': 'fr-FR,fr' }).language, 'en')
  assert.equal(readerOf({ 'accept-language': 'en' }, 'hi').language, 'hi')
  for (const language of languages) assert.equal(pageLanguage(language, 'en'), language)
})
