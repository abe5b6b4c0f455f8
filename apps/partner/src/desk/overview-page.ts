// The desk's start page: work queues, the switch between rules and people, case counts, and recently changed applications.

import { Refusal } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import { firstRows, type PageWindow } from '@lendloom/postgres/keyset'
import type { Run } from '@lendloom/postgres/sql'
import type { Context } from '#partner/context.ts'
import { readPaymentSumsOf } from '#partner/desk/books/payments-store.ts'
import { countCases, countLoans, listCases } from '#partner/desk/cases/store.ts'
import { isAutopilotOn, switchAutopilot } from '#partner/origination/case/autopilot-switch.ts'
import { caseStatuses } from '#partner/origination/case/lifecycle.ts'
import { readSwitch } from '#partner/origination/case/store.ts'
import type { Staff } from '#partner/people/person.ts'
import { staffNameOf } from '#partner/people/store.ts'
import { countRefundsDue } from '#partner/servicing/collection/transfer/store.ts'
import { classesOnDay, lastBusinessDay } from '#partner/servicing/loan/class/store.ts'
import { demandBetween } from '#partner/servicing/loan/month/store.ts'
import { dayEndPart } from './arrears/asset-class-parts.ts'
import { noticeAfterAct } from './audit/act-notice.ts'
import { casesTable } from './cases/case-list-page.ts'
import { compareTexts } from './cases/comparison-text-en.ts'
import { deskRoute } from './desk-route.ts'
import { deskPage, goTo } from './frame.ts'
import { monthEndTexts } from './month-end/text-en.ts'
import { figureList } from './parts/facts.ts'
import { ageOf, countText, formatTime, inr, labelOf } from './parts/format.ts'
import { pageLinks, pageOf, pagingQuery, windowOf } from './parts/paging.ts'
import { policyTexts } from './policy/text-en.ts'
import { caseQueueNames, caseQueues } from './queue/case-queues.ts'
import { countOtherQueues, countQueuedCases, type QueueLength } from './queue/store.ts'
import { isLate, type QueueName } from './queue/waiting-time.ts'
import { anyStaff, may, type SignedIn } from './staff/desk-auth.ts'
import { can, noteAct } from './staff/staff-acts.ts'
import { openTasksOf, tasksInOrder } from './task/store.ts'
import { myTasks, myTasksTable } from './task/task-parts.ts'

const recentCaseCount = 8
const tasksPerPage = 10
const routeOptions = { section: 'operation', auth: anyStaff, hidden: true, viewAct: 'LIST_VIEWED' } as const

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
const readOverview = (ctx: Context, who: Staff, window: PageWindow) =>
  ctx.db.snapshot(async (db) => {
    const [
      caseQueueLengths,
      otherQueues,
      refunds,
      caseCounts,
      loanCounts,
      recentCases,
      isOn,
      lastSwitch,
      lastDay,
      tasks,
      today,
    ] = await Promise.all([
      Promise.all(caseQueueNames.map(async (name) => ({ name, length: await countQueuedCases(db, name) }))),
      countOtherQueues(db, ctx.clock()),
      countRefundsDue(db),
      countCases(db),
      countLoans(db),
      listCases(db, {}, firstRows(recentCaseCount)),
      isAutopilotOn(db, ctx.config),
      readSwitch(db),
      readLastDay(db),
      openTasksOf(db, who.staffId, window),
      readToday(db, businessDate(ctx.clock())),
    ])
    const lastChange = lastSwitch && { at: lastSwitch.switchedAt, name: await staffNameOf(db, lastSwitch.switchedBy) }
    return {
      caseQueueLengths,
      otherQueues,
      refunds,
      caseCounts,
      loanCounts,
      recentCases,
      isOn,
      lastChange,
      lastDay,
      tasks,
      today,
    }
  })

interface Tile {
  count: number
  label: string
  href: string
  /** The age of a queue's oldest item, and whether it is late; null for an empty queue, absent for other counts. */
  age?: { text: string; isLate: boolean } | null
}

