// Every reason is a sentence in each language of the page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults } from '@lendloom/foundation/schema'
import { assertTranslated } from '@lendloom/tests/setup/translated'
import { languages } from '#lending/language.ts'
import { englishOf, reasons, reasonTexts, Words, wordsOf } from './reason.ts'

const { en: english } = reasonTexts

test('D1 §1: every reason has a sentence in the script of each language', () => {
  assert.equal(new Set(reasons).size, reasons.length, 'a code is listed once')
  for (const language of languages.filter((each) => each !== 'en')) {
    const texts = reasonTexts[language]
    assertTranslated(language, texts, { english })
    for (const code of reasons) assert.match(texts[code], /[.।]$/, `${language}: ${code} is a sentence`)
    assert.equal(new Set(Object.values(texts)).size, reasons.length, `${language}: each sentence is unique`)
  }
})

test('D1 §1: the page receives the code of a reason, with an English fallback', () => {
  for (const code of reasons) {
    const words = wordsOf(code)!
    assert.deepEqual(faults(Words, words), [])
    assert.deepEqual(words, { code, en: english[code] })
  }
})

test('FIS12 §13.2: an English reason is a plain sentence without network terms', () => {
  for (const code of reasons) {
    assert.match(english[code], /^[A-Z][^<>{}]+\.$/, code)
    assert.doesNotMatch(english[code], /\b(?:BAP|BPP|ONDC|on_|ACK|callback|gateway|payload|\d{5})\b/i, code)
    assert.equal(englishOf(code), english[code], 'headless clients receive the same sentence')
  }
})

test('D2 §3: without a reason there is no text', () => {
  assert.equal(wordsOf(null), null)
  assert.equal(englishOf(null), null)
})
