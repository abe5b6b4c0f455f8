// Values that must be there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { required } from './required.ts'

test('required returns the value, or throws an error that names what is missing', () => {
  assert.equal(required(0, 'count'), 0)
  assert.throws(() => required(null, 'loan of the order'), /loan of the order is missing/)
})
