// The audit log page, with filters by person, act and case, and its CSV download.

import { Readable } from 'node:stream'
import { uuidPattern } from '#kit/crypto/id.ts'
import { firstRows, type PageWindow } from '#kit/db/keyset.ts'
import { csvPage } from '#kit/files/csv.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { OneOf, type Static, Type } from '#kit/http/schema.ts'
import { keysOf } from '#kit/runtime/record.ts'
import { failureTexts } from '#kit/staff/lists.ts'
import { failureDetail } from '#kit/staff/sign-in.ts'
import type { Context } from '#partner/context.ts'
import { type ActFilter, type ActRow, actsInOrder, listActs } from '#partner/desk/audit/store.ts'
import { deskRoute, ViewedAnswer, viewDetail } from '#partner/desk/desk-route.ts'
import { areaNames, type Column, caseLink, deskPage, tableOf } from '#partner/desk/frame.ts'
import { csvType, fileResponse } from '#partner/desk/parts/file-answer.ts'
import { selectField } from '#partner/desk/parts/form-parts.ts'
import { capitalize, formatExactTime, inlineLabelOf, labelOf } from '#partner/desk/parts/format.ts'
import { pageLinks, pageOf, pagingQuery, rowsPerRead, windowOf } from '#partner/desk/parts/turn-page.ts'
import { may } from '#partner/desk/staff/staff.ts'
import { type Act, acts, actText, viewActs } from '#partner/desk/staff/staff-act.ts'
import { failuresInOrder, listFailures, listStaff } from '#partner/desk/store.ts'

const path = '/desk/acts'
const perPage = 50
const tables = { acts: 'Acts', failures: 'Failed sign-ins' } as const
const actNames = keysOf(acts)
const sharedOptions = {
  section: 'operation',
  auth: may('LOG_READ'),
  hidden: true,
  method: 'GET',
  viewAct: 'LOG_READ',
} as const
const changesOnly = 'CHANGES'
const reads: readonly Act[] = [...viewActs, 'SEARCHED', 'FILE_READ', 'TABLE_EXPORTED', 'LOG_READ']
const filters = {
  person: Type.Optional(Type.String({ pattern: `^(?:${uuidPattern.slice(1, -1)})?$` })),
  act: Type.Optional(OneOf(['', changesOnly, ...actNames])),
  number: Type.Optional(Type.String({ maxLength: 200 })),
}
const query = Type.Object({ ...filters, ...pagingQuery(...Object.values(tables)) })
type Query = Static<typeof query>

const filterOf = ({ person, act, number }: Query): ActFilter => ({
  staffId: person || null,
  act: act === changesOnly ? null : act || null,
  excludedActs: act === changesOnly ? reads : [],
  number: number?.trim() || null,
})

const actorName = ({ name, act }: ActRow): string =>
  name ?? (act === 'SIGN_IN_FAILED' ? 'Unknown person' : 'The command line')

/** Formats the details of an entry, with labels in place of codes: `outcome: wrong, address: 127.0.0.1`. */
const detailText = ({ detail }: Pick<ActRow, 'detail'>): string =>
  Object.entries(JSON.parse(detail))
    .map(
      ([name, value]) =>
        `${name === 'what' ? 'request' : name}: ${name === 'roles' ? rolesText(`${value}`) : valueText(`${value}`)}`,
    )
    .join(', ')

const codePattern = /^[A-Z]{3}[A-Z_]*$/

const rolesText = (text: string): string => text.trim().replaceAll(/ +/g, ', ')

const valueText = (text: string) =>
  codePattern.test(text) ? inlineLabelOf(text) : text.replaceAll(/\b([\da-f]{8})-[\da-f-]{23}([\da-f]{4})\b/g, '$1…$2')

const subjectText = (subject: string) =>
  areaNames.get(subject) ?? (codePattern.test(subject) ? labelOf(subject) : valueText(subject))

const columns: Column[] = [
  { name: 'When', phone: 'plain' },
  { name: 'Who', phone: 'plain' },
  { name: 'What', phone: 'title' },
  { name: 'About', phone: 'plain' },
]

const failuresPerPage = 20
type Failure = Awaited<ReturnType<typeof listFailures>>[number]

