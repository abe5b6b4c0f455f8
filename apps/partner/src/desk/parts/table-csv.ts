// Exports the desk's tables as CSV. The rows are read from the rendered page, so that a file never shows more.

import { Readable } from 'node:stream'
import { csvLines } from '@lendloom/documents/csv'
import { fieldsOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import { type HtmlElement, readHtml } from '@lendloom/http/html'
import { type Html, html } from '@lendloom/http/markup'
import { Answer } from '@lendloom/http/route'
import { answer } from '@lendloom/http/server'
import { businessDate } from '@lendloom/lending/calendar'
import { type AnyDeskRoute, AuditedAnswer, stringFields, viewDetail } from '#partner/desk/desk-route.ts'
import { may } from '#partner/desk/staff/desk-auth.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import { csvType, fileAnswer } from './file-answer.ts'
import { csvQuery, nextPage, type PageQuery, withoutPaging } from './paging.ts'
import { slugOf } from './table-slug.ts'

/** Adds CSV files to a page: `?csv=<table>` returns the rows of that table; otherwise each table links to its CSV. */
export const withTables = (page: AnyDeskRoute): AnyDeskRoute =>
  page.method !== 'GET'
    ? page
    : {
        ...page,
        query: Type.Object({ ...page.query?.properties, ...csvQuery }),
        async handle(call, ctx) {
          const { csv, ...query } = stringFields(call.query)
          const { caseRef } = stringFields(call.params)
          if (csv !== undefined) await may('TABLE_EXPORTED').check(call, ctx)
          const rendered = await page.handle(call, ctx)
          if (!(rendered instanceof Answer) || typeof rendered.body !== 'string' || !isPage(rendered)) return rendered
          if (csv === undefined) {
            const body = can(call.who ?? { roles: [] }, 'TABLE_EXPORTED')
              ? fillCsvLinks(rendered.body, query)
              : rendered.body
            const withLinks = answer(rendered.status, body, rendered.headers)
            return rendered instanceof AuditedAnswer ? new AuditedAnswer(withLinks, rendered.auditEntry) : withLinks
          }
          const document = readHtml(rendered.body)
          const rows = rowsIn(document, csv)
          if (!rows) throw new Refusal('absent', 'this table does not exist or is empty')
          const rowCounts = { rows: rows.length - 1, ...(nextPage(document, csv) && { more: true }) }
          const detail = { ...viewDetail(query), table: csv, ...rowCounts }
          const about = { ...(caseRef !== undefined && { caseRef }), subject: page.path, detail }
          const readNextPage = async (next: PageQuery) => {
            const nextAnswer = await page.handle({ ...call, query: { ...fieldsOf(call.query), ...next } }, ctx)
            return nextAnswer instanceof Answer && typeof nextAnswer.body === 'string'
              ? readHtml(nextAnswer.body)
              : null
          }
          const file = fileOfTable(`${csv}-${businessDate(call.at)}.csv`, csv, document, readNextPage)
          return new AuditedAnswer(file, { act: 'TABLE_EXPORTED', about })
        },
      }

/** Returns the CSV of a table with the rows of all pages, which are read one after the other. */
export function fileOfTable(
  name: string,
  slug: string,
  firstPage: HtmlElement,
  readNextPage: (next: PageQuery) => Promise<HtmlElement | null>,
): Answer {
  async function* lines() {
    for (let page: HtmlElement | null = firstPage; page; ) {
      const isFirst = page === firstPage
      const lines = rowsIn(page, slug) ?? [[]]
      yield csvLines(isFirst ? lines : lines.slice(1), isFirst)
      const next = nextPage(page, slug)
      page = next && (await readNextPage(next))
    }
  }
  return fileAnswer(name, csvType, Readable.from(lines()))
}

const isPage = ({ status, headers }: Answer): boolean =>
  status === 200 && String(headers['content-type']).startsWith('text/html')

/** Replaces the placeholders of `tableOf` with links to the CSV of the same query. */
const fillCsvLinks = (page: string, query: Record<string, string>): string =>
  page.replaceAll(/<!--csv ([a-z0-9-]+)-->/g, (_, slug: string) => {
    const to = new URLSearchParams({ ...withoutPaging(query), csv: slug })
    return csvLink(`?${to.toString()}`, slug).text
  })

/** The text of each link to a CSV file. */
export const csvText = 'Download CSV'
/** A link to the CSV file of a table. */
export const csvLink = (address: string, slug: string): Html =>
  html`<p class="csv"><a href="${address}" aria-label="${csvText}: ${slug.replaceAll('-', ' ')}" download>${csvText}</a></p>`

/**
 * Reads the head and rows of a table; null if the page has no such table. Leaves out columns whose head is only for
 * screen readers, because they contain actions.
 */
export function rowsIn(page: HtmlElement, slug: string): string[][] | null {
  const table = page.all('table').find(({ attributes }) => slugOf(attributes['aria-label'] ?? '') === slug)
  if (!table) return null
  const [head, ...rows] = table.all('tr').map((row) => row.all('th', 'td'))
  const isExported = (head ?? []).map((cell) => cell.all('span').every((span) => !isUnseen(span)))
  return [head ?? [], ...rows].map((cells) => cells.filter((_, i) => isExported[i]).map(textOf))
}

/** Whether only screen readers get the text. */
const isUnseen = ({ attributes }: HtmlElement): boolean => attributes.class === 'unseen'

/** Formats an amount for machines: `60000.00`. Pages write the sign of money that goes out as a true minus. */
function plainAmount(text: string): string {
  const digits = text.replaceAll(/[₹,]/g, '').replace('−', '-')
  return digits.includes('.') ? digits : `${digits}.00`
}

/** Returns the text of a cell for machines, without forms and without the head of what is folded: amounts without ₹ and commas, times in ISO 8601. */
function textOf(cell: HtmlElement): string {
  const omitted = [...cell.all('span').filter(isUnseen), ...cell.all('form'), ...cell.all('summary')]
  const text = omitted.reduce((rest, span) => rest.replace(span.text(), ''), cell.text()).trim()
  if (/^[-−]?₹[\d,]+(\.\d\d)?$/.test(text)) return plainAmount(text)
  const [time] = cell.all('time')
  return time?.text() === text ? (time.attributes.datetime ?? text) : text
}
