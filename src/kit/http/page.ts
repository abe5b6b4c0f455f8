// Cursor pagination: an extra row shows whether there is a next page.
import { isUuid } from '#kit/crypto/id.ts'
import { invalid } from './refusal.ts'

const defaultLimit = 20

export interface PageRequest {
  limit: number
  /** The id of the last item of the previous page; null for the first page. */
  after: string | null
}

/** Parses a page request. Throws `invalid` for a cursor that we did not issue. */
export function pageRequest({ limit, cursor }: { limit?: string; cursor?: string }): PageRequest {
  const after = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString('latin1')
  if (after !== null && !isUuid(after)) throw unknownCursor()
  return { limit: limit === undefined ? defaultLimit : Number(limit), after }
}

const unknownCursor = () => invalid({ path: 'cursor', message: 'is not a cursor of this list' })

/** Returns one page. `rows` has one row more than `limit` if there is a next page; `idOf` is the sort id of a row. */
export function pageOf<Row, Item>(rows: Row[], limit: number, toItem: (row: Row) => Item, idOf: (row: Row) => string) {
  const pageRows = rows.slice(0, limit)
  const hasMore = rows.length > limit
  const last = pageRows.at(-1)
  const nextCursor = hasMore && last ? Buffer.from(idOf(last), 'latin1').toString('base64url') : null
  return { items: pageRows.map(toItem), page: { nextCursor, hasMore } }
}

/** As `pageOf`, for a complete list in its current order. */
export function pageOfAll<Item>(all: Item[], { limit, after }: PageRequest, idOf: (item: Item) => string) {
  const lastIndex = all.findIndex((item) => idOf(item) === after)
  if (after !== null && lastIndex < 0) throw unknownCursor()
  return pageOf(all.slice(lastIndex + 1), limit, (item) => item, idOf)
}
