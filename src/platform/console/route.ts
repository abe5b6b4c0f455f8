// Shared parts of console routes: none is in the public API, and all lists page the same way.
import type { Person } from '#contract/console/staff.ts'
import { isUuid } from '#kit/crypto/id.ts'
import { invalid } from '#kit/http/refusal.ts'
import type { ConsolePerson } from '#platform/context.ts'

/** Common to all routes of the console. */
export const common = { section: 'operation', hidden: true } as const

export const prefix = '/api/console'

const usualLimit = 50

/** A page of a list, after the cursor's entry. */
export interface ListPage {
  after: string | null
  limit: number
}

/** The page of a query; each list validates its own cursor. */
export const pageOf = ({ after, limit }: { after?: string | undefined; limit?: string | undefined }): ListPage => ({
  after: after ?? null,
  limit: limit === undefined ? usualLimit : Number(limit),
})

/** For a list whose cursor is an id; throws `invalid` at `after`. */
export function pageById(query: Parameters<typeof pageOf>[0]): ListPage {
  const page = pageOf(query)
  if (page.after !== null && !isUuid(page.after)) throw badCursor()
  return page
}

export const badCursor = () => invalid({ path: 'after', message: 'must be the `next` of an earlier answer' })

/** A validated time of a query; null when omitted. */
export const instant = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text))

/** A page of rows that were read with one extra row. */
export function paged<Row, Item>(
  rows: Row[],
  { limit }: ListPage,
  { item, cursor }: { item(row: Row): Item; cursor(row: Row): string },
): { items: Item[]; next: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { items: shown.map(item), next: rows.length > limit && last !== undefined ? cursor(last) : null }
}

/** The signed-in person, for the console. */
export const personWire = ({ personId, email, name, role, tenantId }: ConsolePerson): Person => ({
  personId,
  email,
  name,
  role,
  tenantId,
})
