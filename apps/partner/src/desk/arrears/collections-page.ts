// The collections page: loans in arrears with their filters, and a calendar of the debits that were returned (bounces).

import { lazily } from '@lendloom/foundation/lazily'
import type { Refusal } from '@lendloom/foundation/refusal'
import { OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import type { Run } from '@lendloom/postgres/sql'
import type { Context } from '#partner/context.ts'
import {
  arrearsInOrder,
  type BounceDay,
  bandStarts,
  bouncesBetween,
  bouncesInOrder,
  bouncesOn,
  countArrears,
  listArrears,
  sumBands,
} from '#partner/desk/arrears/collections-store.ts'
import { noticeAfterAct } from '#partner/desk/audit/act-notice.ts'
import { requireDay } from '#partner/desk/books/period-form.ts'
import { nameOfBorrower, openLead } from '#partner/desk/cases/open-lead.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { caseLink, deskPage, goTo } from '#partner/desk/frame.ts'
import { filterSearch } from '#partner/desk/parts/form-parts.ts'
import { countText, formatDay, inr, toSentence } from '#partner/desk/parts/format.ts'
import { type PageQuery, pageLinks, pagingQuery, readPage } from '#partner/desk/parts/paging.ts'
import { csvMark, tableOf } from '#partner/desk/parts/table.ts'
import { slugOf } from '#partner/desk/parts/table-slug.ts'
import { statusOf } from '#partner/desk/refusal-page.ts'
import { anyStaff, may, type SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import { listStaff } from '#partner/people/store.ts'
import { holidaysFrom } from '#partner/servicing/collection/policy/store.ts'
import { duesTolerance } from '#partner/servicing/loan/class/classify.ts'
import { arrearsRows, arrearsTable, bulkForm, filterParts, maxAssigned, selectAllLink } from './arrears-list.ts'
import { assignChosenCases } from './assign-agent.ts'
import { holdReasonText } from './debit-text-en.ts'
import { seenAgentsIn } from './seen-agents.ts'
import { arrearsFilter, caseAddress, placeIn, type WorklistFilter, worklistQuery } from './worklist.ts'

const path = '/desk/collections'
const perPage = 25
/** Weeks that the calendar shows. */
const calendarWeeks = 5
const tables = { arrears: arrearsTable, calendar: 'Bounce calendar', returned: 'Returned debits' } as const

const routeOptions = { section: 'D3 §6.7', hidden: true, viewAct: 'LIST_VIEWED' } as const
const query = Type.Object({
  ...worklistQuery,
  select: Type.Optional(OneOf(['all'])),
  on: Type.Optional(Type.String({ maxLength: 10 })),
  week: Type.Optional(Type.String({ maxLength: 10 })),
  done: Type.Optional(Type.String({ maxLength: 40 })),
  ...pagingQuery(tables.arrears, tables.returned),
})

interface CollectionsRequest {
  query: Static<typeof query>
  at: Date
  refused?: { refusal: Refusal; form: URLSearchParams }
}

/** Collections staff see their own cases first, if they have any. */
const usualAssignment = ({ roles }: SignedIn, { mine }: { mine: number }): WorklistFilter['whose'] =>
  mine > 0 && roles.includes('collections') ? 'mine' : 'all'

async function readArrears(
  { db, config }: Pick<Context, 'config'> & { db: Run },
  who: SignedIn,
  query: CollectionsRequest['query'],
  today: string,
) {
  const counts = await countArrears(db, who.staffId)
  const filter: WorklistFilter = { whose: query.whose || usualAssignment(who, counts), show: query.show || '' }
  const selected = arrearsFilter(filter, { staffId: who.staffId, today, tolerance: duesTolerance(config) })
  const list = { table: tables.arrears, keyset: arrearsInOrder, perPage: query.select ? maxAssigned : perPage }
  const [page, bands, staff] = await Promise.all([
    readPage(query, list, (window) => listArrears(db, selected, window)),
    sumBands(db, selected, today),
    listStaff(db),
  ])
  return { filter, page, counts, bands, staff }
}

type ArrearsView = Awaited<ReturnType<typeof readArrears>>

function arrearsSection(
  { filter, page, counts, bands, staff }: ArrearsView,
  ctx: Context,
  who: SignedIn,
  { query, at, refused }: CollectionsRequest,
): Html {
  const today = businessDate(at)
  const assigns = can(who, 'AGENT_ASSIGNED') && page.rows.length > 0
  const ticked = refused && seenAgentsIn(refused.form)
  const table = arrearsRows({
    rows: page.rows,
    today,
    borrowerLink: (line) =>
      html`<a href="${caseAddress(line.caseRef, placeIn(filter, line))}">${nameOfBorrower(openLead(ctx.seal, line.caseRef, line.leadSealed))}</a>`,
    ...(assigns && { isTicked: ({ caseRef }) => query.select === 'all' || ticked?.has(caseRef) === true }),
  })
  const loans = bands
    .filter(({ band }) => filter.show === '' || filter.show === `${bandStarts[band]}`)
    .reduce((sum, each) => sum + each.loans, 0)
  return html`<section><div class="head"><h2>${tables.arrears}</h2>${assigns && query.select === undefined && selectAllLink(filter, loans)}</div>
${filterParts(filter, { counts, bands })}
${assigns ? bulkForm({ filter, staff: staff.filter((each) => can(each, 'CONTACT_NOTED')), chosen: refused?.form.get('staffId') ?? null, table }) : table}${pageLinks(query, page)}</section>`
}

async function collectionsPage(ctx: Context, who: SignedIn, request: CollectionsRequest) {
  const { query, at, refused } = request
  const today = businessDate(at)
  const on = query.on ? requireDay('on', query.on) : null
  // The calendar ends with the week of this day.
  const lastDay = query.week ? requireDay('week', query.week) : today
  const monday = plusDays(lastDay, -weekdayOf(lastDay))
  const from = plusDays(monday, -7 * (calendarWeeks - 1))
  const returnedList = { table: tables.returned, keyset: bouncesInOrder, perPage }
  const [arrears, days, returned, holidays] = await ctx.db.snapshot((db) =>
    Promise.all([
      readArrears({ db, config: ctx.config }, who, query, today),
      bouncesBetween(db, from, plusDays(monday, 6)),
      readPage(query, returnedList, async (window) => (on ? bouncesOn(db, on, window) : [])),
      holidaysFrom(db, from, 20),
    ]),
  )
  const calendarDays = { days, holidays: new Map(holidays.map((each) => [each.holidayOn, each.name])) }
  const body = html`${arrearsSection(arrears, ctx, who, request)}
<section><h2>${tables.calendar}</h2><p>Debits presented on each day, and how many were returned.</p>
${query.csv || isEmpty(from, calendarDays) ? calendarList(calendarDays) : calendarTable(from, today, calendarDays)}${weekLinks(query, { from, monday, today })}</section>
${
  on !== null &&
  html`<section><h2>Returned on ${formatDay(on)}</h2>${tableOf(
    tables.returned,
    ['Borrower', 'Loan', { number: 'Amount' }, { number: 'Try' }, 'Reason'],
    returned.rows.map((each) => [
      caseLink(each.caseRef, nameOfBorrower(openLead(ctx.seal, each.caseRef, each.leadSealed))),
      each.loanId,
      inr(each.amountPaise),
      each.attemptNumber,
      each.reasonCode && holdReasonText(each.reasonCode),
    ]),
    { empty: 'No debits returned on that day.' },
  )}${pageLinks(query, returned)}</section>`
}`
  const problem = refused ? toSentence(refused.refusal.message) : null
  const done = await noticeAfterAct(ctx, who, query.done)
  const page = { title: 'Collections', area: path, problem, done, body } as const
  return deskPage(ctx, who, page, refused && statusOf(refused.refusal))
}

const show = deskRoute({
  ...routeOptions,
  method: 'GET',
  path,
  summary: 'Loans in arrears and returned debits',
  auth: anyStaff,
  query,
  handle: ({ who, query, at }, ctx) => collectionsPage(ctx, who, { query, at }),
})

const assign = deskRoute({
  ...routeOptions,
  method: 'POST',
  path: `${path}/agent`,
  summary: 'Assign an agent to many cases',
  auth: may('AGENT_ASSIGNED'),
  query: Type.Object(worklistQuery),
  accepts: 'raw',
  async handle({ who, query, raw, at }, ctx) {
    await assignChosenCases(ctx, who, formFrom(raw), at)
    return goTo(`${path}?${filterSearch({ ...query, done: 'AGENT_ASSIGNED' })}`)
  },
  onRefusal: ({ who, query, raw, at }, refusal, ctx) =>
    collectionsPage(ctx, who, { query, at, refused: { refusal, form: formFrom(raw) } }),
})

export const collectionsRoutes = [show, assign]

/** The day of the week; Monday is 0. */
const weekdayOf = (on: string): number => (new Date(`${on}T00:00:00.000Z`).getUTCDay() + 6) % 7

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const shortDay = lazily(
  () => new Intl.DateTimeFormat('en-IN', { timeZone: 'Asia/Kolkata', day: 'numeric', month: 'short' }),
)

interface CalendarDays {
  days: BounceDay[]
  holidays: Map<string, string>
}

const lastDayOf = (from: string): string => plusDays(from, 7 * calendarWeeks - 1)

/** Whether no day of the calendar says anything. Then a phone, which shows only such days, would show an empty frame. */
const isEmpty = (from: string, { days, holidays }: CalendarDays): boolean =>
  days.length === 0 && ![...holidays.keys()].some((on) => on <= lastDayOf(from))

function calendarTable(from: string, today: string, { days, holidays }: CalendarDays): Html {
  const until = lastDayOf(from)
  const byDay = new Map(days.map((each) => [each.on, each]))
  const cell = (on: string): Html => {
    const bounceDay = byDay.get(on)
    const holiday = holidays.get(on)
    return html`<td${on === today && html` aria-current="date"`}><time datetime="${on}">${shortDay().format(startOf(on))}</time>${
      bounceDay &&
      html` <a href="${path}?${new URLSearchParams({ week: until, on }).toString()}#returned-debits">${countText(bounceDay.presented, 'debit')}, ${bounceDay.returned > 0 ? html`<strong class="returned">${bounceDay.returned} returned</strong>` : '0 returned'}</a>${
        bounceDay.returned > 0 && html`<small>${inr(bounceDay.returnedPaise)}</small>`
      }`
    }${holiday !== undefined && html`<small>${holiday}</small>`}</td>`
  }
  const week = (monday: string): Html => html`<tr>${weekdays.map((_, i) => cell(plusDays(monday, i)))}</tr>`
  return html`${days.length > 0 && csvMark(tables.calendar)}<div class="table" id="${slugOf(tables.calendar)}" role="region" aria-label="${tables.calendar}" tabindex="0"><table class="calendar" aria-label="Bounce calendar, ${countText(calendarWeeks, 'week')}">
<thead><tr>${weekdays.map((each) => html`<th scope="col">${each}</th>`)}</tr></thead>
<tbody>${Array.from({ length: calendarWeeks }, (_, i) => week(plusDays(from, 7 * i)))}</tbody></table></div>`
}

/** Lists the days of the calendar, one per row, for the CSV file. */
const calendarList = ({ days, holidays }: CalendarDays): Html =>
  tableOf(
    tables.calendar,
    ['Day', { number: 'Presented' }, { number: 'Returned' }, { number: 'Amount returned' }, 'Holiday'],
    days.map((each) => [
      formatDay(each.on),
      each.presented,
      each.returned,
      inr(each.returnedPaise),
      holidays.get(each.on) ?? null,
    ]),
    { empty: 'No debits presented in these weeks.' },
  )

/** Links to earlier weeks and, unless the current week is shown, to later weeks. */
function weekLinks(query: PageQuery, { from, monday, today }: { from: string; monday: string; today: string }): Html {
  const weekAddress = (week: string) =>
    `?${filterSearch({ whose: query.whose, show: query.show, week })}#${slugOf(tables.calendar)}`
  const later = plusDays(monday, 7 * calendarWeeks)
  return html`<nav class="pages" aria-label="Weeks"><a href="${weekAddress(plusDays(from, -1))}" rel="prev">Earlier weeks</a>${
    monday <= plusDays(today, -7) &&
    html`<a href="${weekAddress(later < today ? later : today)}" rel="next">Later weeks</a><a href="${weekAddress(today)}">This week</a>`
  }</nav>`
}
