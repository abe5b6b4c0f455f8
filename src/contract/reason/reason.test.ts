// Every reason is a sentence in each language of the page, and nothing else is shown as one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '#contract/language.ts'
import { faults } from '#kit/http/schema.ts'
import { assertTranslated } from '#test/setup/translated.ts'
import { englishOf, type ForeignText, isReason, reasons, reasonTexts, Words, wordsOf } from './reason.ts'

const { en: english } = reasonTexts

test('D1 §1: the page has a sentence for every reason in each of its languages, without a letter of another script', () => {
  assert.equal(new Set(reasons).size, reasons.length, 'a code is listed once')
  for (const language of languages.filter((each) => each !== 'en')) {
    const texts = reasonTexts[language]
    assertTranslated(language, texts, { english })
    for (const code of reasons) assert.match(texts[code], /[.।]$/, `${language}: ${code} is a sentence`)
    assert.equal(new Set(Object.values(texts)).size, reasons.length, `${language}: each says something else`)
  }
})

test('D1 §1: the page is sent the code of a reason, and its English words for a page that does not know the code', () => {
  for (const code of reasons) {
    const words = wordsOf(code)!
    assert.deepEqual(faults(Words, words), [])
    assert.deepEqual(words, { code, en: english[code] })
  }
})

test('FIS12 §13.2: a reason in English is a plain sentence without a word of the network', () => {
  for (const code of reasons) {
    assert.match(english[code], /^[A-Z][^<>{}]+\.$/, code)
    assert.doesNotMatch(english[code], /\b(?:BAP|BPP|ONDC|on_|ACK|callback|gateway|payload|\d{5})\b/i, code)
    assert.equal(englishOf(code), english[code], 'headless clients are told the same')
  }
})

test('a sentence of a lender is shown as it is, marked as words from outside', () => {
  const stored = 'The lender was closed for the day.' as ForeignText
  assert.equal(isReason(stored), false)
  assert.deepEqual(wordsOf(stored), { outside: stored })
  assert.deepEqual(faults(Words, wordsOf(stored)), [])
  assert.equal(englishOf(stored), stored)
  assert.deepEqual([wordsOf(null), englishOf(null)], [null, null])
})
