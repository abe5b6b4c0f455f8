// Pages of a list that is at hand whole: each item once, in order, and no cursor but ours.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from '#kit/crypto/id.ts'
import { pageOfAll, pageRequest } from './page.ts'
import { Refusal } from './refusal.ts'

const all = Array.from({ length: 5 }, () => ({ id: uuidv7() }))
const page = (query: { limit?: string; cursor?: string } = {}) => pageOfAll(all, pageRequest(query), ({ id }) => id)

test('D2 §4: page by page every item comes once, in order', () => {
  const seen = []
  let cursor: string | undefined
  do {
    const { items, page: paging } = page({ limit: '2', ...(cursor && { cursor }) })
    seen.push(...items)
    assert.equal(paging.hasMore, paging.nextCursor !== null)
    cursor = paging.nextCursor ?? undefined
  } while (cursor)
  assert.deepEqual(seen, all)
  assert.deepEqual(page(), { items: all, page: { nextCursor: null, hasMore: false } })
})

test('D2 §4: a cursor of another list, or of nobody, is refused', () => {
  const other = Buffer.from(uuidv7(), 'latin1').toString('base64url')
  for (const cursor of [other, 'x']) assert.throws(() => page({ cursor }), Refusal)
})