const tileList = (tiles: Tile[], label: string, isUrgent: boolean): Html =>
  html`<ul class="tiles${isUrgent && ' urgent'}" aria-label="${label}">${tiles.map(
    ({ count, label: tileLabel, href, age }) =>
      html`<li${count === 0 && html` class="none"`}><a href="${href}"><strong>${count}</strong> <span>${tileLabel}${age && html` <small${age.isLate && html` class="late"`}>oldest: ${age.text}${age.isLate && ', late'}</small>`}</span></a></li>`,
  )}</ul>`

const showOverview = deskRoute({
  ...routeOptions,
  method: 'GET',
  path: '/desk',
  summary: 'Work queues and loan book',
  query: Type.Object({ done: Type.Optional(Type.String()), ...pagingQuery(myTasksTable) }),
  async handle({ who, query, at }, ctx) {
    const window = windowOf(query, myTasksTable, tasksInOrder, tasksPerPage)
    const view = await readOverview(ctx, who, window)
    const tasks = pageOf(myTasksTable, view.tasks, window)
    const statusTile = (status: string, count: number): Tile => ({
      count,
      label: labelOf(status),
      href: `/desk/cases?status=${status}`,
    })
    const countsInOrder = caseStatuses.flatMap((each) => view.caseCounts.filter(({ status }) => status === each))
    const queues = queueTiles(view, who, ctx.clock())
    const busy = queues.filter(({ count }) => count > 0)
    const empty = queues.filter(({ count }) => count === 0)
    const applications = countsInOrder.map(({ status, count }) => statusTile(status, count))
    const loans = view.loanCounts.map(({ status, count }) => statusTile(status, count))
    const hasMoney = loans.length > 0 || view.today.toPayOutPaise + view.today.unpostedPaise > 0n
    const body = html`${hasMoney && moneyOfToday(view.today)}<section><h2>Work queues</h2>${busy.length > 0 && tileList(busy, 'Work queues', true)}
${empty.length > 0 && html`<details class="folded"><summary>${busy.length > 0 ? countText(empty.length, 'empty queue') : 'All queues are empty'}</summary>${tileList(empty, 'Empty queues', true)}</details>`}</section>
${myTasks(tasks.rows, ctx.seal, { today: businessDate(ctx.clock()), links: pageLinks(query, tasks) })}
<div class="abreast">${[['Applications', applications] as const, ['Loan accounts', loans] as const].map(([name, tiles]) => tiles.length > 0 && html`<section><h2>${name}</h2>${tileList(tiles, name, false)}</section>`)}
${rulesPart(view, ctx.config.SANDBOX && can(who, 'RULES_ON'))}</div>
${dayEndPart(view.lastDay.last, view.lastDay.classes)}
<section><h2>Recently changed applications</h2>${casesTable(ctx.seal, view.recentCases, { now: at, empty: 'No leads yet. They appear here as soon as a platform sends one.' })}</section>`
    return deskPage(ctx, who, {
      title: 'Overview',
      area: '/desk',
      done: await noticeAfterAct(ctx, who, query.done),
      body,
    })
  },
})

const moneyOfToday = ({
  due,
  postedPaise,
  unpostedPaise,
  toPayOutPaise,
}: Awaited<ReturnType<typeof readToday>>): Html =>
  figureList([
    [
      'Due today',
      html`${inr(due.duePaise)}${due.duePaise > 0n && html` <small>${inr(due.collectedPaise)} of it paid</small>`}`,
    ],
    [
      'Received today',
      html`${inr(postedPaise + unpostedPaise)}${unpostedPaise > 0n && html` <small>${inr(unpostedPaise)} of it not posted yet</small>`}`,
    ],
    ['To pay out', inr(toPayOutPaise)],
  ])

type QueueLengths = Pick<Awaited<ReturnType<typeof readOverview>>, 'caseQueueLengths' | 'otherQueues' | 'refunds'>

