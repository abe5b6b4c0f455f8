// Keyset paging of the desk's tables. Each table of a page has its own cursor in the query: the key of the row
// that precedes the page or, when the user goes back, follows it.

import { ownValue } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import type { HtmlElement } from '@lendloom/http/html'
import { type Html, html } from '@lendloom/http/markup'
import { fitsKeyset, type KeyedRow, type Keyset, type PageStart, type PageWindow } from '@lendloom/postgres/keyset'
import { slugOf } from './table-slug.ts'

/** The number of rows that each read for a CSV returns. */
export const rowsPerRead = 1000

/** The query field that requests the CSV of a table. */
export const csvQuery = { csv: Type.Optional(Type.String({ pattern: '^[a-z0-9-]{1,80}$' })) }

export type PageQuery = Record<string, string | undefined>

const cursorPrefix = 'at-'
const parameterOf = (table: string): string => `${cursorPrefix}${slugOf(table)}`

/** The query fields of a page with these tables: a cursor for each, and the CSV request. */
export const pagingQuery = (...tables: string[]): typeof csvQuery => ({
  ...Object.fromEntries(tables.map((table) => [parameterOf(table), cursorField])),
  ...csvQuery,
})
const cursorField = Type.Optional(Type.String({ pattern: '^[np][.][A-Za-z0-9_-]{2,2000}$' }))

const encodePageStart = ({ key, isBack }: PageStart): string =>
  `${isBack ? 'p' : 'n'}.${Buffer.from(JSON.stringify(key)).toString('base64url')}`

/** Decodes the key of a cursor; undefined if it is not JSON. */
function decodeKey(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text.slice(2), 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

function parsePageStart(text: string, keyset: Keyset): PageStart | null {
  const key = decodeKey(text)
  return Array.isArray(key) && fitsKeyset(keyset, key) ? { key, isBack: text.startsWith('p') } : null
}

/** Returns a query with readable cursors: `after 2026-11-22T06:00:00.000000Z case-7`. */
export const describePaging = (query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).map(([name, text]) => {
      if (!name.startsWith(cursorPrefix)) return [name, text]
      const key = decodeKey(text)
      return [
        name,
        `${text.startsWith('p') ? 'before' : 'after'} ${Array.isArray(key) ? key.join(' ') : text.slice(2)}`,
      ]
    }),
  )

/**
 * Returns which rows to read. The limit includes one extra row, which shows whether there is another page. Refused as
 * `invalid` at the field of the cursor.
 */
export function windowOf(query: PageQuery, table: string, keyset: Keyset, perPage: number): PageWindow {
  const field = parameterOf(table)
  const text = ownValue(query, field)
  const start = text === undefined ? null : parsePageStart(text, keyset)
  if (text !== undefined && start === null)
    throw new Refusal('invalid', `${field} is not a valid cursor of this list`, { field })
  return { start, limit: (query.csv === slugOf(table) ? rowsPerRead : perPage) + 1 }
}

export interface ListPage<Row> {
  rows: Row[]
  table: string
  /** Starts of the neighbouring pages; null if there is no such page. */
  next: PageStart | null
  previous: PageStart | null
  isFirst: boolean
}

/** Returns the rows of a page in list order, and the starts of its neighbouring pages. */
export function pageOf<Row extends KeyedRow>(
  table: string,
  fetched: Row[],
  { start, limit }: PageWindow,
): ListPage<Row> {
  const hasMore = fetched.length >= limit
  const pageRows = fetched.slice(0, limit - 1)
  const isBack = start?.isBack ?? false
  const rows = isBack ? pageRows.toReversed() : pageRows
  const first = rows[0]
  const last = rows.at(-1)
  return {
    rows,
    table,
    isFirst: start === null,
    next: last && (isBack || hasMore) ? { key: last.key, isBack: false } : null,
    previous: first && start && (!isBack || hasMore) ? { key: first.key, isBack: true } : null,
  }
}

interface PageRequest {
  table: string
  keyset: Keyset
  perPage: number
}

/** Reads the page of a table at the query's cursor. Refused as `invalid` at the table's field. */
export async function readPage<Row extends KeyedRow>(
  query: PageQuery,
  { table, keyset, perPage }: PageRequest,
  read: (window: PageWindow) => Promise<Row[]>,
): Promise<ListPage<Row>> {
  const window = windowOf(query, table, keyset, perPage)
  return pageOf(table, await read(window), window)
}

/** Renders the navigation to the neighbouring pages; false if the table has only one page. */
function pageNav(
  { table, next, previous, isFirst }: ListPage<unknown>,
  render: (label: string, start: PageStart | null, rel?: 'prev' | 'next') => Html,
): Html | false {
  if (isFirst && next === null) return false
  return html`<nav class="pages" aria-label="Pages of ${table}" data-next="${next ? encodePageStart(next) : ''}">${!isFirst && render('First page', null)}${previous && render('Previous', previous, 'prev')}${next && render('Next', next, 'next')}</nav>`
}

/** Renders links to the neighbouring pages, with the rest of the query unchanged. */
export function pageLinks(query: PageQuery, page: ListPage<unknown>): Html | false {
  return pageNav(page, (label, start, rel) => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query))
      if (value && name !== 'csv' && name !== 'done') search.set(name, value)
    search.delete(parameterOf(page.table))
    if (start) search.set(parameterOf(page.table), encodePageStart(start))
    return html`<a href="?${search.toString()}#${slugOf(page.table)}"${rel && html` rel="${rel}"`}>${label}</a>`
  })
}

/** Renders forms that lead to the neighbouring pages, for a query that must not appear in a URL. */
export const pageForms = (fields: Record<string, string>, page: ListPage<unknown>): Html | false =>
  pageNav(
    page,
    (label, start) =>
      html`<form method="post">${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${start && html`<input type="hidden" name="${parameterOf(page.table)}" value="${encodePageStart(start)}">`}<button class="secondary small">${label}</button></form>`,
  )

/** Returns the query field for the next page of a rendered table; null on the last page. */
export function nextPage(page: HtmlElement, slug: string): PageQuery | null {
  const links = page.all('nav').find(({ attributes }) => slugOf(attributes['aria-label'] ?? '') === `pages-of-${slug}`)
  const next = links?.attributes['data-next']
  return next ? { [`${cursorPrefix}${slug}`]: next } : null
}

/** Returns the query without cursors, which shows the first page of each table. */
export const withoutPaging = <Value>(query: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !name.startsWith(cursorPrefix)))
