// The desk's search. Its text is sent in the request body, so that no PAN appears in a URL or a log.

import { allOf } from '@lendloom/foundation/all-of'
import { Refusal } from '@lendloom/foundation/refusal'
import { formFrom } from '@lendloom/http/body'
import { readHtml } from '@lendloom/http/html'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import type { Context } from '#partner/context.ts'
import { caseNumberText } from '#partner/desk/cases/case-number.ts'
import { nameOfBorrower, openLead } from '#partner/desk/cases/open-lead.ts'
import { AuditedAnswer, deskRoute } from '#partner/desk/desk-route.ts'
import { caseLink, deskPage, goTo, searchForm } from '#partner/desk/frame.ts'
import { badge, formatAgo, formatDay, inr, labelOf } from '#partner/desk/parts/format.ts'
import { loanBadge } from '#partner/desk/parts/loan-badge.ts'
import { type PageQuery, pageForms, readPage } from '#partner/desk/parts/paging.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { csvText, fileOfTable, rowsIn } from '#partner/desk/parts/table-csv.ts'
import { slugOf } from '#partner/desk/parts/table-slug.ts'
import { anyStaff, may } from '#partner/desk/staff/desk-auth.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import { searchKey } from '#partner/origination/case/search/search-key.ts'
import type { Staff } from '#partner/people/person.ts'
import { lookUpsOf } from './look-ups.ts'
import { type FoundCase, findCases, findUnmatched, foundInOrder, unmatchedInOrder } from './store.ts'
import { foundByLabels, searchTexts as texts } from './text-en.ts'

const path = '/desk/search'
const perPage = 50
const tables = { cases: 'Cases found', receipts: texts.receipts } as const
const routeOptions = { path, section: 'D3 §3', hidden: true, viewAct: 'SEARCHED' } as const

const searchPage = (ctx: Context, who: Staff, body: Html) =>
  deskPage(ctx, who, { title: texts.title, area: '/desk/cases', body })

const showForm = deskRoute({
  ...routeOptions,
  viewAct: null,
  auth: anyStaff,
  method: 'GET',
  summary: 'The search page',
  handle: ({ who }, ctx) => searchPage(ctx, who, html`<section><p>${texts.how}</p>${searchForm()}</section>`),
})

/** Finds what a page of each table shows. */
async function runSearch({ db, seal }: Context, query: PageQuery) {
  const { names, personal, number, uuid } = lookUpsOf(searchTextOf(query))
  const terms = {
    names: names.map((word) => searchKey(seal, 'name', word).digest),
    personal: personal.map(({ kind, text }) => searchKey(seal, kind, text).digest),
    number,
    uuid,
  }
  const receiptList = { table: tables.receipts, keyset: unmatchedInOrder, perPage }
  return allOf({
    cases: readPage(query, { table: tables.cases, keyset: foundInOrder, perPage }, (window) =>
      findCases(db, terms, window),
    ),
    receipts: readPage(query, receiptList, async (window) =>
      number === null ? [] : findUnmatched(db, number, window),
    ),
  })
}

const searchTextOf = ({ q = '' }: PageQuery): string => q.slice(0, 200)

/** Renders the result tables. They have forms for paging and CSV, because links would contain the search text. */
function resultsPart(
  ctx: Context,
  who: Staff,
  query: PageQuery,
  { cases, receipts }: Awaited<ReturnType<typeof runSearch>>,
): Html {
  const q = searchTextOf(query)
  const csvForm = (rows: number, table: string) => rows > 0 && can(who, 'TABLE_EXPORTED') && fileForm(q, table)
  return html`<section>${searchForm(q)}${csvForm(cases.rows.length, tables.cases)}${casesFound(ctx, cases.rows)}${pageForms({ q }, cases)}</section>
${receipts.rows.length > 0 && html`<section><h2>${tables.receipts}</h2>${csvForm(receipts.rows.length, tables.receipts)}${receiptsFound(receipts.rows, can(who, 'RECEIPT_POSTED'))}${pageForms({ q }, receipts)}</section>`}`
}

/** The button that downloads a table as CSV. */
const fileForm = (q: string, table: string): Html =>
  html`<form class="csv" method="post" action="${path}"><input type="hidden" name="q" value="${q}"><input type="hidden" name="csv" value="${slugOf(table)}"><button aria-label="${csvText}: ${table}">${csvText}</button></form>`

const search = deskRoute({
  ...routeOptions,
  auth: may('SEARCHED'),
  method: 'POST',
  summary: 'Cases by name, mobile, PAN or any number',
  accepts: 'raw',
  async handle(call, ctx) {
    const { who, raw, at } = call
    const query: PageQuery = Object.fromEntries(formFrom(raw))
    const { csv } = query
    if (csv !== undefined) {
      await may('TABLE_EXPORTED').check(call, ctx)
      const readResults = async (cursors: PageQuery) =>
        readHtml(resultsPart(ctx, who, query, await runSearch(ctx, { ...query, ...cursors })).text)
      const first = await readResults({})
      if (!rowsIn(first, csv)) throw new Refusal('absent', 'this table does not exist or is empty')
      const about = { subject: path, detail: { table: csv } }
      const file = fileOfTable(`${csv}-${businessDate(at)}.csv`, csv, first, readResults)
      return new AuditedAnswer(file, { act: 'TABLE_EXPORTED', about })
    }
    const matches = await runSearch(ctx, query)
    const { rows, isFirst, next } = matches.cases
    // A later page shows other borrowers, so it is recorded like a new search.
    const detail = { found: rows.length, ...(next && { more: true }), ...(!isFirst && { page: 'a later one' }) }
    const [firstCase] = rows
    const isSingleMatch = firstCase && isFirst && rows.length === 1 && matches.receipts.rows.length === 0
    const answer = isSingleMatch
      ? goTo(`/desk/cases/${encodeURIComponent(firstCase.caseRef)}`)
      : searchPage(ctx, who, resultsPart(ctx, who, query, matches))
    return new AuditedAnswer(answer, { act: 'SEARCHED', about: { detail } })
  },
})

const casesFound = ({ seal, clock }: Context, cases: FoundCase[]): Html =>
  tableOf(
    tables.cases,
    [
      'Borrower',
      { name: 'Number', phone: 'plain' },
      { name: 'Application', phone: 'plain' },
      { name: 'Account', phone: 'plain' },
      'Found by',
      { number: 'Application changed' },
    ],
    cases.map((line) => [
      caseLink(line.caseRef, nameOfBorrower(openLead(seal, line.caseRef, line.leadSealed))),
      caseNumberText({ ...line, hasLoan: line.loanStatus !== null }),
      badge(line.status),
      line.loanStatus && loanBadge({ ...line, loanStatus: line.loanStatus }, clock()),
      line.foundBy.map((each) => foundByLabels[each]).join(', '),
      formatAgo(line.updatedAt, clock()),
    ]),
    { empty: texts.none, csv: false },
  )

const receiptsFound = (receipts: Awaited<ReturnType<typeof findUnmatched>>, mayPost: boolean): Html =>
  tableOf(
    tables.receipts,
    ['Value date', 'Method', 'Reference', { number: 'Amount' }],
    receipts.map((each) => [
      formatDay(each.valueOn),
      labelOf(each.method),
      mayPost
        ? html`<a href="/desk/money/receipts/${encodeURIComponent(each.provider)}/${encodeURIComponent(each.receiptId)}?number=">${each.transactionReference}</a>`
        : each.transactionReference,
      inr(each.amountPaise),
    ]),
    { empty: texts.none, csv: false },
  )

export const searchRoutes = [showForm, search]
