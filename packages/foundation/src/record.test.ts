// Reading values of unknown shape.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, fieldsOf, isOneOf, jsonIn, keysOf, messageOf, required } from './record.ts'

test('fieldsOf returns no fields for anything but an object', () => {
  assert.deepEqual(fieldsOf({ a: 1 }), { a: 1 })
  for (const value of [null, undefined, 'text', 7, ['a']]) assert.deepEqual(fieldsOf(value), {})
})

test('RFC 8259 §8.1: JSON of others may begin with a byte order mark', () => {
  assert.deepEqual(jsonIn('\ufeff{"success":true}'), { success: true })
  assert.deepEqual(jsonIn(Buffer.from('\ufeff[1]')), [1])
  assert.equal(jsonIn('\ufeff\ufeff{}'), null)
})

test('isOneOf accepts only members of the list', () => {
  assert.equal(isOneOf(['a', 'b'], 'b'), true)
  assert.equal(isOneOf(['a', 'b'], 'toString'), false)
  assert.deepEqual(keysOf({ b: 1, a: 2 }), ['b', 'a'])
})

test('messageOf accepts any thrown value, and codeOf returns only string codes', () => {
  assert.equal(messageOf(new Error('gone')), 'gone')
  assert.equal(messageOf('gone'), 'gone')
  assert.equal(codeOf(Object.assign(new Error('gone'), { code: 'ENOENT' })), 'ENOENT')
  for (const thrown of [new Error('gone'), { code: 7 }, null, 'ENOENT']) assert.equal(codeOf(thrown), undefined)
})

test('required returns the value, or throws an error that names what is missing', () => {
  assert.equal(required(0, 'count'), 0)
  assert.throws(() => required(null, 'loan of the order'), /loan of the order is missing/)
})
