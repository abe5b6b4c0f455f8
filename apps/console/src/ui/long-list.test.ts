// Long lists: rendered rows, keyboard navigation and refreshing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextRow } from './keyboard-navigation.ts'
import { partsOf, withFocused } from './virtual-rows.ts'
import { pagesWithin, refreshRows } from './visible-pages.ts'

const row = (index: number, height = 40) => ({ index, start: 100 + index * height, end: 100 + (index + 1) * height })

test('a gap replaces omitted rows, but never the focused row', () => {
  assert.deepEqual(partsOf([row(0), row(1)], 100, 180), [{ row: 0 }, { row: 1 }])
  assert.deepEqual(partsOf([row(2), row(50), row(51)], 100, 4100), [
    { gap: 80 },
    { row: 2 },
    { gap: 1880 },
    { row: 50 },
    { row: 51 },
    { gap: 1920 },
  ])
  assert.deepEqual(withFocused([50, 51], 2, 100), [2, 50, 51])
  assert.deepEqual(withFocused([50, 51], 51, 100), [50, 51])
  assert.deepEqual(withFocused([50, 51], 100, 100), [50, 51], 'a focused row that no longer exists is ignored')
})

test('j and k move within the list, starting at the first visible row', () => {
  const from = (index: number | null, isLong = true) => ({ at: index, first: () => 7, count: 10, isLong })
  assert.equal(nextRow('j', from(null)), 7)
  assert.equal(nextRow('j', from(3)), 4)
  assert.equal(nextRow('j', from(9)), 9)
  assert.equal(nextRow('k', from(0)), 0)
  assert.equal(nextRow('End', from(3)), 9)
  assert.equal(nextRow('Home', from(3)), 0)
  assert.equal(nextRow('End', from(3, false)), null, 'the browser handles Home and End of short lists')
  assert.equal(nextRow('x', from(3)), null)
})

test('refreshing a page updates its rows in place', () => {
  const keyOf = ({ id }: { id: number }) => String(id)
  const rows = [1, 2, 3, 4].map((id) => ({ id, state: 'PENDING' }))
  const fresh = [0, 1, 3].map((id) => ({ id, state: 'DELIVERED' }))
  assert.deepEqual(refreshRows(rows, fresh, keyOf), [
    { id: 1, state: 'DELIVERED' },
    { id: 3, state: 'DELIVERED' },
    { id: 4, state: 'PENDING' },
  ])
  const pages = [50, 200, 200].map((count, i) => ({ after: i === 0 ? null : String(i), count }))
  const visiblePages = pagesWithin(pages, { from: 240, to: 260 }).map(({ number, firstRow }) => ({ number, firstRow }))
  assert.deepEqual(visiblePages, [
    { number: 1, firstRow: 50 },
    { number: 2, firstRow: 250 },
  ])
})
