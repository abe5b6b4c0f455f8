// The month-end page: the steps of an ended month, the last by default, each with its state as computed from the data.

import { allOf } from '@lendloom/foundation/all-of'
import { Refusal } from '@lendloom/foundation/refusal'
import { Type, Uuid } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate, dayText } from '@lendloom/lending/calendar'
import type { Period } from '#partner/books/ledger/store.ts'
import type { Context } from '#partner/context.ts'
import { approve, refuse, withdraw } from '#partner/desk/approval/four-eyes.ts'
import { noticeAfterAct } from '#partner/desk/audit/act-notice.ts'
import { booksTabs } from '#partner/desk/books/books-tabs.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { deskPage, goTo } from '#partner/desk/frame.ts'
import { formatDay, inr, monthText, toneBadge, toSentence } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { statusOf } from '#partner/desk/refusal-page.ts'
import { anyStaff, may, type SignedIn } from '#partner/desk/staff/desk-auth.ts'
import type { Act } from '#partner/desk/staff/staff-acts.ts'
import {
  closingMonth,
  closingsOf,
  type MonthCloseLine,
  waitingClosings,
} from '#partner/records/report/month-closing-store.ts'
import { monthEndBefore, monthEndOf, monthPlus } from '#partner/servicing/loan/month/month-end.ts'
import {
  closingProposal,
  hasEarlierEntries,
  isWithoutEntries,
  periodOfMonth,
  proposeClosing,
  whyNotClosable,
} from './close-month.ts'
import { closedNotice, closingPart, confirmedOf, waitingTitle } from './closing-part.ts'
import { type Month, openStepsOf, readMonth, stepsOf } from './steps.ts'
import { monthEndTexts as texts } from './text-en.ts'

const path = '/desk/books/month-end'

function stateBadge(isDone: boolean, isClosed: boolean): Html {
  if (isDone) return toneBadge('good', texts.done)
  return isClosed ? toneBadge('plain', texts.notDone) : toneBadge('warn', texts.open)
}

function stepsTable(month: Month, period: Period, isClosed: boolean): Html {
  const steps = stepsOf(month, period)
  const done = steps.filter(({ isDone }) => isDone).length
  const due = month.demand.at(-1)
  return html`<p><strong>${texts.progress(done, steps.length)}.</strong></p>
${due && html`<p><a href="/desk/portfolio?on=${period.to}">${texts.duesTitle}</a>: ${texts.dues(inr(due.duePaise), inr(due.collectedPaise))}</p>`}
${tableOf(
  texts.title,
  ['Step', { name: 'State', phone: 'main' }, { name: 'Details', phone: 'plain' }],
  steps.map(({ name, href, isDone, figure }) => [
    html`<a href="${href}">${texts.steps[name]}</a>`,
    stateBadge(isDone, isClosed),
    figure,
  ]),
  { empty: '', csv: false },
)}<p class="quiet">${texts.about}</p>`
}

/** Returns the last day of a month as `2026-12`. Refused as `invalid` at `month` unless the month has ended. */
function monthEndIn(month: string, lastEnd: string): string {
  if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(month)) throw new Refusal('invalid', 'month is not a month', { field: 'month' })
  const end = monthEndOf(`${month}-01`)
  if (end > lastEnd) throw new Refusal('invalid', 'month has not ended', { field: 'month' })
  return end
}

const monthLink = (on: string, text = monthText(on)): Html =>
  html`<a href="${path}?month=${on.slice(0, 7)}">${text}</a>`

const doneAddress = (month: string | undefined, act: Act): string => `${path}?month=${month}&done=${act}`

const common = { section: 'operation', hidden: true, viewAct: null } as const
const query = Type.Object({ month: Type.Optional(Type.String({ maxLength: 20 })), done: Type.Optional(Type.String()) })

interface MonthRequest {
  month: string | undefined
  at: Date
  done?: string | undefined
  refusal?: Refusal
  form?: URLSearchParams
}

const proposedNotice = ({ monthEnd, expiresAt }: MonthCloseLine): Html =>
  html`${texts.youProposed(monthText(monthEnd))} <a href="/desk/approvals">${texts.approvals}</a> ${texts.by} ${formatDay(businessDate(expiresAt))}.`

const lastMonthEnd = (month: string | undefined, at: Date): string => {
  const lastEnd = monthEndBefore(businessDate(at))
  return month ? monthEndIn(month, lastEnd) : lastEnd
}

