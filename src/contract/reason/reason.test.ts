// Every reason is a sentence in each language of the page, and nothing else is shown as one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults } from '#kit/http/schema.ts'
import { type FromOutside, isReason, reasons } from './reason.ts'
import { english } from './text-en.ts'
import { hindi } from './text-hi.ts'
import { englishOf, Words, wordsOf } from './words.ts'

test('D1 §1: the Hindi page has every reason in Hindi, without a Latin letter in it', () => {
  assert.equal(new Set(reasons).size, reasons.length, 'a code is listed once')
  assert.deepEqual([...reasons].sort(), Object.keys(hindi).sort())
  for (const code of reasons) {
    assert.match(hindi[code], /^[\p{Script=Devanagari}\s\p{P}]+[।]$/u, code)
    assert.doesNotMatch(hindi[code], /[A-Za-z]/, code)
    const words = wordsOf(code)!
    assert.deepEqual(faults(Words, words), [])
    assert.deepEqual(words, { en: english[code], hi: hindi[code] })
  }
  assert.equal(new Set(Object.values(hindi)).size, reasons.length, 'each says something else')
})

test('FIS12 §13.2: a reason in English is a plain sentence without a word of the network', () => {
  for (const code of reasons) {
    assert.match(english[code], /^[A-Z][^<>{}]+\.$/, code)
    assert.doesNotMatch(english[code], /\b(?:BAP|BPP|ONDC|on_|ACK|callback|gateway|payload|\d{5})\b/i, code)
    assert.equal(englishOf(code), english[code], 'headless clients are told the same')
  }
})

test('a sentence that an earlier release stored is shown as it is, marked as words from outside', () => {
  const stored = 'The lender was closed for the day.' as FromOutside
  assert.equal(isReason(stored), false)
  assert.deepEqual(wordsOf(stored), { outside: stored })
  assert.deepEqual(faults(Words, wordsOf(stored)), [])
  assert.equal(englishOf(stored), stored)
  assert.deepEqual([wordsOf(null), englishOf(null)], [null, null])
})
