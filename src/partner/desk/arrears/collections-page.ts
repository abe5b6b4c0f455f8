// The page of loans in arrears, with a calendar of returned debits (bounces).

import { type Html, html } from '#kit/http/markup.ts'
import { OneOf, Type } from '#kit/http/schema.ts'
import { businessDate, plusDays, startOf } from '#kit/money/calendar.ts'
import { keysOf, lazily } from '#kit/runtime/record.ts'
import { holidaysFrom } from '#partner/collection/policy/store.ts'
import { requireDay } from '#partner/desk/books/period.ts'
import { nameOfBorrower, openLead } from '#partner/desk/cases/applicant-name.ts'
import {
  type ArrearsLine,
  arrearsInOrder,
  type Bounce,
  type BounceDay,
  bouncesBetween,
  bouncesInOrder,
  bouncesOn,
  countArrears,
  listArrears,
} from '#partner/desk/collection/store.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { caseLink, csvMark, deskPage, tableOf } from '#partner/desk/frame.ts'
import { countText, formatDay, inr } from '#partner/desk/parts/format.ts'
import { slugOf } from '#partner/desk/parts/table-name.ts'
import { pageLinks, pagingQuery, type Query, readPage } from '#partner/desk/parts/turn-page.ts'
import { anyStaff } from '#partner/desk/staff/staff.ts'
import { daysPastDue } from '#partner/loan/class/asset-class.ts'
import { unassigned } from './arrears-text-en.ts'
import { classBadge } from './class-parts.ts'
import { holdReasonText } from './collection-texts.ts'

const path = '/desk/collections'
const perPage = 25
const weeks = 5
const tables = { arrears: 'Loans in arrears', calendar: 'Bounce calendar', returned: 'Returned debits' } as const
const assignments = { all: 'All', mine: 'Mine', nobody: 'Unassigned' } as const

export const collectionsRoute = deskRoute({
  method: 'GET',
  path,
  section: 'D3 §6.7',
  summary: 'Loans in arrears and returned debits',
  auth: anyStaff,
  hidden: true,
  viewAct: 'LIST_VIEWED',
  query: Type.Object({
    whose: Type.Optional(OneOf(['', 'all', 'mine', 'nobody'])),
    on: Type.Optional(Type.String({ maxLength: 10 })),
    week: Type.Optional(Type.String({ maxLength: 10 })),
    ...pagingQuery(tables.arrears, tables.returned),
  }),
  async handle({ who, query, at }, ctx) {
    const assignment = query.whose || 'all'
    const today = businessDate(at)
    const on = query.on ? requireDay('on', query.on) : null
    // The calendar ends with the week of this day.
    const lastDay = query.week ? requireDay('week', query.week) : today
    const monday = plusDays(lastDay, -weekdayOf(lastDay))
    const from = plusDays(monday, -7 * (weeks - 1))
    const filter = { agentId: assignment === 'mine' ? who.staffId : null, isUnassigned: assignment === 'nobody' }
    const lists = {
      arrears: { table: tables.arrears, keyset: arrearsInOrder, perPage },
      returned: { table: tables.returned, keyset: bouncesInOrder, perPage },
    }
    const [arrears, days, returned, holidays, counts] = await ctx.db.snapshot((db) =>
      Promise.all([
        readPage(query, lists.arrears, (window) => listArrears(db, filter, window)),
        bouncesBetween(db, from, plusDays(monday, 6)),
        readPage(query, lists.returned, async (window) => (on ? bouncesOn(db, on, window) : [])),
        holidaysFrom(db, from, 20),
        countArrears(db, who.staffId),
      ]),
    )
    const calendarDays = { days, holidays: new Map(holidays.map((each) => [each.holidayOn, each.name])) }
    const borrowerLink = ({ caseRef, leadSealed }: ArrearsLine | Bounce) =>
      caseLink(caseRef, nameOfBorrower(openLead(ctx.seal, caseRef, leadSealed)))
    const body = html`<section><h2>${tables.arrears}</h2>
<p class="views">${keysOf(assignments).map((each) => html`<a${each === assignment && html` aria-current="true"`} href="${path}?whose=${each}">${assignments[each]} ${counts[each]}</a> `)}</p>
${arrearsTable(arrears.rows, plusDays(today, -1), borrowerLink)}${pageLinks(query, arrears)}</section>
<section><h2>${tables.calendar}</h2><p>Debits presented on each day, and how many were returned.</p>
${query.csv ? calendarList(calendarDays) : calendarTable(from, today, calendarDays)}${weekLinks(query, { from, monday, today })}</section>
${
  on !== null &&
  html`<section><h2>Returned on ${formatDay(on)}</h2>${tableOf(
    tables.returned,
    ['Borrower', 'Loan', { number: 'Amount' }, { number: 'Try' }, 'Reason'],
    returned.rows.map((each) => [
      borrowerLink(each),
      each.loanId,
      inr(each.amountPaise),
      each.attemptNumber,
      each.reasonCode && holdReasonText(each.reasonCode),
    ]),
    { empty: 'No debits returned on that day.' },
  )}${pageLinks(query, returned)}</section>`
}`
    return deskPage(ctx, who, { title: 'Collections', area: path, body })
  },
})

