// The limits of a JSON body and of a form by depth and by count; brackets and commas inside strings do not count.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formFrom, maxElements, readJson } from './body.ts'

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce((deepest: number, inner) => Math.max(deepest, depthOf(inner)), 0)
    : 0

test('property: rejects exactly the bodies nested more than 64 levels deep', () => {
  const brackets = fc.stringMatching(/^[[\]{}"\\]{0,100}$/)
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 130 }),
      brackets,
      fc.array(brackets, { maxLength: 5 }),
      (levels, text, keys) => {
        let value: unknown = [text, keys.map((key) => ({ [key]: [] }))]
        for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { inside: value }
        const raw = Buffer.from(JSON.stringify(value))
        if (depthOf(value) > 64) assert.throws(() => readJson(raw), { kind: 'malformed' })
        else assert.deepEqual(readJson(raw), JSON.parse(raw.toString()))
      },
    ),
  )
})

test('D2 §7: a body with more elements or keys than any request has is refused before it is parsed', () => {
  const listOf = (count: number) => Buffer.from(`{"files":[${'0,'.repeat(count - 1)}0]}`)
  assert.ok(readJson(listOf(maxElements - 1)))
  assert.throws(() => readJson(listOf(maxElements + 1)), { kind: 'too-large' })
  const keys = Array.from({ length: maxElements + 1 }, (_, i) => `"k${i}":0`)
  assert.throws(() => readJson(Buffer.from(`{${keys}}`)), { kind: 'too-large' })
  const nested = Buffer.from(`[${Array(maxElements).fill('[]')}]`)
  assert.throws(() => readJson(nested), { kind: 'too-large' })
  assert.equal(readJson(Buffer.from(JSON.stringify(',['.repeat(maxElements)))), ',['.repeat(maxElements))
})

test('a form with more than a thousand fields is refused before it is parsed', () => {
  assert.equal([...formFrom(Buffer.from('a=&'.repeat(999)))].length, 999)
  assert.throws(() => formFrom(Buffer.from('a=&'.repeat(1000))), { kind: 'too-large' })
})

test('RFC 8259 §8.1: a byte order mark before the body is ignored, and anywhere else it is a fault', () => {
  const read = (text: string) => readJson(Buffer.from(text))
  assert.deepEqual(read('\ufeff{"pan":"ABCPE1234F"}'), { pan: 'ABCPE1234F' })
  assert.deepEqual(read('{"name":"\ufeffAsha"}'), { name: '\ufeffAsha' })
  for (const text of ['\ufeff', '\ufeff\ufeff{}', '{}\ufeff'])
    assert.throws(() => read(text), /the body is not valid JSON/, JSON.stringify(text))
})
