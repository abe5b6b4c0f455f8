// What was thrown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, messageOf } from './thrown.ts'

test('messageOf accepts any thrown value, and codeOf returns only string codes', () => {
  assert.equal(messageOf(new Error('gone')), 'gone')
  assert.equal(messageOf('gone'), 'gone')
  assert.equal(codeOf(Object.assign(new Error('gone'), { code: 'ENOENT' })), 'ENOENT')
  for (const thrown of [new Error('gone'), { code: 7 }, null, 'ENOENT']) assert.equal(codeOf(thrown), undefined)
})
