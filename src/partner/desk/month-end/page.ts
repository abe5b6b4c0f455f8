// The month-end page: the steps of an ended month, the last by default, each with its state as computed from the data.

import type { Run } from '#kit/db/sql.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import { businessDate, dayText } from '#kit/money/calendar.ts'
import { allOf } from '#kit/runtime/record.ts'
import { reviewDays } from '#partner/collection/statement/store.ts'
import { booksTabs } from '#partner/desk/books/books-tabs.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { deskPage, tableOf } from '#partner/desk/frame.ts'
import { countText, formatDay, formatTime, inr, monthText } from '#partner/desk/parts/format.ts'
import { demandByMonth } from '#partner/desk/portfolio/store.ts'
import { anyStaff } from '#partner/desk/staff/staff.ts'
import { isBalanced, trialBalance } from '#partner/ledger/books.ts'
import type { Period } from '#partner/ledger/store.ts'
import { monthEndBefore, monthEndOf, monthPlus } from '#partner/loan/month/store.ts'
import { closingOf, filesOf, type MonthFile, statementsOf, type WaitingPayments, waitingPayments } from './store.ts'
import { monthEndTexts as texts } from './text-en.ts'

const path = '/desk/books/month-end'
const maxShown = 5

interface Step {
  name: keyof typeof texts.steps
  href: string
  isDone: boolean
  figure: string | Html
}

async function readMonth(db: Run, period: Period) {
  const { closing, statements } = await allOf({ closing: closingOf(db, period), statements: statementsOf(db, period) })
  const closed = statements.filter(({ isClosed }) => isClosed)
  return {
    ...{ closing, closed, open: statements.length - closed.length },
    ...(await allOf({
      waiting: waitingPayments(db, period),
      days: reviewDays(db, period, closed),
      balance: trialBalance(db, period),
      demand: demandByMonth(db, period.from, period.to),
      files: closing ? filesOf(db, period, closing.endedAt) : Promise.resolve([]),
    })),
  }
}
type Month = Awaited<ReturnType<typeof readMonth>>

const searchOf = (period: Period): string => new URLSearchParams({ ...period }).toString()

function closingStep({ closing }: Month, { from, to }: Period): Step {
  const step = { name: 'days', href: `/desk/reports?${searchOf({ from, to })}#book` } as const
  if (!closing) return { ...step, isDone: false, figure: html`${formatDay(to)} ${texts.notClosed}` }
  if (closing.failed > 0) return { ...step, isDone: false, figure: texts.failed(countText(closing.failed, 'loan')) }
  return { ...step, isDone: true, figure: html`${texts.closedOn} ${formatTime(closing.endedAt)}.` }
}

function waitingStep({ waiting }: Month, name: WaitingPayments['name']): Step {
  const found = waiting.find((each) => each.name === name)
  const figure = found
    ? texts.waits(countText(found.count, name.slice(0, -1)), found.count, inr(found.paise))
    : texts.nothingWaits[name]
  return { name, href: '/desk/money', isDone: !found, figure }
}

function statementStep({ days, closed, open }: Month): Step {
  const step = { name: 'statements', href: '/desk/books/bank' } as const
  if (days.length + closed.length + open === 0) return { ...step, isDone: true, figure: texts.noMovements }
  const booked = days.filter(({ isBooked }) => isBooked).map(({ valueOn }) => valueOn)
  const missing = booked.filter((day) => !closed.some(({ fromOn, toOn }) => fromOn <= day && day <= toOn))
  const late = days.flatMap((day) => day.late.map((reference) => `${reference} (${dayText(day.valueOn)})`))
  const covered = texts.daysCovered(booked.length - missing.length, countText(booked.length, 'day'))
  const missingDays = missing.map((day) => dayText(day))
  return {
    ...step,
    isDone: open + missing.length + late.length === 0,
    figure: `${covered}${open > 0 ? `; ${countText(open, 'statement')} open` : ''}.${firstOf(missingDays, texts.missing)}${firstOf(late, texts.late)}`,
  }
}

function firstOf(all: string[], label: string): string {
  if (all.length === 0) return ''
  const more = all.length > maxShown ? ` ${texts.more(all.length - maxShown)}` : ''
  return ` ${label}: ${all.slice(0, maxShown).join(', ')}${more}.`
}

