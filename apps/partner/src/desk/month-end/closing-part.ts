// The closing of a month on its page: the form to propose it, the forms to decide it, or who closed it.

import { ownValue } from '@lendloom/foundation/record'
import { type Html, html } from '@lendloom/http/markup'
import { proposalForms, unprovenPart } from '#partner/desk/approval/proposal-forms.ts'
import { type TurnCard, turnOf } from '#partner/desk/approval/turns.ts'
import { decisionCells } from '#partner/desk/cases/approval-requests-part.ts'
import { factList } from '#partner/desk/parts/facts.ts'
import { fieldRenderer, type RefusedForm, reasonAttributes } from '#partner/desk/parts/form-parts.ts'
import {
  ageOf,
  capitalize,
  countText,
  formatTime,
  monthText,
  toneBadge,
  toSentence,
} from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import type { SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import { onePersonMessage } from '#partner/people/one-person.ts'
import { isMaker, isWaiting } from '#partner/people/proposal.ts'
import type { MonthCloseLine } from '#partner/records/report/month-closing-store.ts'
import { monthEndTexts as texts } from './text-en.ts'

interface ClosingView {
  monthEnd: string
  /** All proposals of the month, newest first. */
  closings: MonthCloseLine[]
  obstacle: Html | string | null
  openSteps: string[]
  refusedForm: RefusedForm | null
}

const stepsText = (steps: string[], names: Record<string, string>): string =>
  capitalize(steps.map((name) => ownValue(names, name) ?? name).join(', '))
/** Names open steps by what is left to do. */
const tasksText = (steps: string[]): string => stepsText(steps, texts.tasks)

/** The reason of a proposal, and how its open steps compare with those that are open now. */
function proposalFacts({ reason, openSteps }: MonthCloseLine, openNow?: string[]): Html {
  const current = openNow ?? openSteps
  return factList([
    [texts.givenReason, reason],
    [openNow ? texts.stillOpen : texts.openSteps, tasksText(openSteps.filter((name) => current.includes(name)))],
    [texts.openSince, tasksText(current.filter((name) => !openSteps.includes(name)))],
    [
      texts.doneSince,
      stepsText(
        openSteps.filter((name) => !current.includes(name)),
        texts.steps,
      ),
    ],
  ])
}

const proposalText = (closing: MonthCloseLine, now: Date, openNow?: string[]): Html =>
  html`<p>${texts.proposed(closing.maker, ageOf(closing.madeAt, now))} ${texts.expires} ${formatTime(closing.expiresAt)}.</p>${proposalFacts(closing, openNow)}`

const mayDecide = (closing: MonthCloseLine, who: SignedIn): boolean =>
  can(who, 'MONTH_CLOSED') && !isMaker(who, closing)

/** Says whether the proposal waits for the user or for somebody else. */
export const waitingTitle = (closing: MonthCloseLine, who: SignedIn): string =>
  mayDecide(closing, who) ? texts.waitsForYou : texts.closingWaits

/** The card of the page of approvals, without the forms: the approver decides on the page of the month. */
export const closingCard = (closing: MonthCloseLine, who: SignedIn, now: Date): TurnCard => {
  const title = texts.close(monthText(closing.monthEnd))
  const isOwn = closing.madeBy === who.staffId
  const isForViewer = mayDecide(closing, who)
  const card = html`<section class="card todo" aria-label="${title}"><h3>${title}</h3>${proposalText(closing, now)}
${!isForViewer && html`<p>${isOwn ? texts.ownProposal : can(who, 'MONTH_CLOSED') ? toSentence(onePersonMessage) : texts.notAllowed}</p>`}
<p><a class="${isForViewer ? 'primary' : 'secondary'}" href="/desk/books/month-end?month=${closing.monthEnd.slice(0, 7)}#closing">${isForViewer ? texts.decide : texts.seeMonth}</a></p>${isForViewer && !who.isProven && unprovenPart}</section>`
  return { turn: turnOf(closing, who, isForViewer), since: closing.madeAt, card }
}

const waitingCard = (closing: MonthCloseLine, who: SignedIn, now: Date, openNow: string[]): Html =>
  html`<div class="card todo"><h3>${waitingTitle(closing, who)}</h3>
${proposalText(closing, now, openNow)}
${proposalForms(closing, who, {
  action: `/desk/books/month-end/closings/${closing.closingId}`,
  confirm: texts.close(monthText(closing.monthEnd)),
  ownProposal: texts.ownProposal,
  obstacle: can(who, 'MONTH_CLOSED') ? null : texts.notAllowed,
})}</div>`

const closedBadge = (openCount: number): Html =>
  openCount > 0
    ? toneBadge('warn', `${texts.monthClosed} ${texts.withOpen(countText(openCount, 'step'))}`)
    : toneBadge('good', texts.monthClosed)

/** Says by whom and when the month was closed. */
export const closedNotice = ({ maker, decider, decidedAt }: MonthCloseLine, openCount: number): Html =>
  html`<p class="lead">${closedBadge(openCount)} <span>${texts.closedBy(maker, decider ?? '')} ${decidedAt && formatTime(decidedAt)}.</span></p>`

const closedCard = (closing: MonthCloseLine, openNow: string[]): Html =>
  html`<section class="card narrow">${proposalFacts(closing, openNow)}<p class="quiet">${texts.afterClosing}</p></section>`

function proposeForm({ monthEnd, obstacle, refusedForm }: ClosingView, who: SignedIn): Html {
  if (obstacle !== null) return html`<p>${obstacle}</p>`
  if (!can(who, 'CLOSING_PROPOSED')) return html`<p>${texts.notProposed}</p>`
  const field = fieldRenderer('propose', refusedForm)
  return html`<p>${texts.aboutClosing}</p><form method="post" action="/desk/books/month-end/propose?month=${monthEnd.slice(0, 7)}">
${field({ name: 'reason', label: texts.reason, attributes: reasonAttributes, isWide: true })}<button class="primary">${texts.propose(monthText(monthEnd))}</button></form>`
}

/** Returns the proposal with which the month was closed; undefined while it is open. */
export const confirmedOf = (closings: MonthCloseLine[]): MonthCloseLine | undefined =>
  closings.find(({ state }) => state === 'CONFIRMED')

/** The section on the page of the month. */
export function closingPart(view: ClosingView, who: SignedIn, now: Date): Html {
  const [newest] = view.closings
  const closed = confirmedOf(view.closings)
  const past = view.closings.filter((each) => each !== closed && !isWaiting(each, now))
  return html`<section id="closing"><h2>${closed ? texts.closedTitle : texts.closingTitle}</h2>${
    closed
      ? closedCard(closed, view.openSteps)
      : newest && isWaiting(newest, now)
        ? waitingCard(newest, who, now, view.openSteps)
        : proposeForm(view, who)
  }${
    past.length > 0 &&
    html`<details class="part"><summary>${texts.pastProposals}</summary>${tableOf(
      texts.pastProposals,
      ['Proposed by', 'Proposed', 'Reason', 'State', 'Decided by', 'When', 'Decision note'],
      past.map((each) => [each.maker, formatTime(each.madeAt), each.reason, ...decisionCells(each)]),
      { empty: '', csv: false },
    )}</details>`
  }</section>`
}
