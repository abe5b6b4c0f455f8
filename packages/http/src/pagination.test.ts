// A list in memory is divided into pages with cursors.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { uuidv7 } from '@lendloom/seal/id'
import { pageOfAll, pageRequest } from './pagination.ts'

const all = Array.from({ length: 5 }, () => ({ id: uuidv7() }))
const page = (query: { limit?: string; cursor?: string } = {}) => pageOfAll(all, pageRequest(query), ({ id }) => id)

test('D2 §4: the pages contain every item once and in order', () => {
  const collected = []
  let cursor: string | undefined
  do {
    const { items, page: paging } = page({ limit: '2', ...(cursor && { cursor }) })
    collected.push(...items)
    assert.equal(paging.hasMore, paging.nextCursor !== null)
    cursor = paging.nextCursor ?? undefined
  } while (cursor)
  assert.deepEqual(collected, all)
  assert.deepEqual(page(), { items: all, page: { nextCursor: null, hasMore: false } })
})

test('D2 §4: an invalid cursor and a cursor of another list are refused', () => {
  const foreignCursor = Buffer.from(uuidv7(), 'latin1').toString('base64url')
  for (const cursor of [foreignCursor, 'x']) assert.throws(() => page({ cursor }), Refusal)
})
