// A loader batches look-ups without mixing up, losing or delaying any.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { cachedLookup, loader } from './batch-loader.ts'

test('look-ups of one event-loop turn share a statement', async () => {
  const batches: number[][] = []
  const find = loader(async (keys: number[]) => {
    batches.push(keys)
    return keys.map((key) => (key % 2 === 0 ? `v${key}` : undefined))
  })
  assert.deepEqual(await Promise.all([find(1), find(2), find(3), find(4)]), [undefined, 'v2', undefined, 'v4'])
  assert.deepEqual(batches, [[1, 2, 3, 4]])
})

test('look-ups wait while the allowed number of statements run, and share the next one', async () => {
  const batches: number[] = []
  const find = loader(
    async (keys: number[]) => {
      batches.push(keys.length)
      await sleep(20)
      return keys
    },
    { concurrency: 1, maxItems: 3 },
  )
  const first = find(0)
  await turn()
  await Promise.all([first, ...[1, 2, 3, 4].map(find)])
  assert.deepEqual(batches, [1, 3, 1])
})

test('with `gatherMs`, look-ups of several turns share a statement, also after a running one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const batches: number[][] = []
  const ends: (() => void)[] = []
  const find = loader(
    async (keys: number[]) => {
      batches.push(keys)
      await new Promise<void>((resolve) => ends.push(resolve))
      return keys
    },
    { concurrency: 1, gatherMs: 5 },
  )
  const first = [find(1)]
  await turn()
  first.push(find(2))
  assert.deepEqual(batches, [])
  t.mock.timers.tick(5)
  assert.deepEqual(batches, [[1, 2]])
  const second = find(3)
  ends[0]?.()
  await Promise.all(first)
  t.mock.timers.tick(5)
  assert.deepEqual(batches, [[1, 2], [3]])
  ends[1]?.()
  assert.equal(await second, 3)
})

test('a failed statement fails only its own look-ups', async () => {
  let calls = 0
  const find = loader(async (keys: number[]) => {
    if (++calls === 1) throw new Error('away')
    return keys
  })
  const failed = await Promise.allSettled([find(1), find(2)])
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await find(3), 3)
})

test('property: each look-up gets the value of its own key, whatever the timing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(1000), fc.nat(3)), { maxLength: 60 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 8 }),
      async (lookups, concurrency, maxItems) => {
        const find = loader(
          async (keys: number[]) => {
            assert.ok(keys.length <= maxItems)
            await sleep(1)
            return keys.map((key) => key * 2)
          },
          { concurrency, maxItems },
        )
        const answers = await Promise.all(
          lookups.map(async ([key, delay]) => {
            await sleep(delay)
            return [key, await find(key)] as const
          }),
        )
        for (const [key, value] of answers) assert.equal(value, key * 2)
      },
    ),
    { numRuns: roundsOf(30) },
  )
})

test('cachedLookup caches found values up to its size limit and looks missing keys up again', async () => {
  const keys: string[] = []
  const present = new Set(['a', 'b', 'c'])
  const find = cachedLookup(
    async (key) => {
      keys.push(key)
      return present.has(key) ? key.toUpperCase() : undefined
    },
    { name: 'test-found', maxBytes: 400 },
  )
  assert.equal(await find('a'), 'A')
  assert.equal(await find('a'), 'A')
  assert.equal(await find('d'), undefined)
  present.add('d')
  assert.equal(await find('d'), 'D')
  await find('b')
  await find('a')
  assert.deepEqual(keys, ['a', 'd', 'd', 'b', 'a'])
})
