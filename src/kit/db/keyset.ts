// Pages of a long list, each located by the key of a row. The index finds a page however far down it is, and rows that
// are added or removed meanwhile do not shift the others.

import { isUuid } from '#kit/crypto/id.ts'
import { type Fragment, join, sql } from './statement.ts'

/** How each kind of column is written in a key, so that it is read back to the last digit, and what may be read back. */
const kinds = {
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
type KeyKind = keyof typeof kinds

/** Rejects dates such as the thirty-first of a shorter month. */
const isInstant = (text: string, beginning: string): boolean => {
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(beginning)
}

/** The sort order of a list: columns that are unique together, none of them null. */
export interface Keyset {
  columns: readonly (readonly [column: Fragment, kind: KeyKind])[]
  /** From the greatest to the least. */
  isDescending?: boolean
}

type Columns = Keyset['columns']
/** From the least to the greatest. */
export const ascending = (...columns: Columns): Keyset => ({ columns })
export const descending = (...columns: Columns): Keyset => ({ columns, isDescending: true })

/** The start of a page: after the row with this key, or going back, before it. */
export interface PageStart {
  key: readonly string[]
  isBack: boolean
}

/** The page to read; the first page if `start` is null. */
export interface PageWindow {
  start: PageStart | null
  /** Rows that are read at most. */
  limit: number
}

/** The first page: at most `limit` rows. */
export const firstRows = (limit: number): PageWindow => ({ start: null, limit })

/** The columns that every row of such a list also has. */
export interface KeyedRow {
  key: string[]
}

/** Whether a key may be one of that list. */
export const fitsKeyset = ({ columns }: Keyset, key: readonly unknown[]): key is readonly string[] =>
  key.length === columns.length &&
  columns.every(([, kind], i) => {
    const part = key[i]
    return typeof part === 'string' && kinds[kind].fits(part)
  })

/**
 * The pieces of a statement that reads one page: `key` among what it selects, `beyond` among its conditions, and `order` with
 * its `limit` at its end. Going back the nearest row is read first.
 */
export function pageClauses({ columns, isDescending = false }: Keyset, { start, limit }: PageWindow) {
  const isDown = isDescending !== (start?.isBack ?? false)
  const names = columns.map(([column]) => column)
  const parts = start ? columns.map(([, kind], i) => kinds[kind].read(start.key[i] ?? '')) : []
  return {
    key: sql`array[${join(
      columns.map(([column, kind]) => kinds[kind].write(column)),
      ', ',
    )}] as key`,
    beyond: start ? sql`(${join(names, ', ')}) ${isDown ? sql`<` : sql`>`} (${join(parts, ', ')})` : sql`true`,
    order: sql`order by ${join(
      names.map((name) => (isDown ? sql`${name} desc` : name)),
      ', ',
    )} limit ${limit}`,
  }
}
