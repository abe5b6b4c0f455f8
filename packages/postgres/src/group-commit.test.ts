// Concurrent writers share a statement; a rejected row fails only its own writer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { CommitUnknown } from './connection.ts'
import { groupCommit } from './shared-commit.ts'

test('ARCHITECTURE rule 7: rows that arrive during a statement share the next one, up to the limit', async () => {
  const batches: number[] = []
  const write = groupCommit(
    async (rows: number[]) => {
      batches.push(rows.length)
      await sleep(10)
      return rows.map((row) => row * 2)
    },
    { maxItems: 4 },
  )
  const first = write(0)
  await turn()
  const rest = await Promise.all([1, 2, 3, 4, 5].map(write))
  assert.deepEqual([await first, ...rest], [0, 2, 4, 6, 8, 10])
  assert.deepEqual(batches, [1, 4, 1])
})

test('runs as many statements at once as allowed', async () => {
  let running = 0
  let maxRunning = 0
  const write = groupCommit(
    async (rows: number[]) => {
      maxRunning = Math.max(maxRunning, ++running)
      await sleep(5)
      running--
      return rows
    },
    { concurrency: 3, maxItems: 1 },
  )
  await Promise.all(Array.from({ length: 12 }, (_, i) => write(i)))
  assert.equal(maxRunning, 3)
})

test('a row that the database rejects fails only its own writer', async () => {
  const write = groupCommit(async (rows: number[]) => {
    if (rows.includes(3)) throw Object.assign(new Error('numeric value out of range'), { code: '22003' })
    return rows
  })
  const settled = await Promise.allSettled([1, 2, 3, 4].map(write))
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
})

test('an unavailable database fails the whole batch without retrying its rows one by one', async () => {
  let statements = 0
  const write = groupCommit(async (): Promise<number[]> => {
    statements++
    throw Object.assign(new Error('shutting down'), { code: '57P01' })
  })
  const settled = await Promise.allSettled([1, 2, 3].map(write))
  assert.ok(settled.every(({ status }) => status === 'rejected'))
  assert.equal(statements, 1)
})

test('limits the weight of a statement and sends a heavier row alone', async () => {
  const batches: number[][] = []
  const write = groupCommit(
    async (rows: number[]) => {
      batches.push(rows)
      await sleep(5)
      return rows
    },
    { weigh: (row) => row, maxWeight: 10 },
  )
  const first = write(1)
  await turn()
  assert.deepEqual(await Promise.all([4, 5, 3, 50, 2].map(write)), [4, 5, 3, 50, 2])
  await first
  assert.deepEqual(batches, [[1], [4, 5], [3], [50], [2]])
})

test('does not repeat rows whose commit is unknown', async () => {
  let statements = 0
  const write = groupCommit(async (): Promise<number[]> => {
    statements++
    throw new CommitUnknown('the answer was lost')
  })
  const settled = await Promise.allSettled([1, 2, 3].map(write))
  assert.ok(settled.every(({ status }) => status === 'rejected'))
  assert.equal(statements, 1)
})
