// The audit log page, with filters by person, act and case, and its CSV download.

import { Readable } from 'node:stream'
import { type CsvColumn, csvPage } from '@lendloom/documents/csv'
import { keysOf, ownValue } from '@lendloom/foundation/record'
import { fits, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { uuidPattern } from '@lendloom/foundation/uuid'
import { type Html, html } from '@lendloom/http/markup'
import { failureDetail } from '@lendloom/identity/sign-in'
import { failureTexts } from '@lendloom/identity/sign-in-failures'
import { dayText } from '@lendloom/lending/calendar'
import { firstRows, type PageWindow } from '@lendloom/postgres/keyset'
import { BusinessDate } from '@lendloom/wire/exchange/fields'
import type { Context } from '#partner/context.ts'
import { type ActFilter, type ActRow, actsInOrder, listActs, numberedCaseOf } from '#partner/desk/audit/store.ts'
import { requireDay } from '#partner/desk/books/period-form.ts'
import { caseNumberText } from '#partner/desk/cases/case-number.ts'
import { compareTexts } from '#partner/desk/cases/comparison-text-en.ts'
import { AuditedAnswer, deskRoute, viewDetail } from '#partner/desk/desk-route.ts'
import { areaNames, caseLink, deskPage } from '#partner/desk/frame.ts'
import { csvType, fileAnswer } from '#partner/desk/parts/file-answer.ts'
import { dayFilter, filterMenu, filterSearch } from '#partner/desk/parts/form-parts.ts'
import { capitalize, formatExactTime, inlineLabelOf, labelOf, wireInr } from '#partner/desk/parts/format.ts'
import { pageLinks, pagingQuery, readPage, rowsPerRead } from '#partner/desk/parts/paging.ts'
import { type Column, tableOf } from '#partner/desk/parts/table.ts'
import { csvLink } from '#partner/desk/parts/table-csv.ts'
import { searchTexts } from '#partner/desk/search/text-en.ts'
import { may } from '#partner/desk/staff/desk-auth.ts'
import { type Act, acts, actText, viewActs } from '#partner/desk/staff/staff-acts.ts'
import { failuresInOrder, listFailures, listStaff } from '#partner/people/store.ts'

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
/** The filter that also lists views, which are most entries of a day. */
const withViews = 'ALL'
const refusedActs: readonly Act[] = ['NOT_ALLOWED', 'ACT_REFUSED']
/** Views of data, which are left out without a filter. Refused attempts and revealed data are always listed. */
const ordinaryViews: readonly Act[] = [
  ...viewActs.filter((each) => !refusedActs.includes(each) && each !== 'PERSONAL_DATA_REVEALED'),
  'SEARCHED',
  'TABLE_EXPORTED',
  'LOG_READ',
]
const filters = {
  person: Type.Optional(Type.String({ pattern: `^(?:${uuidPattern.slice(1, -1)})?$` })),
  act: Type.Optional(OneOf(['', withViews, ...actNames])),
  number: Type.Optional(Type.String({ maxLength: 200 })),
  from: Type.Optional(Type.String({ maxLength: 10 })),
  until: Type.Optional(Type.String({ maxLength: 10 })),
}
const query = Type.Object({
  ...filters,
  part: Type.Optional(OneOf(['', 'sign-ins'])),
  ...pagingQuery(...Object.values(tables)),
})
type Query = Static<typeof query>

const filterOf = ({ person, act, number, from, until }: Query): ActFilter => ({
  staffId: person || null,
  act: act === withViews ? null : act || null,
  excludedActs: act ? [] : ordinaryViews,
  number: number?.trim() || null,
  from: from ? requireDay('from', from) : null,
  until: until ? requireDay('until', until) : null,
})

const actorName = ({ name, act }: ActRow): string =>
  name ?? (act === 'SIGN_IN_FAILED' ? 'Unknown person' : 'The command line')

/** Formats the details of an entry, with words in place of codes: `from 1 Dec 2026, address: 127.0.0.1`. */
const detailText = ({ detail }: Pick<ActRow, 'detail'>, formats = fileFormats): string =>
  Object.entries(JSON.parse(detail))
    .map(
      ([name, value]) =>
        `${ownValue(labels, name) ?? `${inWords(name)}: `}${isWritten(name) ? value : (ownValue(formats, name) ?? valueText)(`${value}`)}`,
    )
    .join(', ')

/** Whether a person wrote the detail, so that it is shown unchanged. */
const isWritten = (name: string): boolean => name === 'reason' || name === 'fileName'

/** Formats `requestedOn` as `requested on`. */
const inWords = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)

