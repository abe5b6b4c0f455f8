// Cursor pagination: an extra row shows whether there is a next page.
import { isUuid } from '#kit/crypto/id.ts'
import { invalid } from './refusal.ts'

const defaultLimit = 20

export interface PageRequest {
  limit: number
  /** The id of the last item of the page before; null for the first page. */
  after: string | null
}

/** Reads a page request. Throws `invalid` at `cursor` for a cursor that we did not issue. */
export function pageRequest({ limit, cursor }: { limit?: string; cursor?: string }): PageRequest {
  const after = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString('latin1')
  if (after !== null && !isUuid(after)) throw unknownCursor()
  return { limit: limit === undefined ? defaultLimit : Number(limit), after }
}

const unknownCursor = () => invalid({ path: 'cursor', message: 'is not one that we gave' })

/** `rows` were read with `limit + 1`; `idOf` returns their sort id. */
export function pageOf<Row, Item>(rows: Row[], limit: number, wire: (row: Row) => Item, idOf: (row: Row) => string) {
  const shown = rows.slice(0, limit)
  const hasMore = rows.length > limit
  const last = shown.at(-1)
  const nextCursor = hasMore && last ? Buffer.from(idOf(last), 'latin1').toString('base64url') : null
  return { items: shown.map(wire), page: { nextCursor, hasMore } }
}

/** As above for a complete list in its current order. */
export function pageOfAll<Item>(all: Item[], { limit, after }: PageRequest, idOf: (item: Item) => string) {
  const last = all.findIndex((item) => idOf(item) === after)
  if (after !== null && last < 0) throw unknownCursor()
  return pageOf(all.slice(last + 1), limit, (item) => item, idOf)
}
