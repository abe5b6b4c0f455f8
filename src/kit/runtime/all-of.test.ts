// Several things asked for at the same time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { allOf } from './record.ts'

test('each answer is under its name, whoever was first; what is no promise is as it is', async () => {
  assert.deepEqual(await allOf({ slow: sleep(10, 'a'), fast: Promise.resolve(1), known: null }), {
    slow: 'a',
    fast: 1,
    known: null,
  })
  await assert.rejects(allOf({ fine: Promise.resolve(1), bad: Promise.reject(new Error('no')) }), /no/)
})
