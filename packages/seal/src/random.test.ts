// Random octets of any size.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { randomOctets } from './id.ts'

test('returns the requested size, up to and beyond a page', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 9000 }), (size) => randomOctets(size).length === size))
})

test('never returns octets twice, nor octets of a wiped page', () => {
  const drawn = Array.from({ length: 2000 }, () => randomOctets(16).toString('hex'))
  assert.equal(new Set(drawn).size, 2000)
  assert.ok(!drawn.includes('0'.repeat(32)))
})

test('returned octets do not change later', () => {
  const first = randomOctets(32)
  const copy = Buffer.from(first)
  for (let i = 0; i < 500; i++) randomOctets(32)
  assert.deepEqual(first, copy)
})
