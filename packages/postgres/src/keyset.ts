// Keyset pagination: the key of a row locates a page, so that added or removed rows do not shift other pages.

import { isUuid } from '@lendloom/foundation/uuid'
import { type Fragment, join, sql } from './statement.ts'

/** How a column of each kind is written into a key and read back without loss. `fits` validates a part of a key. */
const keyKinds = {
  text: {
    write: (column: Fragment) => column,
    read: (part: string) => sql`${part}::text`,
    fits: (part: string) => !part.includes('\0'),
  },
  uuid: {
    write: (column: Fragment) => sql`${column}::text`,
    read: (part: string) => sql`${part}::uuid`,
    fits: isUuid,
  },
  date: {
    write: (column: Fragment) => sql`${column}::text`,
    read: (part: string) => sql`${part}::date`,
    fits: (part: string) => /^\d{4}-\d{2}-\d{2}$/.test(part) && isInstant(`${part}T00:00:00.000Z`, part),
  },
  instant: {
    write: (column: Fragment) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    read: (part: string) => sql`${part}::timestamptz`,
    fits: (part: string) =>
      /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/.test(part) && isInstant(part, part.slice(0, 19)),
  },
  integer: {
    write: (column: Fragment) => sql`${column}::text`,
    read: (part: string) => sql`${part}::bigint`,
    fits: (part: string) => /^-?\d{1,18}$/.test(part),
  },
}
type KeyKind = keyof typeof keyKinds

/** Rejects dates such as the thirty-first of a shorter month. */
const isInstant = (text: string, beginning: string): boolean => {
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(beginning)
}

/** The sort order of a list: columns that are unique together, none of them null. */
export interface Keyset {
  columns: readonly (readonly [column: Fragment, kind: KeyKind])[]
  isDescending?: boolean
}

type Columns = Keyset['columns']

/** Sorts by these columns, each from low to high. */
export const ascending = (...columns: Columns): Keyset => ({ columns })
/** Sorts by these columns, each from high to low. */
export const descending = (...columns: Columns): Keyset => ({ columns, isDescending: true })

/** The page begins after the row with this key, or ends before that row if `isBack`. */
export interface PageStart {
  key: readonly string[]
  isBack: boolean
}

/** The page to read; the first page if `start` is null. */
export interface PageWindow {
  start: PageStart | null
  /** Maximum number of rows. */
  limit: number
}

/** The first page of a list. */
export const firstRows = (limit: number): PageWindow => ({ start: null, limit })

/** The key column, which every row of a paged list has. */
export interface KeyedRow {
  key: string[]
}

/** Whether an untrusted key has the form of the keys of the list. */
export const fitsKeyset = ({ columns }: Keyset, key: readonly unknown[]): key is readonly string[] =>
  key.length === columns.length &&
  columns.every(([, kind], i) => {
    const part = key[i]
    return typeof part === 'string' && keyKinds[kind].fits(part)
  })

/**
 * Returns the parts of a statement that reads one page: `key` is a selected column, `beyond` a condition, and `order`
 * the end of the statement. If `isBack`, the rows are in reverse order.
 */
export function pageClauses({ columns, isDescending = false }: Keyset, { start, limit }: PageWindow) {
  const isDescendingPage = isDescending !== (start?.isBack ?? false)
  const names = columns.map(([column]) => column)
  const parts = start ? columns.map(([, kind], i) => keyKinds[kind].read(start.key[i] ?? '')) : []
  return {
    key: sql`array[${join(
      columns.map(([column, kind]) => keyKinds[kind].write(column)),
      ', ',
    )}] as key`,
    beyond: start
      ? sql`(${join(names, ', ')}) ${isDescendingPage ? sql`<` : sql`>`} (${join(parts, ', ')})`
      : sql`true`,
    order: sql`order by ${join(
      names.map((name) => (isDescendingPage ? sql`${name} desc` : name)),
      ', ',
    )} limit ${limit}`,
  }
}
