// The desk's start page: the person's own queue and tasks, the money of the day, case counts, and recently changed applications.

import { allOf } from '@lendloom/foundation/all-of'
import { Type } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import { firstRows, type PageWindow } from '@lendloom/postgres/keyset'
import type { Run } from '@lendloom/postgres/sql'
import type { Context } from '#partner/context.ts'
import { readPaymentSumsOf } from '#partner/desk/books/payments-store.ts'
import { countCases, countLoans, listCases } from '#partner/desk/cases/store.ts'
import { isAutopilotOn } from '#partner/origination/case/autopilot-switch.ts'
import { caseStatuses } from '#partner/origination/case/lifecycle.ts'
import type { Staff } from '#partner/people/person.ts'
import { classesOnDay, lastBusinessDay } from '#partner/servicing/loan/class/store.ts'
import { demandBetween } from '#partner/servicing/loan/month/store.ts'
import { refusedRequestsOf } from './approval/store.ts'
import { dayEndPart } from './arrears/asset-class-parts.ts'
import { noticeAfterAct } from './audit/act-notice.ts'
import { refusalNotice } from './cases/approval-requests-part.ts'
import { casesTable } from './cases/case-list-page.ts'
import { newsSince } from './change/setting-change.ts'
import { deskRoute } from './desk-route.ts'
import { deskPage } from './frame.ts'
import { factList } from './parts/facts.ts'
import { inr, labelOf } from './parts/format.ts'
import { pageLinks, pageOf, pagingQuery, windowOf } from './parts/paging.ts'
import { automaticDecisionsId } from './policy/automatic-decisions.ts'
import { queuesPart, readQueues, shownLines } from './queue/queue-part.ts'
import { anyStaff } from './staff/desk-auth.ts'
import { openTasksOf, tasksInOrder } from './task/store.ts'
import { myTasks, myTasksTable } from './task/task-parts.ts'

const recentCaseCount = 8
const tasksPerPage = 10
const maxRefused = 3
/** With at most so many lines of work, only the money of the day stands beside them: the counts are higher. */
const maxBriefLines = 6

/** Reads the last closed business day, and the number of loans in each asset class on that day. */
async function readLastDay(db: Run) {
  const last = await lastBusinessDay(db)
  return { last, classes: last ? await classesOnDay(db, last.endedOn) : [] }
}

/** Reads what is due, received and to be paid out on a day. */
const readToday = async (db: Run, on: string) => ({
  due: await demandBetween(db, on, on),
  ...(await readPaymentSumsOf(db, on)),
})

/** Reads all that the page shows, in one snapshot. */
const readOverview = (ctx: Context, who: Staff, window: PageWindow) => {
  const now = ctx.clock()
  return ctx.db.snapshot((db) =>
    allOf({
      queues: readQueues(db, who, now),
      caseCounts: countCases(db),
      loanCounts: countLoans(db),
      recentCases: listCases(db, {}, firstRows(recentCaseCount)),
      isAutomatic: isAutopilotOn(db, ctx.config),
      lastDay: readLastDay(db),
      tasks: openTasksOf(db, who.staffId, window),
      today: readToday(db, businessDate(now)),
      refused: refusedRequestsOf(db, who.staffId, newsSince(now), maxRefused),
    }),
  )
}

const showOverview = deskRoute({
  section: 'operation',
  auth: anyStaff,
  hidden: true,
  viewAct: 'LIST_VIEWED',
  method: 'GET',
  path: '/desk',
  summary: 'The person’s own queue, and the loan book',
  query: Type.Object({ done: Type.Optional(Type.String()), ...pagingQuery(myTasksTable) }),
  async handle({ who, query, at }, ctx) {
    const window = windowOf(query, myTasksTable, tasksInOrder, tasksPerPage)
    const view = await readOverview(ctx, who, window)
    const tasks = pageOf(myTasksTable, view.tasks, window)
    const applications = caseStatuses.flatMap((each) => view.caseCounts.filter(({ status }) => status === each))
    const hasCounts = applications.length > 0 && view.loanCounts.length > 0
    const isBrief = hasCounts && shownLines(view.queues, who) + tasks.rows.length <= maxBriefLines
    const body = html`<div class="home${isBrief && ' brief'}"><div>${view.refused.map((each) => refusalNotice(each, true))}${queuesPart(view.queues, who, ctx.clock())}
${myTasks(tasks.rows, ctx.seal, { today: businessDate(ctx.clock()), links: pageLinks(query, tasks) })}</div>
<div>${moneyOfToday(view.today)}${countsCard('Applications', applications)}${countsCard('Loan accounts', view.loanCounts)}
${view.isAutomatic && html`<p class="quiet">Automatic decisions are on: rules review applications, pay out and debit. <a href="/desk/policy#${automaticDecisionsId}">See Policy</a></p>`}</div></div>
<section><h2>Recently changed applications</h2>${casesTable(ctx.seal, view.recentCases, { now: at, empty: 'No leads yet. They appear here as soon as a platform sends one.' })}</section>
${dayEndPart(view.lastDay.last, view.lastDay.classes)}`
    return deskPage(ctx, who, {
      title: 'Overview',
      area: '/desk',
      done: await noticeAfterAct(ctx, who, query.done),
      body,
    })
  },
})

/** The number of cases or loans in each state, with links to the lists; false without any. */
const countsCard = (title: string, counts: { status: string; count: number }[]): Html | false =>
  counts.length > 0 &&
  html`<section class="card counts-card"><h2>${title}</h2><ul>${counts.map(({ status, count }) => html`<li><a href="/desk/cases?status=${status}"><strong>${count}</strong> <span>${labelOf(status)}</span></a></li>`)}</ul></section>`

const moneyOfToday = ({
  due,
  postedPaise,
  unpostedPaise,
  toPayOutPaise,
}: Awaited<ReturnType<typeof readToday>>): Html =>
  html`<section class="card"><h2>Today</h2>${factList([
    [
      'Due today',
      html`<strong>${inr(due.duePaise)}</strong>${due.duePaise > 0n && html` <small>${inr(due.collectedPaise)} of it paid</small>`}`,
    ],
    [
      'Received today',
      html`<strong>${inr(postedPaise + unpostedPaise)}</strong>${unpostedPaise > 0n && html` <small>${inr(unpostedPaise)} of it not posted yet</small>`}`,
    ],
    ['To pay out', html`<strong>${inr(toPayOutPaise)}</strong>`],
  ])}</section>`

export const overviewRoutes = [showOverview]
