// Wishes in seconds and as dates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfter } from './retry-after.ts'

const at = new Date('2026-03-01T10:00:00Z')
const seconds = (date: Date | null) => date && (date.getTime() - at.getTime()) / 1000

test('RFC 9110 §10.2.3: Retry-After is read in seconds and as a date, and anything else is ignored', () => {
  assert.equal(seconds(retryAfter('120', at)), 120)
  assert.equal(seconds(retryAfter(' 0 ', at)), 0)
  assert.equal(seconds(retryAfter('Sun, 01 Mar 2026 10:02:00 GMT', at)), 120)
  for (const other of ['', 'soon', '-5', '1.5', '2026-03-01', '99999999999', undefined, ['1', '2']])
    assert.equal(retryAfter(other, at), null, String(other))
})