function fileStep({ files }: Month, name: 'journal' | 'returns' | 'bureau', href: string): Step {
  const last = files.filter(({ what }) => what.startsWith(name)).reduce<MonthFile | undefined>(later, undefined)
  return {
    name,
    href,
    isDone: last !== undefined,
    figure: last
      ? html`${texts.downloadedOn} ${formatTime(last.at)} by ${last.name}${last.reportedOn && html`, ${texts.asOf} ${formatDay(last.reportedOn)}`}.`
      : texts.notDownloaded,
  }
}
const later = (last: MonthFile | undefined, each: MonthFile) => (last && last.at >= each.at ? last : each)

function stepsOf(month: Month, period: Period): Step[] {
  const { balance } = month
  const search = searchOf(period)
  const [books, reports] = [`/desk/books?${search}`, `/desk/reports?${search}`]
  return [
    closingStep(month, period),
    waitingStep(month, 'receipts'),
    waitingStep(month, 'claims'),
    waitingStep(month, 'debits'),
    statementStep(month),
    {
      name: 'books',
      href: books,
      isDone: isBalanced(balance),
      figure: isBalanced(balance) ? texts.balanced(inr(balance.total.debit)) : texts.notBalanced,
    },
    fileStep(month, 'journal', books),
    fileStep(month, 'returns', reports),
    fileStep(month, 'bureau', `${reports}#bureau`),
  ]
}

const stateBadge = (isDone: boolean): Html =>
  html`<span class="badge ${isDone ? 'good' : 'warn'}">${isDone ? texts.done : texts.open}</span>`

function stepsTable(month: Month, period: Period): Html {
  const steps = stepsOf(month, period)
  const done = steps.filter(({ isDone }) => isDone).length
  const due = month.demand.at(-1)
  return html`<p><strong>${texts.progress(done, steps.length)}.</strong> ${texts.about}</p>
${due && html`<p><a href="/desk/portfolio?on=${period.to}">${texts.duesTitle}</a>: ${texts.dues(inr(due.duePaise), inr(due.collectedPaise))}</p>`}
${tableOf(
  texts.title,
  ['Step', { name: 'State', phone: 'main' }, { name: 'Details', phone: 'plain' }],
  steps.map(({ name, href, isDone, figure }) => [
    html`<a href="${href}">${texts.steps[name]}</a>`,
    stateBadge(isDone),
    figure,
  ]),
  { empty: '', csv: false },
)}`
}

/** Returns the last day of a month as `2026-12`. Refused as `invalid` at `month` unless the month has ended. */
function monthEndIn(month: string, lastEnd: string): string {
  if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(month)) throw new Refusal('invalid', 'month is not a month', { field: 'month' })
  const end = monthEndOf(`${month}-01`)
  if (end > lastEnd) throw new Refusal('invalid', 'month has not ended', { field: 'month' })
  return end
}

const monthLink = (on: string, text: string): Html => html`<a href="${path}?month=${on.slice(0, 7)}">${text}</a>`

export const monthEndRoute = deskRoute({
  method: 'GET',
  path,
  section: 'operation',
  summary: 'The steps of a month-end',
  auth: anyStaff,
  hidden: true,
  // The page shows only sums over all loans.
  viewAct: null,
  query: Type.Object({ month: Type.Optional(Type.String({ maxLength: 20 })) }),
  async handle({ who, query, at }, ctx) {
    const lastEnd = monthEndBefore(businessDate(at))
    const to = query.month ? monthEndIn(query.month, lastEnd) : lastEnd
    const period = { from: `${to.slice(0, 8)}01`, to }
    const month = await ctx.db.snapshot((db) => readMonth(db, period))
    const { total, rows } = month.balance
    const hasEarlier = rows.some(({ opening }) => opening !== 0n)
    const isEmpty = total.debit === 0n && !hasEarlier
    const body = html`${booksTabs(path)}<section><div class="head"><h2>${monthText(to)}</h2>
<p class="views">${hasEarlier && monthLink(monthEndBefore(to), texts.earlier)}${to < lastEnd && monthLink(monthPlus(to, 1), texts.later)}</p></div>${
      isEmpty ? html`<p class="empty">${texts.empty(monthText(to))}</p>` : stepsTable(month, period)
    }</section>`
    return deskPage(ctx, who, { title: texts.title, area: '/desk/books', back: false, body })
  },
})
