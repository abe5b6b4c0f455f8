// What the routes of the console share: none is in the public API, and lists are paged alike.
import type { Person } from '#contract/console/staff.ts'
import { isUuid } from '#kit/crypto/id.ts'
import { invalid } from '#kit/http/refusal.ts'
import type { ConsolePerson } from '#platform/context.ts'

/** Of every route of the console. */
export const common = { section: 'operation', hidden: true } as const

export const prefix = '/api/console'

const usualLimit = 50

/** So many of a list, behind the entry that the cursor names. */
export interface ListPage {
  after: string | null
  limit: number
}

/** As the query says it; what the cursor may be is the list's business. */
export const pageOf = ({ after, limit }: { after?: string | undefined; limit?: string | undefined }): ListPage => ({
  after: after ?? null,
  limit: limit === undefined ? usualLimit : Number(limit),
})

/** Of a list whose cursor is an id; refused as `invalid` at `after`. */
export function pageById(query: Parameters<typeof pageOf>[0]): ListPage {
  const page = pageOf(query)
  if (page.after !== null && !isUuid(page.after)) throw badCursor()
  return page
}

export const badCursor = () => invalid({ path: 'after', message: 'must be the `next` of an earlier answer' })

/** An instant of a query whose form was checked; null where it is left out. */
export const instant = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text))

/** A page of what was read with one row more than wanted. */
export function paged<Row, Item>(
  rows: Row[],
  { limit }: ListPage,
  { item, cursor }: { item(row: Row): Item; cursor(row: Row): string },
): { items: Item[]; next: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { items: shown.map(item), next: rows.length > limit && last !== undefined ? cursor(last) : null }
}

/** Whoever is signed in, as the console shows them. */
export const personWire = ({ personId, email, name, role, tenantId }: ConsolePerson): Person => ({
  personId,
  email,
  name,
  role,
  tenantId,
})