/** The words before the values of details; other details have their names in words. */
const labels: Record<string, string> = {
  fileName: 'file ',
  what: '',
  part: '',
  act: '',
  from: 'from ',
  to: 'to ',
  until: 'until ',
  roles: 'roles ',
}

/** A code such as `WRITE_OFF`, which is shown in words. */
const codePattern = /^[A-Z]{3}[A-Z_]*$/
/** An id, which is shown with its beginning and its end. */
const idPattern = /\b([\da-f]{8})-[\da-f-]{23}([\da-f]{4})\b/g

const rolesText = (text: string): string => text.trim().replaceAll(/ +/g, ', ')

type Formats = Record<string, (text: string) => string>
/** The formats of details that are lists; others are single values. */
const fileFormats: Formats = {
  roles: rolesText,
  fields: inWords,
}
/** On the page, an amount is not for machines. */
const pageFormats: Formats = {
  ...fileFormats,
  amount: wireInr,
}

const valueText = (text: string): string => {
  if (codePattern.test(text)) return inlineLabelOf(text)
  const isDay: boolean = fits(BusinessDate, text)
  if (isDay) return dayText(text)
  return text
    .replaceAll(idPattern, '$1…$2')
    .replace(/\.csv$/, ' as CSV')
    .replace(/\.jsonl$/, ' as JSON lines')
}

/** Pages outside the navigation that an entry can be about. */
const pageNames: Record<string, string> = {
  '/desk/duplicates': compareTexts.duplicates.list,
  '/desk/search': searchTexts.title,
}

/** Names what an entry is about: a person, a page or a code. Null for an id. */
function subjectText({ subject, subjectName }: Pick<ActRow, 'subject' | 'subjectName'>): string | null {
  if (subject === null || RegExp(uuidPattern).test(subject)) return null
  return (
    subjectName ??
    areaNames.get(subject) ??
    ownValue(pageNames, subject) ??
    (codePattern.test(subject) ? labelOf(subject) : valueText(subject))
  )
}

const columns: Column[] = [
  { name: 'When', phone: 'plain' },
  { name: 'Who', phone: 'plain' },
  { name: 'What', phone: 'title' },
  { name: 'About', phone: 'plain' },
]

const failuresPerPage = 20

const partLink = (part: string, name: string, chosen: string): Html =>
  html`<a href="${path}${part && `?part=${part}`}"${part === chosen && html` aria-current="page"`}>${name}</a>`

const partWithTabs = (part: string, about: Html, list: Html): Html => html`<p class="quiet">${about}</p>
<nav class="tabs" aria-label="Parts of the audit log">${partLink('', 'Actions', part)}${partLink('sign-ins', tables.failures, part)}</nav>
<section>${list}</section>`

async function failuresPart({ db, seal }: Context, query: Query): Promise<Html> {
  const list = { table: tables.failures, keyset: failuresInOrder, perPage: failuresPerPage }
  const failures = await readPage(query, list, (window) => listFailures(db, window))
  const table = tableOf(
    tables.failures,
    ['When', 'Email', 'Who', 'From', 'Reason'],
    failures.rows.map((row) => {
      const { email, address } = failureDetail(seal, row)
      return [formatExactTime(row.at), email, row.name, address, failureTexts[row.outcome]]
    }),
    { empty: 'No failed sign-ins.' },
  )
  return partWithTabs(
    'sign-ins',
    html`Attempts to sign in that failed: who, why, and from which network address.`,
    html`${table}${pageLinks(query, failures)}`,
  )
}

