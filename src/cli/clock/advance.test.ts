// How a span of time is written on the command line.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { millisecondsIn } from './advance.ts'

test('weeks, days, hours and minutes, also together; anything else is not understood', () => {
  assert.equal(millisecondsIn('22w'), 22 * 7 * 86_400_000)
  assert.equal(millisecondsIn('1d12h30m'), 131_400_000)
  for (const wrong of ['', 'w', '3', '3s', '-1d', '1.5d', '2 w', '1d x'])
    assert.throws(() => millisecondsIn(wrong), /no span of time/)
})