const weekdayOf = (on: string): number => (new Date(`${on}T00:00:00.000Z`).getUTCDay() + 6) % 7

const arrearsTable = (rows: ArrearsLine[], on: string, borrowerLink: (line: ArrearsLine) => Html): Html =>
  tableOf(
    tables.arrears,
    ['Borrower', 'Loan', 'Class', { number: 'Days' }, { number: 'Overdue', phone: 'main' }, ...['Promise', 'Agent']],
    rows.map((each) => [
      borrowerLink(each),
      each.loanId,
      html`${classBadge(each.assetClass)}${each.isHeld && html` <span class="badge warn">Held</span>`}`,
      daysPastDue(each.nextDueOn, on),
      inr(each.overduePaise),
      each.promisedOn &&
        html`${each.promisedPaise !== null && inr(each.promisedPaise)} by ${formatDay(each.promisedOn)}`,
      each.agent ?? unassigned,
    ]),
    { empty: 'No loans in arrears.' },
  )

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const shortDay = lazily(
  () => new Intl.DateTimeFormat('en-IN', { timeZone: 'Asia/Kolkata', day: 'numeric', month: 'short' }),
)

interface CalendarDays {
  days: BounceDay[]
  holidays: Map<string, string>
}

function calendarTable(from: string, today: string, { days, holidays }: CalendarDays): Html {
  const until = plusDays(from, 7 * weeks - 1)
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
  return html`<div class="table" id="${slugOf(tables.calendar)}" role="region" aria-label="${tables.calendar}" tabindex="0"><table class="calendar" aria-label="Bounce calendar, ${countText(weeks, 'week')}">
<thead><tr>${weekdays.map((each) => html`<th scope="col">${each}</th>`)}</tr></thead>
<tbody>${Array.from({ length: weeks }, (_, i) => week(plusDays(from, 7 * i)))}</tbody></table></div>${csvMark(tables.calendar)}`
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
function weekLinks(query: Query, { from, monday, today }: { from: string; monday: string; today: string }): Html {
  const weekAddress = (week: string) =>
    `?${new URLSearchParams({ ...(query.whose && { whose: query.whose }), week })}#${slugOf(tables.calendar)}`
  const later = plusDays(monday, 7 * weeks)
  return html`<nav class="pages" aria-label="Weeks"><a href="${weekAddress(plusDays(from, -1))}" rel="prev">Earlier weeks</a>${
    monday <= plusDays(today, -7) &&
    html`<a href="${weekAddress(later < today ? later : today)}" rel="next">Later weeks</a><a href="${weekAddress(today)}">This week</a>`
  }</nav>`
}
