// The first page of the desk: what needs somebody, whether rules decide, how many cases stand where, what changed last.
import { formFrom } from '#kit/http/form.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { isAutopilotOn, switchAutopilot } from '#partner/case/autopilot-switch.ts'
import { caseStatuses } from '#partner/case/lifecycle.ts'
import { readSwitch } from '#partner/case/store.ts'
import { type Context, route } from '#partner/context.ts'
import { casesTable } from './cases.ts'
import { plain, when } from './format.ts'
import { deskPage, goTo } from './frame.ts'
import { needNames, needs } from './needs.ts'
import { atDesk } from './staff.ts'
import { noteAct } from './staff-act.ts'
import { countCases, countLoans, countNeeding, countWaiting, listCases, nameOf } from './store.ts'

const newest = 8
const common = { section: 'operation', auth: atDesk, hidden: true } as const

interface Tile {
  count: number
  label: string
  to: string
}

/** Nothing to do is said as quietly as it is. */
const tiles = (all: Tile[], label: string, urgent: boolean): Html =>
  html`<ul class="tiles${urgent && ' urgent'}" aria-label="${label}">${all.map(
    ({ count, label: words, to }) =>
      html`<li${count === 0 && html` class="none"`}><a href="${to}"><strong>${count}</strong> <span>${words}</span></a></li>`,
  )}</ul>`

const show = route({
  ...common,
  method: 'GET',
  path: '/desk',
  summary: 'What needs somebody, and how the book stands',
  async handle({ who }, ctx) {
    const seen = await ctx.db.snapshot(async (db) => {
      const [counts, waiting, cases, loans, lines, isOn, lastSwitch] = await Promise.all([
        Promise.all(needNames.map(async (need) => ({ need, count: await countNeeding(db, need) }))),
        countWaiting(db),
        countCases(db),
        countLoans(db),
        listCases(db, {}, newest),
        isAutopilotOn(db, ctx.config),
        readSwitch(db),
      ])
      const switched = lastSwitch && { at: lastSwitch.switchedAt, name: await nameOf(db, lastSwitch.switchedBy) }
      return { counts, waiting, cases, loans, lines, isOn, switched }
    })
    const { receipts, held, dead } = seen.waiting
    const waiting: Tile[] = [
      ...seen.counts.map(({ need, count }) => ({
        count,
        label: needs[need].label,
        to: need === 'hold' || need === 'claim' ? '/desk/money' : `/desk/cases?need=${need}`,
      })),
      { count: receipts, label: 'Receipts that are nobody’s', to: '/desk/money' },
      { count: held, label: 'Events that wait', to: '/desk/exchange' },
      { count: dead, label: 'Events given up', to: '/desk/exchange' },
    ]
    const report = (status: string, count: number): Tile => ({
      ...{ count, label: plain(status) },
      to: `/desk/cases?status=${status}`,
    })
    const inOrder = caseStatuses.flatMap((each) => seen.cases.filter(({ status }) => status === each))
    const body = html`<section><h2>What needs somebody</h2>${tiles(waiting, 'What needs somebody', true)}</section>
${rules(seen.isOn, seen.switched)}
${
  inOrder.length > 0 &&
  html`<div class="columns"><section><h2>Applications</h2>${tiles(
    inOrder.map(({ status, count }) => report(status, count)),
    'Applications by state',
    false,
  )}</section>${
    seen.loans.length > 0 &&
    html`<section><h2>Loans</h2>${tiles(
      seen.loans.map(({ status, count }) => report(status, count)),
      'Loans by state',
      false,
    )}</section>`
  }</div>`
}
<section><h2>Changed last</h2>${casesTable(ctx.seal, seen.lines, 'No lead has come in yet. It will be here as soon as a platform sends one.')}</section>`
    return deskPage(ctx, who, { title: 'Overview', here: '/desk', body })
  },
})

function rules(isOn: boolean, switched: { at: Date; name: string } | undefined): Html {
  const since = switched && html` ${isOn ? 'Switched on' : 'Switched off'} by ${switched.name} on ${when(switched.at)}.`
  return html`<section class="card rules"><div><h2>${isOn ? 'Rules decide' : 'People decide'}</h2>
<p>${
    isOn
      ? 'Applications and video KYC are reviewed, loans paid out and weekly debits asked for by rule, without waiting for anybody.'
      : 'Nothing is approved, paid out or debited until somebody here does it.'
  }${since}</p></div>
<form method="post" action="/desk/autopilot"><input type="hidden" name="on" value="${isOn ? 'no' : 'yes'}"><button class="primary">${isOn ? 'Let people decide' : 'Let the rules decide'}</button></form></section>`
}

const flip = route({
  ...common,
  method: 'POST',
  path: '/desk/autopilot',
  summary: 'Put the rules in force, or take over from them',
  accepts: 'raw',
  async handle({ who: { staffId }, raw, at }, ctx: Context) {
    const choice = formFrom(raw).get('on')
    if (choice !== 'yes' && choice !== 'no') throw new Refusal('invalid', 'on is yes or no', { field: 'on' })
    const isOn = choice === 'yes'
    await ctx.db.tx(async (tx) => {
      await switchAutopilot(tx, isOn, staffId, at)
      await noteAct(tx, { staffId, act: isOn ? 'RULES_ON' : 'RULES_OFF', about: {}, at })
    })
    return goTo('/desk')
  },
})

export const overviewRoutes = [show, flip]
