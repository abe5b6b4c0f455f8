// Loans in arrears with their agents, and failed debits by day.

import { type Html, html } from '#kit/http/markup.ts'
import { OneOf, Type } from '#kit/http/schema.ts'
import { businessDate, plusDays, startOf } from '#kit/money/calendar.ts'
import { lazily } from '#kit/runtime/record.ts'
import { holidaysFrom } from '#partner/collection/policy/store.ts'
import { dayIn } from '#partner/desk/books/period.ts'
import { nameOfBorrower, openLead } from '#partner/desk/cases/applicant-name.ts'
import {
  type ArrearsLine,
  arrearsInOrder,
  type Bounce,
  type BounceDay,
  bouncesBetween,
  bouncesInOrder,
  bouncesOn,
  listArrears,
} from '#partner/desk/collection/store.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { caseLink, csvMark, deskPage, tableOf } from '#partner/desk/frame.ts'
import { counted, day, inr } from '#partner/desk/parts/format.ts'
import { slugOf } from '#partner/desk/parts/table-name.ts'
import { pageLinks, type Query, readPage, turnsOf } from '#partner/desk/parts/turn-page.ts'
import { atDesk } from '#partner/desk/staff/staff.ts'
import { daysPastDue } from '#partner/loan/class/asset-class.ts'
import { nobodyYet } from './arrears-text-en.ts'
import { classBadge } from './class-parts.ts'
import { holdReason } from './collection-texts.ts'

const path = '/desk/collections'
const perPage = 25
const weeks = 5
const tables = { arrears: 'Loans in arrears', calendar: 'Bounce calendar', returned: 'Returned debits' } as const
const whose = { all: 'All', mine: 'Mine', nobody: 'Nobody’s' } as const

export const collectionsRoute = deskRoute({
  method: 'GET',
  path,
  section: 'D3 §6.7',
  summary: 'Loans in arrears and returned debits',
  auth: atDesk,
  hidden: true,
  shows: 'LIST_VIEWED',
  query: Type.Object({
    whose: Type.Optional(OneOf(['', 'all', 'mine', 'nobody'])),
    on: Type.Optional(Type.String({ maxLength: 10 })),
    week: Type.Optional(Type.String({ maxLength: 10 })),
    ...turnsOf(tables.arrears, tables.returned),
  }),
  async handle({ who, query, at }, ctx) {
    const of = query.whose || 'all'
    const today = businessDate(at)
    const on = query.on ? dayIn('on', query.on) : null
    // The calendar ends with the week of this day.
    const last = query.week ? dayIn('week', query.week) : today
    const monday = plusDays(last, -weekdayOf(last))
    const from = plusDays(monday, -7 * (weeks - 1))
    const filter = { agentId: of === 'mine' ? who.staffId : null, isUnassigned: of === 'nobody' }
    const lists = {
      arrears: { table: tables.arrears, keyset: arrearsInOrder, perPage },
      returned: { table: tables.returned, keyset: bouncesInOrder, perPage },
    }
    const [arrears, days, returned, holidays] = await ctx.db.snapshot((db) =>
      Promise.all([
        readPage(query, lists.arrears, (window) => listArrears(db, filter, window)),
        bouncesBetween(db, from, plusDays(monday, 6)),
        readPage(query, lists.returned, async (window) => (on ? bouncesOn(db, on, window) : [])),
        holidaysFrom(db, from, 20),
      ]),
    )
    const month = { days, holidays: new Map(holidays.map((each) => [each.holidayOn, each.name])) }
    const nameOf = ({ caseRef, leadSealed }: ArrearsLine | Bounce) =>
      caseLink(caseRef, nameOfBorrower(openLead(ctx.seal, caseRef, leadSealed)))
    const body = html`<section><h2>${tables.arrears}</h2>
<p>${Object.entries(whose).map(([each, name]) => html`<a class="${each === of ? 'primary' : 'secondary'}"${each === of && html` aria-current="true"`} href="${path}?whose=${each}">${name}</a> `)}</p>
${arrearsTable(arrears.rows, plusDays(today, -1), nameOf)}${pageLinks(query, arrears)}</section>
<section><h2>${tables.calendar}</h2><p>Debits presented on each day, and how many were returned.</p>
${query.csv ? calendarList(month) : calendar(from, today, month)}${weekLinks(query, { from, monday, today })}</section>
${
  on !== null &&
  html`<section><h2>Returned of ${day(on)}</h2>${tableOf(
    tables.returned,
    ['Borrower', 'Loan', { number: 'Amount' }, { number: 'Try' }, 'Why'],
    returned.rows.map((each) => [
      nameOf(each),
      each.loanId,
      inr(each.amountPaise),
      each.attemptNumber,
      each.reasonCode && holdReason(each.reasonCode),
    ]),
    { empty: 'No debits returned on that day.' },
  )}${pageLinks(query, returned)}</section>`
}`
    return deskPage(ctx, who, { title: 'Collections', here: path, body })
  },
})

