// JSON of others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonIn } from './json.ts'

test('RFC 8259 §8.1: JSON of others may begin with a byte order mark', () => {
  assert.deepEqual(jsonIn('\ufeff{"success":true}'), { success: true })
  assert.deepEqual(jsonIn(Buffer.from('\ufeff[1]')), [1])
  assert.equal(jsonIn('\ufeff\ufeff{}'), null)
})
