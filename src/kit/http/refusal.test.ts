// Refusals: a kind, words, and details that a client can act on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invalid, Refusal, whyOf } from './refusal.ts'

test('a refusal is an error with a kind and details', () => {
  const refusal = new Refusal('locked', 'another offer is active', { offerId: 'o' })
  assert.ok(refusal instanceof Error)
  assert.deepEqual([refusal.name, refusal.kind, refusal.message], ['Refusal', 'locked', 'another offer is active'])
  assert.deepEqual(refusal.details, { offerId: 'o' })
  assert.deepEqual(new Refusal('absent', 'x').details, {})
})

test('D2 §7: the first wrong field leads, all of them are listed', () => {
  const [first, second] = [
    { path: 'profile.pan', message: 'must be a valid PAN' },
    { path: 'x', message: 'is not a known field' },
  ]
  const refusal = invalid(first, second)
  assert.deepEqual([refusal.kind, refusal.message], ['invalid', 'profile.pan must be a valid PAN'])
  assert.deepEqual(refusal.details, { field: 'profile.pan', fields: [first, second] })
})

test('a body that is wrong as a whole is called so', () => {
  assert.equal(invalid({ path: '', message: 'must be object' }).message, 'body must be object')
})

test('people read the words of a refusal, and of any other error only where the log has it', () => {
  assert.equal(whyOf(new Refusal('absent', 'there is no such loan'), 'e1'), 'there is no such loan')
  const unexpected = whyOf(new Error('relation "loan" does not exist'), 'e1')
  assert.equal(unexpected, 'an internal error stopped it; the log has it under e1')
})