/** Monday is 0. */
const weekdayOf = (on: string): number => (new Date(`${on}T00:00:00.000Z`).getUTCDay() + 6) % 7

const arrearsTable = (rows: ArrearsLine[], on: string, nameOf: (line: ArrearsLine) => Html): Html =>
  tableOf(
    tables.arrears,
    ['Borrower', 'Loan', 'Class', { number: 'Days' }, { number: 'Overdue' }, 'Promise', 'Agent'],
    rows.map((each) => [
      nameOf(each),
      each.loanId,
      html`${classBadge(each.assetClass)}${each.held && html` <span class="badge warn">Held</span>`}`,
      daysPastDue(each.nextDueOn, on),
      inr(each.overduePaise),
      each.promisedOn && html`${each.promisedPaise !== null && inr(each.promisedPaise)} until ${day(each.promisedOn)}`,
      each.agent ?? nobodyYet,
    ]),
    { empty: 'No loans in arrears.' },
  )

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const shortDay = lazily(
  () => new Intl.DateTimeFormat('en-IN', { timeZone: 'Asia/Kolkata', day: 'numeric', month: 'short' }),
)

interface Month {
  days: BounceDay[]
  holidays: Map<string, string>
}

function calendar(from: string, today: string, { days, holidays }: Month): Html {
  const until = plusDays(from, 7 * weeks - 1)
  const known = new Map(days.map((each) => [each.on, each]))
  const cell = (on: string): Html => {
    const found = known.get(on)
    const holiday = holidays.get(on)
    return html`<td${on === today && html` aria-current="date"`}><time datetime="${on}">${shortDay().format(startOf(on))}</time>${
      found &&
      html` <a href="${path}?${new URLSearchParams({ week: until, on }).toString()}#returned-debits"><strong${found.returned > 0 && html` class="returned"`}>${found.returned}</strong> of ${found.presented}<span class="unseen"> debits returned</span></a>${
        found.returned > 0 && html`<small>${inr(found.returnedPaise)}</small>`
      }`
    }${holiday !== undefined && html`<small>${holiday}</small>`}</td>`
  }
  const week = (first: string): Html => html`<tr>${weekdays.map((_, i) => cell(plusDays(first, i)))}</tr>`
  return html`<div class="table" id="${slugOf(tables.calendar)}" role="region" aria-label="${tables.calendar}" tabindex="0"><table class="calendar" aria-label="Bounce calendar, ${counted(weeks, 'week')}">
<thead><tr>${weekdays.map((each) => html`<th scope="col">${each}</th>`)}</tr></thead>
<tbody>${Array.from({ length: weeks }, (_, i) => week(plusDays(from, 7 * i)))}</tbody></table></div>${csvMark(tables.calendar)}`
}

/** The days of the calendar as a file has them. */
const calendarList = ({ days, holidays }: Month): Html =>
  tableOf(
    tables.calendar,
    ['Day', { number: 'Presented' }, { number: 'Returned' }, { number: 'Amount returned' }, 'Holiday'],
    days.map((each) => [
      day(each.on),
      each.presented,
      each.returned,
      inr(each.returnedPaise),
      holidays.get(each.on) ?? null,
    ]),
    { empty: 'No debits presented in these weeks.' },
  )

/** The weeks before and behind those that are shown; behind the current week nothing has been presented. */
function weekLinks(query: Query, { from, monday, today }: { from: string; monday: string; today: string }): Html {
  const to = (week: string) =>
    `?${new URLSearchParams({ ...(query.whose && { whose: query.whose }), week })}#${slugOf(tables.calendar)}`
  const later = plusDays(monday, 7 * weeks)
  return html`<nav class="pages" aria-label="Weeks"><a href="${to(plusDays(from, -1))}" rel="prev">Earlier weeks</a>${
    monday <= plusDays(today, -7) &&
    html`<a href="${to(later < today ? later : today)}" rel="next">Later weeks</a><a href="${to(today)}">This week</a>`
  }</nav>`
}
