// The dashboard of the loan book as of a day: charts and tables of disbursements, principal, collections and losses.

import { Refusal } from '@lendloom/foundation/refusal'
import { fits, Type } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import { BusinessDate } from '@lendloom/wire/exchange/fields'
import type { Context } from '#partner/context.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { deskPage } from '#partner/desk/frame.ts'
import { barChart, lineChart, percentText, shortRupees } from '#partner/desk/parts/chart.ts'
import { figureList } from '#partner/desk/parts/facts.ts'
import { dayFilter } from '#partner/desk/parts/form-parts.ts'
import { countText, formatDay, inr, monthText } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { anyStaff } from '#partner/desk/staff/desk-auth.ts'
import {
  classesByMonth,
  type DemandMonth,
  demandByMonth,
  type LentMonth,
  lastRolls,
  lentByMonth,
  receivedByMonth,
  vintages,
} from '#partner/records/report/portfolio/store.ts'
import { lastBusinessDay } from '#partner/servicing/loan/class/store.ts'
import { monthEndOf, monthPlus } from '#partner/servicing/loan/month/month-end.ts'
import { demandBetween } from '#partner/servicing/loan/month/store.ts'
import { chartCard } from './chart-card.ts'
import { type BookDay, booksOf, buckets, curvesOf, latePaiseOf, rollRows, shareOf } from './figures.ts'
import { rollPart, vintagePart } from './loss-parts.ts'
import { bucketNames, portfolioTexts as texts } from './text-en.ts'

const path = '/desk/portfolio'
/** How many months the page shows; the last is the month of the chosen day. */
const monthCount = 13

const asNumber = (paise: Paise): number => Number(paise) / 100
const shortAmount = (paise: Paise): string => shortRupees(asNumber(paise))

const readPortfolio = (ctx: Context, on: string) =>
  ctx.db.snapshot(async (db) => {
    const from = monthPlus(on, 1 - monthCount)
    const last = await lastBusinessDay(db)
    const [lent, classes, demand, received, curves, rolls] = await Promise.all([
      lentByMonth(db, from, on),
      classesByMonth(db, from, on),
      demandByMonth(db, from, on),
      receivedByMonth(db, from, on),
      vintages(db, from, on),
      lastRolls(db, on),
    ])
    // Demand is stored at the end of a month. For the current month it is computed; for a past day it cannot be.
    const isOpenDay = !last || on >= last.endedOn
    const isStored = demand.some(({ monthEnd }) => monthEnd === monthEndOf(on))
    const openMonth = isOpenDay && !isStored ? await demandBetween(db, `${on.slice(0, 8)}01`, on) : null
    const demandRows =
      openMonth && openMonth.duePaise > 0n ? [...demand, { monthEnd: monthEndOf(on), ...openMonth }] : demand
    const books = booksOf(classes)
    return {
      on,
      lent,
      books,
      demand: demandRows,
      isLastMonthOpen: demandRows !== demand,
      received,
      curves: curvesOf(curves),
      rolls,
    }
  })
type BookView = Awaited<ReturnType<typeof readPortfolio>>

/** Parses the chosen day; today by default. Refused as `invalid` at `on`. */
function dayOf(text: string | undefined, at: Date): string {
  const today = businessDate(at)
  const on = text || today
  if (!fits(BusinessDate, on)) throw new Refusal('invalid', 'on must be a date', { field: 'on' })
  if (on > today) throw new Refusal('invalid', 'on must not be in the future', { field: 'on' })
  return on
}

export const portfolioRoute = deskRoute({
  method: 'GET',
  path,
  section: 'operation',
  summary: 'Dashboard: disbursed, outstanding, collected, buckets, vintages, roll rates',
  auth: anyStaff,
  hidden: true,
  // The page shows only sums over many loans.
  viewAct: null,
  query: Type.Object({ on: Type.Optional(Type.String({ maxLength: 20 })) }),
  async handle({ who, query, at }, ctx) {
    const on = dayOf(query.on, at)
    const view = await readPortfolio(ctx, on)
    const vintagesPart = vintagePart(view.curves)
    const rollsPart = rollPart(rollRows(view.rolls), view.rolls[0]?.monthEnd)
    const body = html`<form class="filters" method="get" action="${path}"><label><span>As of</span>${dayFilter('on', on, { max: businessDate(at) })}</label><button class="secondary">Show</button></form>
${
  view.lent.length === 0 && view.books.length === 0
    ? html`<p class="empty">${texts.none}</p>`
    : html`${keyFigures(view)}<div class="panels">${lentPart(withEmptyMonths(view))}${bookPart(view.books)}${efficiencyPart(view)}${vintagesPart}</div>${rollsPart}<p class="quiet">${[view.books.length === 0 && texts.laterBook, view.demand.length === 0 && texts.laterEfficiency, !(vintagesPart && rollsPart) && texts.later].filter(Boolean).join(' ')}</p>`
}`
    return deskPage(ctx, who, { title: texts.title, area: path, body })
  },
})

