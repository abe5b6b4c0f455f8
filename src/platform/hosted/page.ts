// Cursor pagination: one row more than asked for tells whether there is a next page.
import type { PageQuery } from '#contract/hosted/webhook-endpoint.ts'
import { isUuid } from '#kit/id.ts'
import { invalid } from '#kit/refusal.ts'

const usualLimit = 20

export interface Asked {
  limit: number
  /** The id of the last item of the page before; null for the first page. */
  after: string | null
}

/** Refused as `invalid` at `cursor` when it is not one that we gave. */
export function pageAsked({ limit, cursor }: PageQuery): Asked {
  const after = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString('latin1')
  if (after !== null && !isUuid(after)) throw invalid({ path: 'cursor', message: 'is not one that we gave' })
  return { limit: limit === undefined ? usualLimit : Number(limit), after }
}

/** `rows` were read with `limit + 1`. */
export function pageOf<Row, Item extends { id: string }>(rows: Row[], limit: number, wire: (row: Row) => Item) {
  const items = rows.slice(0, limit).map(wire)
  const hasMore = rows.length > limit
  const nextCursor = hasMore ? Buffer.from(items.at(-1)!.id, 'latin1').toString('base64url') : null
  return { data: { items, page: { nextCursor, hasMore } } }
}
