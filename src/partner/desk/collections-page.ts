// Loans in arrears with whoever works on them, and the debits that came to nothing, by day.

import { type Html, html } from '#kit/http/markup.ts'
import { OneOf, Type } from '#kit/http/schema.ts'
import { businessDate, plusDays, startOf } from '#kit/money/calendar.ts'
import { holidaysFrom } from '#partner/collection/policy/store.ts'
import { route } from '#partner/context.ts'
import { daysPastDue } from '#partner/loan/class/asset-class.ts'
import { nameOfBorrower, openLead } from './applicant-name.ts'
import { nobodyYet } from './arrears-text-en.ts'
import { classBadge } from './class-parts.ts'
import {
  type ArrearsLine,
  type Bounce,
  type BounceDay,
  bouncesBetween,
  bouncesOn,
  listArrears,
} from './collection/store.ts'
import { holdReason } from './collection-texts.ts'
import { counted, day, inr } from './format.ts'
import { caseLink, deskPage, tableOf } from './frame.ts'
import { atDesk } from './staff.ts'
import { csvQuery, mostRows } from './table-rows.ts'
import { pageLinks, pageOf } from './turn-page.ts'

const path = '/desk/collections'
const perPage = 25
const weeks = 5
const mostBounces = 100
const whose = { all: 'All', mine: 'Mine', nobody: 'Nobody’s' } as const

export const collectionsRoute = route({
  method: 'GET',
  path,
  section: 'D3 §6.7',
  summary: 'Loans in arrears, and debits that came to nothing',
  auth: atDesk,
  hidden: true,
  query: Type.Object({
    whose: Type.Optional(OneOf(['', 'all', 'mine', 'nobody'])),
    on: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
    page: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,4}$' })),
    ...csvQuery,
  }),
  async handle({ who, query, at }, ctx) {
    const [of, page] = [query.whose || 'all', Number(query.page ?? 1)]
    const size = query.csv ? mostRows : perPage
    const today = businessDate(at)
    const monday = plusDays(today, -weekdayOf(today))
    const from = plusDays(monday, -7 * (weeks - 1))
    const filter = { agentId: of === 'mine' ? who.staffId : null, isUnassigned: of === 'nobody' }
    const [found, days, bounces, holidays] = await ctx.db.snapshot((db) =>
      Promise.all([
        listArrears(db, filter, size + 1, (page - 1) * size),
        bouncesBetween(db, from, plusDays(monday, 6)),
        query.on ? bouncesOn(db, query.on, mostBounces) : [],
        holidaysFrom(db, from, 20),
      ]),
    )
    const { rows, hasMore } = pageOf(found, size)
    const nameOf = ({ caseRef, leadSealed }: ArrearsLine | Bounce) =>
      caseLink(caseRef, nameOfBorrower(openLead(ctx.seal, caseRef, leadSealed)))
    const body = html`<section><h2>Loans in arrears</h2>
<p>${Object.entries(whose).map(([each, name]) => html`<a class="${each === of ? 'primary' : 'secondary'}"${each === of && html` aria-current="true"`} href="${path}?whose=${each}">${name}</a> `)}</p>
${arrearsTable(rows, plusDays(today, -1), nameOf)}${pageLinks(path, { whose: of }, page, hasMore)}</section>
<section><h2>Bounce calendar</h2><p>Debits that were presented on a day, and how many of them were returned.</p>
${calendar(from, today, { days, holidays: new Map(holidays.map((each) => [each.holidayOn, each.name])) })}</section>
${
  query.on &&
  html`<section><h2>Returned of ${day(query.on)}</h2>${tableOf(
    'Returned debits',
    ['Borrower', 'Loan', { number: 'Amount' }, { number: 'Try' }, 'Why'],
    bounces.map((each) => [
      nameOf(each),
      each.loanId,
      inr(each.amountPaise),
      each.attemptNumber,
      each.reasonCode && holdReason(each.reasonCode),
    ]),
    { empty: 'No debit of that day was returned.' },
  )}</section>`
}`
    return deskPage(ctx, who, { title: 'Collections', here: path, body })
  },
})

/** Monday is 0. */
const weekdayOf = (on: string): number => (new Date(`${on}T00:00:00.000Z`).getUTCDay() + 6) % 7

const arrearsTable = (rows: ArrearsLine[], on: string, nameOf: (line: ArrearsLine) => Html): Html =>
  tableOf(
    'Loans in arrears',
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
    { empty: 'No loan is in arrears here.' },
  )

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const shortDay = new Intl.DateTimeFormat('en-IN', { timeZone: 'Asia/Kolkata', day: 'numeric', month: 'short' })

interface Month {
  days: BounceDay[]
  holidays: Map<string, string>
}

function calendar(from: string, today: string, { days, holidays }: Month): Html {
  const known = new Map(days.map((each) => [each.on, each]))
  const cell = (on: string): Html => {
    const found = known.get(on)
    const holiday = holidays.get(on)
    return html`<td${on === today && html` aria-current="date"`}><time datetime="${on}">${shortDay.format(startOf(on))}</time>${
      found &&
      html` <a href="${path}?on=${on}"><strong${found.returned > 0 && html` class="returned"`}>${found.returned}</strong> of ${found.presented}<span class="unseen"> debits returned</span></a>${
        found.returned > 0 && html`<small>${inr(found.returnedPaise)}</small>`
      }`
    }${holiday !== undefined && html`<small>${holiday}</small>`}</td>`
  }
  const week = (first: string): Html => html`<tr>${weekdays.map((_, i) => cell(plusDays(first, i)))}</tr>`
  return html`<div class="table" role="region" aria-label="Bounce calendar" tabindex="0"><table class="calendar" aria-label="Bounce calendar, ${counted(weeks, 'week')}">
<thead><tr>${weekdays.map((each) => html`<th scope="col">${each}</th>`)}</tr></thead>
<tbody>${Array.from({ length: weeks }, (_, i) => week(plusDays(from, 7 * i)))}</tbody></table></div>`
}
