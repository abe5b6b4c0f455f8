// Long lists page by page: one row more than a page holds tells whether there is another.
import { type Html, html } from '#kit/http/markup.ts'

export const pageOf = <Row>(rows: Row[], perPage: number) => ({
  rows: rows.slice(0, perPage),
  hasMore: rows.length > perPage,
})

/** Links to the pages beside this one, with the filter kept. */
export function pageLinks(path: string, filter: Record<string, string>, page: number, hasMore: boolean): Html | false {
  if (page === 1 && !hasMore) return false
  const to = (other: number): string => `${path}?${new URLSearchParams({ ...filter, page: String(other) })}`
  return html`<nav class="pages" aria-label="Pages">${page > 1 && html`<a href="${to(page - 1)}">Newer</a>`}<span>Page ${page}</span>${hasMore && html`<a href="${to(page + 1)}">Older</a>`}</nav>`
}