async function monthPage(ctx: Context, who: SignedIn, { month: requested, at, done, refusal, form }: MonthRequest) {
  const to = lastMonthEnd(requested, at)
  const period = periodOfMonth(to)
  const { month, closings, waiting, obstacle } = await ctx.db.snapshot(async (db) => {
    const month = await readMonth(db, period)
    return {
      month,
      ...(await allOf({
        closings: closingsOf(db, to),
        waiting: waitingClosings(db, at),
        obstacle: whyNotClosable(db, month, period),
      })),
    }
  })
  const hasEarlier = hasEarlierEntries(month)
  const isEmpty = isWithoutEntries(month)
  const closed = confirmedOf(closings)
  const openSteps = openStepsOf(month, period)
  const problem = refusal && toSentence(refusal.message)
  const refusedForm =
    refusal && form ? { form, action: 'propose', field: refusal.details.field ?? null, message: problem ?? '' } : null
  const linkedObstacle = obstacle?.closeFirst ? monthLink(obstacle.closeFirst, obstacle.text) : (obstacle?.text ?? null)
  const next = monthPlus(to, 1)
  const later = to < monthEndBefore(businessDate(at)) && monthLink(next)
  // Before the first entries, the month that can be closed first.
  const shownMonth = isEmpty && !later ? next : to
  const body = html`${booksTabs(path)}<section><div class="head"><h2>${monthText(shownMonth)}</h2>
<p class="views">${hasEarlier && monthLink(monthEndBefore(to))}${later}</p></div>${closed && closedNotice(closed, openSteps.length)}${
    isEmpty
      ? html`<p class="empty">${texts.closableFrom(monthText(next), dayText(monthPlus(next, 1)))} ${texts.empty(monthText(to))}</p>`
      : stepsTable(month, period, closed !== undefined)
  }</section>${waiting.filter(({ monthEnd }) => monthEnd !== to).map((each) => html`<p class="notice">${waitingTitle(each, who)}: ${monthLink(each.monthEnd)}</p>`)}${!isEmpty && closingPart({ monthEnd: to, closings, obstacle: linkedObstacle, openSteps, refusedForm }, who, at)}`
  const proposed =
    done === 'CLOSING_PROPOSED' && waiting.find(({ monthEnd, madeBy }) => monthEnd === to && madeBy === who.staffId)
  const notices = {
    problem: problem ?? null,
    done: proposed ? proposedNotice(proposed) : await noticeAfterAct(ctx, who, done),
  }
  const page = { title: texts.title, area: '/desk/books', back: false, ...notices, body } as const
  return deskPage(ctx, who, page, refusal && statusOf(refusal))
}

const showMonth = deskRoute({
  ...common,
  method: 'GET',
  path,
  summary: 'The steps of a month-end',
  auth: anyStaff,
  query,
  handle: ({ who, query: { month, done }, at }, ctx) => monthPage(ctx, who, { month, done, at }),
})

const propose = deskRoute({
  ...common,
  method: 'POST',
  path: `${path}/propose`,
  summary: 'Propose to close a month',
  auth: may('CLOSING_PROPOSED'),
  query,
  accepts: 'raw',
  async handle({ who, query: { month }, raw, at }, ctx) {
    const monthEnd = lastMonthEnd(month, at)
    await proposeClosing(ctx, who, { monthEnd, form: formFrom(raw), at })
    return goTo(doneAddress(monthEnd.slice(0, 7), 'CLOSING_PROPOSED'))
  },
  onRefusal: ({ who, query: { month }, raw, at }, refusal, ctx) =>
    monthPage(ctx, who, { month, at, refusal, form: formFrom(raw) }),
})

const decide = (name: string, summary: string, act: Act, decideProposal: typeof approve) =>
  deskRoute({
    ...common,
    method: 'POST',
    path: `${path}/closings/{closingId}/${name}`,
    params: Type.Object({ closingId: Uuid }),
    summary,
    auth: may(act),
    accepts: 'raw',
    async handle({ who, params: { closingId }, raw, at }, ctx) {
      const reason = formFrom(raw).get('reason')?.trim().slice(0, 500) || null
      const decision = { closingId, reason, at }
      await decideProposal(ctx, who, closingProposal(who, decision), decision)
      return goTo(doneAddress(await closingMonth(ctx.db, closingId), act))
    },
    async onRefusal({ who, params: { closingId }, at }, refusal, ctx) {
      return monthPage(ctx, who, { month: await closingMonth(ctx.db, closingId), at, refusal })
    },
  })

export const monthEndRoutes = [
  showMonth,
  propose,
  decide('confirm', 'Confirm the closing of a month', 'MONTH_CLOSED', approve),
  decide('refuse', 'Refuse the closing of a month', 'CLOSING_REFUSED', refuse),
  decide('withdraw', 'Withdraw your proposal to close a month', 'CLOSING_WITHDRAWN', withdraw),
]
