// Pages through the desk's long lists: each table of a page separately, with the first row's key in the link.

import { fitsKeyset, type KeyedRow, type Keyset, type PageStart, type PageWindow } from '#kit/db/keyset.ts'
import type { HtmlElement } from '#kit/http/html.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import { ownValue } from '#kit/runtime/record.ts'
import { slugOf } from './table-name.ts'

/** Rows that a file reads at a time; it has as many as there are. */
export const rowsAtOnce = 1000

/** By which a page learns that a file is made of its table with this name. */
export const csvQuery = { csv: Type.Optional(Type.String({ pattern: '^[a-z0-9-]{1,80}$' })) }

export type Query = Record<string, string | undefined>

const prefix = 'at-'
const parameterOf = (table: string): string => `${prefix}${slugOf(table)}`

/** The fields of a query by which the tables with these labels turn, and by which a file is made of one of them. */
export const turnsOf = (...tables: string[]): typeof csvQuery => ({
  ...Object.fromEntries(tables.map((table) => [parameterOf(table), turnText])),
  ...csvQuery,
})
const turnText = Type.Optional(Type.String({ pattern: '^[np][.][A-Za-z0-9_-]{2,2000}$' }))

const written = ({ key, isBack }: PageStart): string =>
  `${isBack ? 'p' : 'n'}.${Buffer.from(JSON.stringify(key)).toString('base64url')}`

/** Undefined where it is none. */
function keyIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text.slice(2), 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

function readTurn(text: string, keyset: Keyset): PageStart | null {
  const key = keyIn(text)
  return Array.isArray(key) && fitsKeyset(keyset, key) ? { key, isBack: text.startsWith('p') } : null
}

/** A query with the places of its tables in words: `after 2026-11-22T06:00:00.000000Z case-7`. */
export const turnTexts = (query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).map(([name, text]) => {
      if (!name.startsWith(prefix)) return [name, text]
      const key = keyIn(text)
      return [
        name,
        `${text.startsWith('p') ? 'before' : 'after'} ${Array.isArray(key) ? key.join(' ') : text.slice(2)}`,
      ]
    }),
  )

/** The page of a table to read: an extra row shows whether there is another. Refused as `invalid` at its field. */
export function windowOf(query: Query, table: string, keyset: Keyset, perPage: number): PageWindow {
  const field = parameterOf(table)
  const given = ownValue(query, field)
  const turn = given === undefined ? null : readTurn(given, keyset)
  if (given !== undefined && turn === null) throw new Refusal('invalid', `${field} is not one that we gave`, { field })
  return { turn, limit: (query.csv === slugOf(table) ? rowsAtOnce : perPage) + 1 }
}

export interface ListPage<Row> {
  rows: Row[]
  table: string
  /** The starts of the neighbouring pages; null without one. */
  next: PageStart | null
  previous: PageStart | null
  isFirst: boolean
}

/** The rows of a page in list order, and its navigation. */
export function pageOf<Row extends KeyedRow>(table: string, found: Row[], { turn, limit }: PageWindow): ListPage<Row> {
  const hasMore = found.length >= limit
  const nearest = found.slice(0, limit - 1)
  const isBack = turn?.isBack ?? false
  const rows = isBack ? nearest.toReversed() : nearest
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

/** Reads the page of a table that a query names. Refused as `invalid` at the table's field. */
export async function readPage<Row extends KeyedRow>(
  query: Query,
  { table, keyset, perPage }: PageRequest,
  read: (window: PageWindow) => Promise<Row[]>,
): Promise<ListPage<Row>> {
  const window = windowOf(query, table, keyset, perPage)
  return pageOf(table, await read(window), window)
}

/** The links to the neighbouring pages; empty for a single page. */
function ways(
  { table, next, previous, isFirst }: ListPage<unknown>,
  to: (words: string, turn: PageStart | null, rel?: 'prev' | 'next') => Html,
): Html | false {
  if (isFirst && next === null) return false
  return html`<nav class="pages" aria-label="Pages of ${table}" data-next="${next ? written(next) : ''}">${!isFirst && to('First page', null)}${previous && to('Previous', previous, 'prev')}${next && to('Next', next, 'next')}</nav>`
}

/** Links to the neighbouring pages that keep the rest of the query. */
export function pageLinks(query: Query, page: ListPage<unknown>): Html | false {
  return ways(page, (words, turn, rel) => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value && name !== 'csv') search.set(name, value)
    search.delete(parameterOf(page.table))
    if (turn) search.set(parameterOf(page.table), written(turn))
    return html`<a href="?${search.toString()}#${slugOf(page.table)}"${rel && html` rel="${rel}"`}>${words}</a>`
  })
}

/** As above when the query must not be in an address: each link is a form. */
export const pageForms = (kept: Record<string, string>, page: ListPage<unknown>): Html | false =>
  ways(
    page,
    (words, turn) =>
      html`<form method="post">${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${turn && html`<input type="hidden" name="${parameterOf(page.table)}" value="${written(turn)}">`}<button class="secondary small">${words}</button></form>`,
  )

/** The query for the next page of a rendered table; null for the last. */
export function nextPage(page: HtmlElement, slug: string): Query | null {
  const links = page.all('nav').find(({ attributes }) => slugOf(attributes['aria-label'] ?? '') === `pages-of-${slug}`)
  const next = links?.attributes['data-next']
  return next ? { [`${prefix}${slug}`]: next } : null
}

/** The query for the first page of every table. */
export const fromTheFirst = (query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !name.startsWith(prefix)))