const failuresPart = (
  { seal }: Pick<Context, 'seal'>,
  failures: Failure[],
  links: Html | false,
) => html`<section id="failed">
<h2>${tables.failures}</h2>
${tableOf(
  tables.failures,
  ['When', 'Email', 'Who', 'From', 'Reason'],
  failures.map((row) => {
    const { email, address } = failureDetail(seal, row)
    return [formatExactTime(row.at), email, row.name, address, failureTexts[row.outcome]]
  }),
  { empty: 'No failed sign-ins.' },
)}${links}</section>`

function filterForm({ person, act, number }: Query, people: { staffId: string; name: string }[]): Html {
  return html`<form class="filters" method="get" action="${path}">
${selectField({ name: 'person', label: 'Who', emptyOption: 'Anyone', hasHiddenLabel: true, options: people.map(({ staffId, name }) => [staffId, name] as const), chosen: person ?? '' })}
${selectField({ name: 'act', label: 'Action', emptyOption: 'Any action', hasHiddenLabel: true, options: [[changesOnly, 'Changes only'], ...actNames.map((name) => [name, capitalize(acts[name][0])] as const)], chosen: act ?? '' })}
<input type="search" name="number" aria-label="Case or loan number" placeholder="Case or loan" value="${number ?? ''}">
<button class="secondary">Show</button></form>`
}

const show = deskRoute({
  ...sharedOptions,
  path,
  summary: 'Audit log of staff',
  query,
  async handle({ who, query: chosen }, ctx) {
    const window = windowOf(chosen, tables.acts, actsInOrder, perPage)
    const failureWindow = windowOf(chosen, tables.failures, failuresInOrder, failuresPerPage)
    const { person = '', act = '', number = '' } = chosen
    // The page shows failed sign-ins only above the first page of the unfiltered log.
    const showsFailures = window.start === null && !person && !act && !number
    const [fetched, people, failed] = await Promise.all([
      listActs(ctx.db, filterOf(chosen), window),
      listStaff(ctx.db),
      showsFailures ? listFailures(ctx.db, failureWindow) : [],
    ])
    const page = pageOf(tables.acts, fetched, window)
    const failures = pageOf(tables.failures, failed, failureWindow)
    const cells = page.rows.map((each) => [
      formatExactTime(each.at),
      actorName(each),
      capitalize(actText(each.act)),
      html`${[each.subject && subjectText(each.subject), detailText(each)].filter(Boolean).join(': ')}${each.caseRef && html` ${caseLink(each.caseRef, each.loanId ? `Loan ${each.loanId}` : each.caseRef)}`}`,
    ])
    const body = html`${failures.rows.length > 0 && html`<nav class="jumps" aria-label="On this page"><a href="#failed">${tables.failures}</a></nav>`}
<p class="quiet">The log records every action with its effect, person and time, every refused attempt, and every view of a case, a file or a list of borrowers. Each entry contains the digest of the previous one, so <code>lendloom desk verify</code> detects altered entries.</p>
<section>
${filterForm(chosen, people)}
${tableOf(tables.acts, columns, cells, { empty: 'No entries match.', csv: false })}
<p class="csv"><a href="${path}.csv?${new URLSearchParams({ person, act, number }).toString()}" aria-label="Download acts as CSV">CSV</a></p>
${pageLinks(chosen, page)}</section>${showsFailures && failuresPart(ctx, failures.rows, pageLinks(chosen, failures))}`
    return deskPage(ctx, who, { title: 'Audit log', area: path, body })
  },
})

const csvHead = ['number', 'at', 'person', 'act', 'case', 'loan', 'subject', 'detail']
const cellsOf = (each: ActRow) => [
  ...[each.sequence, each.at, actorName(each), each.act],
  ...[each.caseRef, each.loanId, each.subject, detailText(each)],
]

const download = deskRoute({
  ...sharedOptions,
  path: `${path}.csv`,
  summary: 'Audit log of staff, as CSV',
  query: Type.Object(filters),
  handle({ query: chosen }, ctx: Context) {
    const filter = filterOf(chosen)
    async function* lines() {
      let window: PageWindow = firstRows(rowsPerRead)
      for (;;) {
        const rows = await listActs(ctx.db, filter, window)
        yield csvPage(csvHead, rows.map(cellsOf), window.start === null)
        const last = rows.at(-1)
        if (!last || rows.length < window.limit) return
        window = { ...window, start: { key: last.key, isBack: false } }
      }
    }
    const file = fileResponse('audit-log.csv', csvType, Readable.from(lines()))
    return new ViewedAnswer(file, { act: 'LOG_READ', about: { detail: { as: 'csv', ...viewDetail(chosen) } } })
  },
})

export const actsRoutes = [show, download]
