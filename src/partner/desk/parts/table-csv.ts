// Every table of the desk as CSV: read from the rendered page, so that a file never shows more than the page.

import { Readable } from 'node:stream'
import { csvPage } from '#kit/files/csv.ts'
import { type HtmlElement, readHtml } from '#kit/http/html.ts'
import { html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Answer } from '#kit/http/route.ts'
import { Type } from '#kit/http/schema.ts'
import { answer } from '#kit/http/server.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { fieldsOf } from '#kit/runtime/record.ts'
import { type AnyDeskRoute, shownBy, textsOf, ViewedAnswer } from '#partner/desk/desk-route.ts'
import { may } from '#partner/desk/staff/staff.ts'
import { can } from '#partner/desk/staff/staff-act.ts'
import { csvType, fileAnswer } from './file-answer.ts'
import { slugOf } from './table-name.ts'
import { csvQuery, fromTheFirst, nextPage, type Query } from './turn-page.ts'

/** `?csv=` in a page's address returns the table of that name; without it each table has a link to it. */
export const withTables = (page: AnyDeskRoute): AnyDeskRoute =>
  page.method !== 'GET'
    ? page
    : {
        ...page,
        query: Type.Object({ ...page.query?.properties, ...csvQuery }),
        async handle(call, ctx) {
          const { csv, ...query } = textsOf(call.query)
          const { caseRef } = textsOf(call.params)
          if (csv !== undefined) await may('TABLE_EXPORTED').check(call, ctx)
          const made = await page.handle(call, ctx)
          if (!(made instanceof Answer) || typeof made.body !== 'string' || !isPage(made)) return made
          if (csv === undefined) {
            const body = can(call.who ?? { roles: [] }, 'TABLE_EXPORTED') ? linked(made.body, query) : made.body
            const whole = answer(made.status, body, made.headers)
            return made instanceof ViewedAnswer ? new ViewedAnswer(whole, made.view) : whole
          }
          const first = readHtml(made.body)
          const rows = rowsIn(first, csv)
          if (!rows) throw new Refusal('absent', 'there is no such table, or it is empty')
          const counted = { rows: rows.length - 1, ...(nextPage(first, csv) && { more: true }) }
          const detail = { ...shownBy(query), table: csv, ...counted }
          const about = { ...(caseRef !== undefined && { caseRef }), subject: page.path, detail }
          const turn = async (next: Query) => {
            const more = await page.handle({ ...call, query: { ...fieldsOf(call.query), ...next } }, ctx)
            return more instanceof Answer && typeof more.body === 'string' ? readHtml(more.body) : null
          }
          const file = tableFile(`${csv}-${businessDate(call.at)}.csv`, csv, first, turn)
          return new ViewedAnswer(file, { act: 'TABLE_EXPORTED', about })
        },
      }

/** All rows of a table, page after page, with the page's columns. */
export function tableFile(
  name: string,
  slug: string,
  first: HtmlElement,
  turn: (next: Query) => Promise<HtmlElement | null>,
): Answer {
  async function* lines() {
    for (let page: HtmlElement | null = first; page; ) {
      const [head = [], ...rows] = rowsIn(page, slug) ?? []
      yield csvPage(head, rows, page === first)
      const next = nextPage(page, slug)
      page = next && (await turn(next))
    }
  }
  return fileAnswer(name, csvType, Readable.from(lines()))
}

const isPage = ({ status, headers }: Answer): boolean =>
  status === 200 && String(headers['content-type']).startsWith('text/html')

/** Replaces the placeholders of `tableOf` with CSV links, which keep the page's query. */
const linked = (page: string, query: Record<string, string>): string =>
  page.replaceAll(/<!--csv ([a-z0-9-]+)-->/g, (_, slug: string) => {
    const to = new URLSearchParams({ ...fromTheFirst(query), csv: slug })
    const name = slug.replaceAll('-', ' ')
    return html`<p class="csv"><a href="?${to.toString()}" aria-label="Download ${name} as CSV" download>CSV</a></p>`
      .text
  })

/** Head and rows of a table on a page, without the column of actions; null without such a table. */
export function rowsIn(page: HtmlElement, slug: string): string[][] | null {
  const table = page.all('table').find(({ attributes }) => slugOf(attributes['aria-label'] ?? '') === slug)
  if (!table) return null
  const [head, ...rows] = table.all('tr').map((row) => row.all('th', 'td'))
  const kept = (head ?? []).map((cell) => cell.all('span').every((span) => !isUnseen(span)))
  return [head ?? [], ...rows].map((cells) => cells.filter((_, i) => kept[i]).map(textOf))
}

const isUnseen = ({ attributes }: HtmlElement): boolean => attributes.class === 'unseen'

/** A machine-readable cell: amounts without ₹ and commas, dates and times in ISO 8601. */
function textOf(cell: HtmlElement): string {
  const unseen = cell.all('span').filter(isUnseen)
  const text = unseen.reduce((whole, span) => whole.replace(span.text(), ''), cell.text()).trim()
  if (/^-?₹[\d,]+\.\d\d$/.test(text)) return text.replaceAll(/[₹,]/g, '')
  const [time] = cell.all('time')
  return time?.text() === text ? (time.attributes.datetime ?? text) : text
}
