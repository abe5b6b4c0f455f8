// Reading values of unknown shape.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf, isOneOf, keysOf } from './record.ts'

test('fieldsOf returns no fields for anything but an object', () => {
  assert.deepEqual(fieldsOf({ a: 1 }), { a: 1 })
  for (const value of [null, undefined, 'text', 7, ['a']]) assert.deepEqual(fieldsOf(value), {})
})

test('isOneOf accepts only members of the list', () => {
  assert.equal(isOneOf(['a', 'b'], 'b'), true)
  assert.equal(isOneOf(['a', 'b'], 'toString'), false)
  assert.deepEqual(keysOf({ b: 1, a: 2 }), ['b', 'a'])
})
