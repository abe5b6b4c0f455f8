// Lists in pages: the query for one page, and what a page says about the next one.

import { Closed, Type } from '@lendloom/foundation/schema'
import { TextOrNull } from '#wire/basic-schemas.ts'

/** Cursor pagination: pass `nextCursor` as `cursor` to read on. */
export const Page = Closed({ nextCursor: TextOrNull, hasMore: Type.Boolean() })

export const pageQuery = {
  limit: Type.Optional(
    Type.String({ pattern: '^(?:[1-9]\\d?|100)$', 'x-says': 'must be a whole number from 1 to 100' }),
  ),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
}
export const PageQuery = Closed(pageQuery)
