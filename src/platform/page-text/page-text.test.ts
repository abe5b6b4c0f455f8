// Texts of server-rendered pages: complete in every language, and selected by the browser's preference.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages, pageLanguage } from '#contract/language.ts'
import { assertTranslated } from '#test/setup/translated.ts'
import { pageCatalogues, readerOf } from './page-text.ts'

test('D1 §1: server-rendered pages have every text in every language and its script', () => {
  const english = pageCatalogues.en
  assert.doesNotMatch(Object.values(english).join(' '), /(?!\p{Script=Latin})\p{L}/u)
  for (const language of languages.filter((each) => each !== 'en'))
    assertTranslated(language, pageCatalogues[language], { english })
})

test('D1 §1: selects the preferred language of the browser, and English for an unsupported one', () => {
  assert.equal(readerOf({ 'accept-language': 'hi-IN,hi;q=0.9,en;q=0.8' }).language, 'hi')
  assert.equal(readerOf({ 'accept-language': 'fr-FR,fr' }).language, 'en')
  assert.equal(readerOf({ 'accept-language': 'en' }, 'hi').language, 'hi')
  for (const language of languages) assert.equal(pageLanguage(language, 'en'), language)
})
