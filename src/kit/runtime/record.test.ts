// Values of unknown shape are told apart without trusting them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, fieldsOf, isOneOf, keysOf, messageOf, required } from './record.ts'

test('fields are read of objects alone', () => {
  assert.deepEqual(fieldsOf({ a: 1 }), { a: 1 })
  for (const value of [null, undefined, 'text', 7, ['a']]) assert.deepEqual(fieldsOf(value), {})
})

test('a word is one of a list, and a name of every object is none', () => {
  assert.equal(isOneOf(['a', 'b'], 'b'), true)
  assert.equal(isOneOf(['a', 'b'], 'toString'), false)
  assert.deepEqual(keysOf({ b: 1, a: 2 }), ['b', 'a'])
})

test('whatever is thrown has a message, and a code only where that is a text', () => {
  assert.equal(messageOf(new Error('gone')), 'gone')
  assert.equal(messageOf('gone'), 'gone')
  assert.equal(codeOf(Object.assign(new Error('gone'), { code: 'ENOENT' })), 'ENOENT')
  for (const thrown of [new Error('gone'), { code: 7 }, null, 'ENOENT']) assert.equal(codeOf(thrown), undefined)
})

test('a value that must be there is given, or named', () => {
  assert.equal(required(0, 'count'), 0)
  assert.throws(() => required(null, 'loan of the order'), /loan of the order is missing/)
})
