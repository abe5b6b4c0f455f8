// Random octets are fresh each time, of any size.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { randomOctets } from './id.ts'

test('sizes are as asked, up to and beyond a page', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 9000 }), (size) => randomOctets(size).length === size))
})

test('nothing is given twice, also across pages, and nothing is left of a wiped page', () => {
  const drawn = Array.from({ length: 2000 }, () => randomOctets(16).toString('hex'))
  assert.equal(new Set(drawn).size, 2000)
  assert.ok(!drawn.includes('0'.repeat(32)))
})

test('what was given away does not change when more is drawn', () => {
  const first = randomOctets(32)
  const copy = Buffer.from(first)
  for (let i = 0; i < 500; i++) randomOctets(32)
  assert.deepEqual(first, copy)
})
