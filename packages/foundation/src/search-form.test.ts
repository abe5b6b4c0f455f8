// Unicode normalization in linear time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsOf } from './fixtures/seconds-of.ts'
import { maskedNote, maskedPath, maskedWords, scrub } from './mask.ts'
import { normalize, replaceInAnySpelling } from './search-form.ts'

const forms = ['NFC', 'NFKC', 'NFKD'] as const

test('normalizes ordinary text as Unicode defines', () => {
  const marks = '\u0301\u0323'.repeat(14)
  for (const text of ['', 'Zoe\u0308 ＡＢ ｶﾞ ﬁ', 'नमस्ते क़', '\u1112\u1161\u11ab', `a${marks}b${marks}`, '😀\u0301'])
    for (const form of forms) assert.equal(normalize(text, form), text.normalize(form))
  assert.equal(normalize(`e${'\u0301'.repeat(100)}`, 'NFC'), `\u00e9${'\u0301'.repeat(99)}`)
})

/** Texts with long runs of combining marks. The last repeats groups of 30, the limit of the stream-safe format. */
const textsOfMarks = (length: number): string[] => [
  `a${'\u0301'.repeat(length / 2)}${'\u0323'.repeat(length / 2)}`,
  `a${'\u0301\u0323'.repeat(length / 2)}`,
  '\u0f81'.repeat(length),
  `a${'\u0344'.repeat(length / 2)}${'\u0323'.repeat(length / 2)}`,
  `${'\u0301'.repeat(29)}\uff9e`.repeat(length / 30),
]

test('normalizes and masks a run of combining marks in linear time', () => {
  for (const text of textsOfMarks(2 ** 16)) {
    for (const form of forms) assert.ok(secondsOf(() => normalize(text, form)) < 1, form)
    for (const mask of [maskedWords, maskedNote, maskedPath, scrub])
      assert.ok(secondsOf(() => mask(text)) < 2, mask.name)
  }
  for (const text of textsOfMarks(2 ** 18))
    for (const form of forms) assert.ok(secondsOf(() => normalize(text, form)) < 2, form)
})

test('the form of each character is computed once, however often a hostile text repeats it', (t) => {
  const characters = ['९', 'ﬁ', '\u0301', '￥', 'ﷺ', '\u200d']
  const normalizing = t.mock.method(String.prototype, 'normalize')
  for (const character of characters) replaceInAnySpelling(`x${character.repeat(5000)}`, /9{10}/g, '')
  // A text is normalized as a whole, in groups of 30 marks.
  assert.ok(normalizing.mock.callCount() < 1000, `${normalizing.mock.callCount()} characters were normalized`)
})
