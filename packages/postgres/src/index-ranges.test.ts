// The newest rows of many ranges, read in pieces.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNewestRows } from './index-ranges.ts'

test('reads the newest rows of many ranges in statements of at most 250 ranges', async () => {
  const sizes: number[] = []
  const read = async (ranges: number[]) => {
    sizes.push(ranges.length)
    return ranges.toSorted((a, b) => b - a).slice(0, 3)
  }
  // Range n has a single row, n.
  const all = Array.from({ length: 600 }, (_, i) => (i * 7) % 600)
  const idOf = (row: number) => String(row).padStart(3, '0')
  assert.deepEqual(await readNewestRows(all, { limit: 3, idOf, read }), [599, 598, 597])
  assert.deepEqual(sizes, [250, 250, 100])
  assert.deepEqual(await readNewestRows([], { limit: 3, idOf, read }), [])
})