/** The pages of queues that are not a list of cases. */
const queueAddresses: Partial<Record<QueueName, string>> = {
  hold: '/desk/money',
  claim: '/desk/money',
  overdue: '/desk/collections',
}

/** Returns a tile for each queue. Changes of settings and closings of months are shown to those who decide them. */
function queueTiles({ caseQueueLengths, otherQueues, refunds }: QueueLengths, who: SignedIn, now: Date): Tile[] {
  const tile = (queue: QueueName, { count, since }: QueueLength, label: string, href: string): Tile => ({
    count,
    label,
    href,
    age: since && { text: ageOf(since, now), isLate: isLate(queue, since, now) },
  })
  return [
    tile('duplicates', otherQueues.duplicates, compareTexts.duplicates.list, '/desk/duplicates'),
    ...caseQueueLengths.map(({ name, length }) =>
      tile(name, length, caseQueues[name].label, queueAddresses[name] ?? `/desk/cases?need=${name}`),
    ),
    tile('approvals', otherQueues.approvals, 'Pending approvals', '/desk/approvals'),
    ...(can(who, 'POLICY_CHANGED')
      ? [tile('changes', otherQueues.changes, policyTexts.waiting, '/desk/policy#changes')]
      : []),
    ...(can(who, 'MONTH_CLOSED')
      ? [tile('closings', otherQueues.closings, monthEndTexts.toConfirm, '/desk/books/month-end')]
      : []),
    tile('refunds', refunds, 'Refunds due', '/desk/refunds'),
    tile('receipts', otherQueues.receipts, 'Unmatched receipts', '/desk/money'),
    tile('held', otherQueues.held, 'Inbound exceptions', '/desk/exchange'),
    tile('dead', otherQueues.dead, 'Undelivered events', '/desk/exchange'),
  ]
}

interface SwitchState {
  isOn: boolean
  lastChange: { at: Date; name: string } | undefined
}

const switchedOn =
  'Rules review applications and video KYC, pay out loans and request weekly debits, without waiting for a person.'
const switchedOff = 'Nothing is approved, paid out or debited until a staff member does it.'

function rulesPart({ isOn, lastChange }: SwitchState, maySwitch: boolean): Html {
  const since =
    lastChange && html` ${isOn ? 'Switched on' : 'Switched off'} by ${lastChange.name} on ${formatTime(lastChange.at)}.`
  return html`<section class="card rules"><div><h2>Automatic decisions: ${isOn ? 'on' : 'off'}</h2>
<p>${isOn ? switchedOn : switchedOff}${since}</p></div>
${maySwitch && html`<details class="question"><summary class="secondary">Switch ${isOn ? 'off' : 'on'} automatic decisions</summary><form method="post" action="/desk/autopilot"><p>${isOn ? switchedOff : switchedOn}</p><input type="hidden" name="on" value="${isOn ? 'no' : 'yes'}"><button class="danger">Switch ${isOn ? 'off' : 'on'}</button></form></details>`}</section>`
}

const switchRules = deskRoute({
  ...routeOptions,
  auth: may('RULES_ON'),
  method: 'POST',
  path: '/desk/autopilot',
  summary: 'Switch the rules on or off',
  accepts: 'raw',
  async handle({ who: { staffId }, raw, at }, ctx: Context) {
    const choice = formFrom(raw).get('on')
    if (choice !== 'yes' && choice !== 'no') throw new Refusal('invalid', 'on must be yes or no', { field: 'on' })
    const isOn = choice === 'yes'
    if (isOn && !ctx.config.SANDBOX) throw new Refusal('wrong-state', 'the rules can be switched on only in a sandbox')
    await ctx.db.tx(async (tx) => {
      await switchAutopilot(tx, isOn, staffId, at)
      await noteAct(tx, { staffId, act: isOn ? 'RULES_ON' : 'RULES_OFF', about: {}, at })
    })
    return goTo(`/desk?done=${isOn ? 'RULES_ON' : 'RULES_OFF'}`)
  },
})

export const overviewRoutes = [showOverview, switchRules]
