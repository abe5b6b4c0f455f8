// Costly calls are bounded, and one that fails holds nobody up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atMost } from './at-most.ts'

test('of many costly calls at once two run at a time', async () => {
  const busy = new Set<number>()
  let running = 0
  const gate = atMost(2)
  await Promise.all(
    Array.from({ length: 20 }, () =>
      gate(async () => {
        busy.add(++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
      }),
    ),
  )
  assert.deepEqual([...busy], [1, 2])
  await assert.rejects(gate(() => Promise.reject(new Error('no'))))
  assert.equal(await gate(async () => 'free again'), 'free again')
})
