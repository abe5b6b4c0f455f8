// How staff pages write how far away an instant is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agoText } from './time-text.ts'

test('a time to come is rounded and in whole words, and a past one is cut', () => {
  const now = new Date('2026-11-30T12:00:00Z')
  const textAfter = (seconds: number) => agoText(new Date(now.getTime() + seconds * 1000), now)
  assert.equal(textAfter(86_395), 'in 24 hours', 'a key that was just replaced ends in a day')
  assert.equal(textAfter(7200), 'in 2 hours')
  assert.equal(textAfter(2 * 86_400 - 5), 'in 2 days')
  assert.equal(textAfter(0), 'now')
  assert.equal(textAfter(-119), '1 min. ago')
  assert.equal(textAfter(8 * 86_400), '8 Dec 2026')
})