function keyFigures({ on, lent, books, demand, isLastMonthOpen }: BookView): Html {
  const book = books.at(-1)
  const thisMonth = lent.find(({ month }) => month === `${on.slice(0, 8)}01`)
  const fullMonths = isLastMonthOpen ? demand.slice(0, -1) : demand
  const lastFullMonth = fullMonths.findLast(({ duePaise }) => duePaise > 0n)
  const share = (part: Paise, whole: Paise) => {
    const ratio = shareOf(part, whole)
    return ratio === null ? '–' : percentText(ratio)
  }
  return figureList([
    book && ['Principal outstanding', html`${shortAmount(book.totalPaise)} <small>${formatDay(book.endedOn)}</small>`],
    [
      'Disbursed this month',
      html`${shortAmount(thisMonth?.paise ?? 0n)} <small>${countText(thisMonth?.loans ?? 0, 'loan')}</small>`,
    ],
    lastFullMonth && [
      'Collection efficiency',
      html`${share(lastFullMonth.collectedPaise, lastFullMonth.duePaise)} <small>${monthText(lastFullMonth.monthEnd)}</small>`,
    ],
    book && [
      'Over 30 days past due',
      html`${share(latePaiseOf(book), book.totalPaise)} <small>${shortAmount(latePaiseOf(book))}</small>`,
    ],
    book && [
      'Gross NPA',
      html`${share(book.paise.NPA, book.totalPaise)} <small>${shortAmount(book.paise.NPA)}</small>`,
    ],
  ])
}

function withEmptyMonths({ on, lent }: BookView): LentMonth[] {
  const months = Array.from({ length: monthCount }, (_, i) => monthPlus(on, 1 - monthCount + i))
  return months
    .filter((each) => each >= (lent[0]?.month ?? on))
    .map((month) => lent.find((each) => each.month === month) ?? { month, loans: 0, paise: 0n })
}

const lentPart = (lent: LentMonth[]): Html => {
  const { title, about } = texts.lent
  const chart = barChart({
    label: title,
    steps: lent.map(({ month }) => monthText(month, 'short')),
    series: [{ name: title, mark: 1, values: lent.map(({ paise }) => asNumber(paise)) }],
    format: shortRupees,
  })
  const rows = lent.map(({ month, loans, paise }) => [monthText(month), loans, inr(paise)])
  return chartCard(
    title,
    about,
    chart,
    tableOf(title, ['Month', { number: 'Loans' }, { number: 'Amount' }], rows, { empty: texts.none }),
  )
}

/** The number of each bucket's colour class. */
const bucketMarks = { STANDARD: 1, SMA_0: 2, SMA_1: 3, SMA_2: 5, NPA: 4 } as const

const bookPart = (books: BookDay[]): Html | false => {
  const { title, about } = texts.book
  if (books.length === 0) return false
  const chart = barChart({
    label: title,
    steps: books.map(({ endedOn }) => monthText(endedOn, 'short')),
    series: buckets.map((each) => ({
      name: bucketNames[each],
      mark: bucketMarks[each],
      values: books.map(({ paise }) => asNumber(paise[each])),
    })),
    format: shortRupees,
  })
  const rows = books.map(({ endedOn, paise, totalPaise }) => [
    formatDay(endedOn),
    ...buckets.map((each) => inr(paise[each])),
    inr(totalPaise),
  ])
  const head = ['Day', ...buckets.map((each) => ({ number: bucketNames[each] })), { number: 'Total' }]
  return chartCard(title, about, chart, tableOf(title, head, rows, { empty: '' }))
}

const efficiencyPart = ({ demand, isLastMonthOpen, received }: BookView): Html | false => {
  if (demand.length === 0) return false
  const { title, about, soFar, due } = texts.efficiency
  const nameOf = ({ monthEnd }: DemandMonth, i: number): string =>
    isLastMonthOpen && i === demand.length - 1 ? `${monthText(monthEnd)} ${soFar}` : monthText(monthEnd)
  const shares = demand.map(({ collectedPaise, duePaise }) => shareOf(collectedPaise, duePaise))
  const chart =
    shares.length > 1 &&
    lineChart({
      label: title,
      steps: demand.map(({ monthEnd }) => monthText(monthEnd, 'short')),
      series: [{ name: title, mark: 1, values: shares }],
      format: percentText,
      minAxisEnd: 1,
    })
  const receivedByMonthStart = new Map(received.map(({ month, paise }) => [month, paise]))
  const rows = demand.map((each, i) => [
    nameOf(each, i),
    inr(each.duePaise),
    inr(each.collectedPaise),
    shares[i] === null || shares[i] === undefined ? '–' : percentText(shares[i]),
    inr(receivedByMonthStart.get(`${each.monthEnd.slice(0, 8)}01`) ?? 0n),
  ])
  const head = ['Month', ...['Due', 'Of which paid', 'Efficiency', 'Total received'].map((name) => ({ number: name }))]
  const last = demand.at(-1)
  const dueLine =
    last &&
    html`<br><strong>${due(nameOf(last, demand.length - 1), inr(last.duePaise), inr(last.collectedPaise))}</strong>`
  return chartCard(title, html`${about}${dueLine}`, chart, tableOf(title, head, rows, { empty: '' }))
}
