// Writers that come together share a statement; a bad row is the trouble of its own writer alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { CommitUnknown } from './connection.ts'
import { groupCommit } from './shared-commit.ts'

test('ARCHITECTURE rule 7: rows that come while a statement is under way go together into the next one, at most so many', async () => {
  const batches: number[] = []
  const write = groupCommit(
    async (rows: number[]) => {
      batches.push(rows.length)
      await sleep(10)
      return rows.map((row) => row * 2)
    },
    { most: 4 },
  )
  const first = write(0)
  await turn()
  const rest = await Promise.all([1, 2, 3, 4, 5].map(write))
  assert.deepEqual([await first, ...rest], [0, 2, 4, 6, 8, 10])
  assert.deepEqual(batches, [1, 4, 1])
})

test('as many statements are under way as allowed', async () => {
  let [atOnce, most] = [0, 0]
  const write = groupCommit(
    async (rows: number[]) => {
      most = Math.max(most, ++atOnce)
      await sleep(5)
      atOnce--
      return rows
    },
    { concurrency: 3, most: 1 },
  )
  await Promise.all(Array.from({ length: 12 }, (_, i) => write(i)))
  assert.equal(most, 3)
})

test('a row that the database refuses fails its own writer alone', async () => {
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

test('a database that is away fails the whole batch at once: nobody is asked one by one', async () => {
  let statements = 0
  const write = groupCommit(async (): Promise<number[]> => {
    statements++
    throw Object.assign(new Error('shutting down'), { code: '57P01' })
  })
  const settled = await Promise.allSettled([1, 2, 3].map(write))
  assert.ok(settled.every(({ status }) => status === 'rejected'))
  assert.equal(statements, 1)
})

test('a statement carries so much and no more; what is heavier goes alone, and nobody is left behind', async () => {
  const batches: number[][] = []
  const write = groupCommit(
    async (rows: number[]) => {
      batches.push(rows)
      await sleep(5)
      return rows
    },
    { weigh: (row) => row, mostWeight: 10 },
  )
  const first = write(1)
  await turn()
  assert.deepEqual(await Promise.all([4, 5, 3, 50, 2].map(write)), [4, 5, 3, 50, 2])
  await first
  assert.deepEqual(batches, [[1], [4, 5], [3], [50], [2]])
})

test('rows whose commit is unknown are not written again', async () => {
  let statements = 0
  const write = groupCommit(async (): Promise<number[]> => {
    statements++
    throw new CommitUnknown('the answer was lost')
  })
  const settled = await Promise.allSettled([1, 2, 3].map(write))
  assert.ok(settled.every(({ status }) => status === 'rejected'))
  assert.equal(statements, 1)
})
