// `allOf` awaits several named values at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { allOf } from './all-of.ts'

test('allOf returns each value under its name, and rejects when one of them rejects', async () => {
  assert.deepEqual(await allOf({ slow: sleep(10, 'a'), fast: Promise.resolve(1), known: null }), {
    slow: 'a',
    fast: 1,
    known: null,
  })
  await assert.rejects(allOf({ resolved: Promise.resolve(1), rejected: Promise.reject(new Error('failed')) }), /failed/)
})
