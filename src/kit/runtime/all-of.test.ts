// Awaiting several values at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { allOf } from './record.ts'

test('allOf returns each value under its name, and passes plain values through', async () => {
  assert.deepEqual(await allOf({ slow: sleep(10, 'a'), fast: Promise.resolve(1), known: null }), {
    slow: 'a',
    fast: 1,
    known: null,
  })
  await assert.rejects(allOf({ fine: Promise.resolve(1), bad: Promise.reject(new Error('no')) }), /no/)
})
