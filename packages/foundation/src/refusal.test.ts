// Refusals, and the messages that may be shown to users.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invalid, publicMessageOf, Refusal } from './refusal.ts'

test('a refusal is an error with a kind and details', () => {
  const refusal = new Refusal('locked', 'another offer is active', { offerId: 'o' })
  assert.ok(refusal instanceof Error)
  assert.equal(refusal.name, 'Refusal')
  assert.equal(refusal.kind, 'locked')
  assert.equal(refusal.message, 'another offer is active')
  assert.deepEqual(refusal.details, { offerId: 'o' })
  assert.deepEqual(new Refusal('absent', 'x').details, {})
})

test('D2 §7: the refusal of invalid fields names the first field and lists all fields', () => {
  const first = { path: 'profile.pan', message: 'must be a valid PAN' }
  const second = { path: 'x', message: 'is not a known field' }
  const refusal = invalid(first, second)
  assert.equal(refusal.kind, 'invalid')
  assert.equal(refusal.message, 'profile.pan must be a valid PAN')
  assert.deepEqual(refusal.details, { field: 'profile.pan', fields: [first, second] })
})

test('the refusal of an invalid body without a path names the body', () => {
  assert.equal(invalid({ path: '', message: 'must be object' }).message, 'body must be object')
})

test('publicMessageOf returns the message of a refusal, and only an error id for other errors', () => {
  assert.equal(publicMessageOf(new Refusal('absent', 'there is no such loan'), 'e1'), 'there is no such loan')
  const unexpected = publicMessageOf(new Error('relation "loan" does not exist'), 'e1')
  assert.equal(unexpected, 'an internal error occurred; the log has the details under e1')
})