const dayField = (name: string, label: string, day = ''): Html =>
  html`<label><span>${label}</span>${dayFilter(name, day, { isOptional: true })}</label>`

function filterForm(query: Query, people: { staffId: string; name: string }[]): Html {
  const { person = '', act = '', number, from, until } = query
  const isFiltered = Boolean(person || act || number || from || until)
  return html`<div class="filters">
${filterMenu({ name: 'person', label: 'Who', emptyOption: 'Anyone', options: people.map(({ staffId, name }) => [staffId, name] as const), chosen: person }, query)}
${filterMenu({ name: 'act', label: 'Action', emptyOption: 'All but views', options: [[withViews, 'All, with views'], ...actNames.map((name) => [name, capitalize(acts[name][0])] as const)], chosen: act }, query)}
<form method="get" action="${path}"><input type="hidden" name="person" value="${person}"><input type="hidden" name="act" value="${act}">
<input type="search" name="number" aria-label="Case or loan number" placeholder="Case or loan" value="${number ?? ''}">
${dayField('from', 'From', from)}${dayField('until', 'Until', until)}<button class="secondary">Show</button></form>
${isFiltered && html`<span class="quiet"><a href="${path}">Clear filters</a></span>`}</div>`
}

const caseNameOf = (act: ActRow, caseRef: string): string => {
  const numbered = numberedCaseOf(act)
  return numbered ? caseNumberText(numbered) : caseRef
}

async function actsPart({ db }: Context, chosen: Query): Promise<Html> {
  const list = { table: tables.acts, keyset: actsInOrder, perPage }
  const [page, people] = await Promise.all([
    readPage(chosen, list, (window) => listActs(db, filterOf(chosen), window)),
    listStaff(db),
  ])
  const cells = page.rows.map((each) => [
    formatExactTime(each.at),
    actorName(each),
    capitalize(actText(each.act)),
    html`${[subjectText(each), detailText(each, pageFormats)].filter(Boolean).join(': ')}${each.caseRef && html` ${caseLink(each.caseRef, caseNameOf(each, each.caseRef))}`}`,
  ])
  const search = filterSearch({ ...chosen, part: '' })
  return partWithTabs(
    '',
    html`Every action, refused attempt and view of a borrower’s data. Views are listed only with their filter.`,
    html`${filterForm(chosen, people)}
${cells.length > 0 && csvLink(`${path}.csv?${search}`, tables.acts)}${tableOf(tables.acts, columns, cells, { empty: 'No entries match.', csv: false })}
${pageLinks(chosen, page)}`,
  )
}

const show = deskRoute({
  ...sharedOptions,
  path,
  summary: 'Audit log of staff',
  query,
  async handle({ who, query: chosen }, ctx) {
    const body = await (chosen.part === 'sign-ins' ? failuresPart : actsPart)(ctx, chosen)
    return deskPage(ctx, who, { title: 'Audit log', area: path, body })
  },
})

const csvColumns: CsvColumn<ActRow>[] = [
  { head: 'number', of: (each) => each.sequence },
  { head: 'at', of: (each) => each.at },
  { head: 'person', of: (each) => actorName(each) },
  { head: 'act', of: (each) => each.act },
  { head: 'case', of: (each) => each.caseRef },
  { head: 'loan', of: (each) => each.loanId },
  { head: 'subject', of: (each) => each.subject },
  { head: 'detail', of: (each) => detailText(each) },
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
        yield csvPage(csvColumns, rows, window.start === null)
        const last = rows.at(-1)
        if (!last || rows.length < window.limit) return
        window = { ...window, start: { key: last.key, isBack: false } }
      }
    }
    const file = fileAnswer('audit-log.csv', csvType, Readable.from(lines()))
    return new AuditedAnswer(file, { act: 'LOG_READ', about: { detail: { as: 'csv', ...viewDetail(chosen) } } })
  },
})

export const actsRoutes = [show, download]
