// Cursor pagination: an extra row shows whether there is a next page.

import { invalid } from '@lendloom/foundation/refusal'
import { isUuid } from '@lendloom/foundation/uuid'

const defaultLimit = 20

export interface PageRequest {
  limit: number
  /** The id of the last item of the previous page; null for the first page. */
  after: string | null
}

/** Throws `invalid` for a cursor that is not valid. */
export function pageRequest({ limit, cursor }: { limit?: string; cursor?: string }): PageRequest {
  const after = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString('latin1')
  if (after !== null && !isUuid(after)) throw unknownCursor()
  return { limit: limit === undefined ? defaultLimit : Number(limit), after }
}

const unknownCursor = () => invalid({ path: 'cursor', message: 'is not a cursor of this list' })

/** Returns one page. `rows` must contain one more row than `limit` if there is a next page. */
export function pageOf<Row, Item>(rows: Row[], limit: number, toItem: (row: Row) => Item, idOf: (row: Row) => string) {
  const pageRows = rows.slice(0, limit)
  const hasMore = rows.length > limit
  const last = pageRows.at(-1)
  const nextCursor = hasMore && last ? Buffer.from(idOf(last), 'latin1').toString('base64url') : null
  return { items: pageRows.map(toItem), page: { nextCursor, hasMore } }
}

/** Returns one page of a complete list. Keeps the order of the list. */
export function pageOfAll<Item>(all: Item[], { limit, after }: PageRequest, idOf: (item: Item) => string) {
  const lastIndex = all.findIndex((item) => idOf(item) === after)
  if (after !== null && lastIndex < 0) throw unknownCursor()
  return pageOf(all.slice(lastIndex + 1), limit, (item) => item, idOf)
}
