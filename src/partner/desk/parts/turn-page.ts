// Keyset paging of the desk's tables. Each table of a page has its own cursor in the address: the key next to its rows.

import { fitsKeyset, type KeyedRow, type Keyset, type PageStart, type PageWindow } from '#kit/db/keyset.ts'
import type { HtmlElement } from '#kit/http/html.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import { ownValue } from '#kit/runtime/record.ts'
import { slugOf } from './table-name.ts'

/** Rows per query while a CSV of all rows is written. */
export const rowsPerRead = 1000

/** The query field that requests the CSV of a table. */
export const csvQuery = { csv: Type.Optional(Type.String({ pattern: '^[a-z0-9-]{1,80}$' })) }

export type Query = Record<string, string | undefined>

const prefix = 'at-'
const parameterOf = (table: string): string => `${prefix}${slugOf(table)}`

/** The query fields of a page with these tables: a cursor for each, and the CSV request. */
export const pagingQuery = (...tables: string[]): typeof csvQuery => ({
  ...Object.fromEntries(tables.map((table) => [parameterOf(table), pageStartText])),
  ...csvQuery,
})
const pageStartText = Type.Optional(Type.String({ pattern: '^[np][.][A-Za-z0-9_-]{2,2000}$' }))

const encodePageStart = ({ key, isBack }: PageStart): string =>
  `${isBack ? 'p' : 'n'}.${Buffer.from(JSON.stringify(key)).toString('base64url')}`

/** Returns undefined for text that is not a key. */
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

/** Makes the cursors of a query readable: `after 2026-11-22T06:00:00.000000Z case-7`. */
export const describePaging = (query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).map(([name, text]) => {
      if (!name.startsWith(prefix)) return [name, text]
      const key = decodeKey(text)
      return [
        name,
        `${text.startsWith('p') ? 'before' : 'after'} ${Array.isArray(key) ? key.join(' ') : text.slice(2)}`,
      ]
    }),
  )

/** The window of rows to read; one extra row shows whether there is another page. Refused as `invalid` at its field. */
export function windowOf(query: Query, table: string, keyset: Keyset, perPage: number): PageWindow {
  const field = parameterOf(table)
  const text = ownValue(query, field)
  const turn = text === undefined ? null : parsePageStart(text, keyset)
  if (text !== undefined && turn === null)
    throw new Refusal('invalid', `${field} is not a valid cursor of this list`, { field })
  return { turn, limit: (query.csv === slugOf(table) ? rowsPerRead : perPage) + 1 }
}

export interface ListPage<Row> {
  rows: Row[]
  table: string
  /** Cursors of the neighbouring pages; null if there is none. */
  next: PageStart | null
  previous: PageStart | null
  isFirst: boolean
}

/** The rows of a page in list order, and its navigation. */
export function pageOf<Row extends KeyedRow>(
  table: string,
  fetched: Row[],
  { turn, limit }: PageWindow,
): ListPage<Row> {
  const hasMore = fetched.length >= limit
  const pageRows = fetched.slice(0, limit - 1)
  const isBack = turn?.isBack ?? false
  const rows = isBack ? pageRows.toReversed() : pageRows
  const [first, last] = [rows[0], rows.at(-1)]
  return {
    ...{ rows, table, isFirst: turn === null },
    next: last && (isBack || hasMore) ? { key: last.key, isBack: false } : null,
    previous: first && turn && (!isBack || hasMore) ? { key: first.key, isBack: true } : null,
  }
}

interface PageRequest {
  table: string
  keyset: Keyset
  perPage: number
}

/** Reads the page of a table at the query's cursor. Refused as `invalid` at the table's field. */
export async function readPage<Row extends KeyedRow>(
  query: Query,
  { table, keyset, perPage }: PageRequest,
  read: (window: PageWindow) => Promise<Row[]>,
): Promise<ListPage<Row>> {
  const window = windowOf(query, table, keyset, perPage)
  return pageOf(table, await read(window), window)
}

/** The links to the neighbouring pages; empty for a single page. */
function pageNav(
  { table, next, previous, isFirst }: ListPage<unknown>,
  to: (label: string, turn: PageStart | null, rel?: 'prev' | 'next') => Html,
): Html | false {
  if (isFirst && next === null) return false
  return html`<nav class="pages" aria-label="Pages of ${table}" data-next="${next ? encodePageStart(next) : ''}">${!isFirst && to('First page', null)}${previous && to('Previous', previous, 'prev')}${next && to('Next', next, 'next')}</nav>`
}

/** Links to the neighbouring pages, with the rest of the query unchanged. */
export function pageLinks(query: Query, page: ListPage<unknown>): Html | false {
  return pageNav(page, (words, turn, rel) => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value && name !== 'csv') search.set(name, value)
    search.delete(parameterOf(page.table))
    if (turn) search.set(parameterOf(page.table), encodePageStart(turn))
    return html`<a href="?${search.toString()}#${slugOf(page.table)}"${rel && html` rel="${rel}"`}>${words}</a>`
  })
}

/** As above with forms instead of links, for a query that must not be in an address. */
export const pageForms = (kept: Record<string, string>, page: ListPage<unknown>): Html | false =>
  pageNav(
    page,
    (words, turn) =>
      html`<form method="post">${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${turn && html`<input type="hidden" name="${parameterOf(page.table)}" value="${encodePageStart(turn)}">`}<button class="secondary small">${words}</button></form>`,
  )

/** The query for the next page of a rendered table; null for the last. */
export function nextPage(page: HtmlElement, slug: string): Query | null {
  const links = page.all('nav').find(({ attributes }) => slugOf(attributes['aria-label'] ?? '') === `pages-of-${slug}`)
  const next = links?.attributes['data-next']
  return next ? { [`${prefix}${slug}`]: next } : null
}

/** Removes all cursors, which leads to the first pages. */
export const withoutPaging = (query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !name.startsWith(prefix)))
