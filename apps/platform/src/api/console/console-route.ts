// Shared parts of the console's routes: paging, time parameters, the signed-in person.

import { invalid } from '@lendloom/foundation/refusal'
import { isUuid } from '@lendloom/foundation/uuid'
import type { Person } from '@lendloom/wire/console/staff'
import type { ConsolePerson } from '#platform/context.ts'

/** Options of every console route. The public API reference hides these routes. */
export const consoleCall = { section: 'operation', hidden: true } as const

export const consolePrefix = '/api/console'

const defaultLimit = 50

/** A page of a list: `limit` entries after the entry of the cursor. */
export interface ListPage {
  after: string | null
  limit: number
}

/** Reads the page parameters of a query. The caller validates the cursor. */
export const pageOf = ({ after, limit }: { after?: string | undefined; limit?: string | undefined }): ListPage => ({
  after: after ?? null,
  limit: limit === undefined ? defaultLimit : Number(limit),
})

/** Like `pageOf`, for a list whose cursor is an id. Throws `invalid` at `after` for any other cursor. */
export function pageById(query: Parameters<typeof pageOf>[0]): ListPage {
  const page = pageOf(query)
  if (page.after !== null && !isUuid(page.after)) throw badCursor()
  return page
}

export const badCursor = () => invalid({ path: 'after', message: 'must be the `next` of an earlier answer' })

/** Parses a query time that the schema has validated; null when omitted. */
export const instantIn = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text))

/** Builds a page from rows read with `limit + 1`. The additional row shows that another page exists. */
export function pageOfRows<Row, Item>(
  rows: Row[],
  { limit }: ListPage,
  { item, cursor }: { item(row: Row): Item; cursor(row: Row): string },
): { items: Item[]; next: string | null } {
  const pageRows = rows.slice(0, limit)
  const last = pageRows.at(-1)
  return { items: pageRows.map(item), next: rows.length > limit && last !== undefined ? cursor(last) : null }
}

/** The signed-in person, as the console gets them. */
export const personWire = ({ personId, email, name, role, tenantId }: ConsolePerson): Person => ({
  personId,
  email,
  name,
  role,
  tenantId,
})
