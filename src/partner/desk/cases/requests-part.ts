// The requests of a case with their decisions, and the possible acts.

import { type Html, html } from '#kit/http/markup.ts'
import { checkedActs } from '#partner/desk/approval/checked-acts.ts'
import { type ApprovalLimit, approveUpTo, whyNotApprove, whyNotRefuse } from '#partner/desk/approval/request.ts'
import { withVersion } from '#partner/desk/approval/seen-version.ts'
import type { RequestLine } from '#partner/desk/approval/store.ts'
import { factList, tableOf } from '#partner/desk/frame.ts'
import { ageOf, badge, capital, inr, sentence, when } from '#partner/desk/parts/format.ts'
import { isWaiting, onePerson, unproven } from '#partner/desk/staff/one-person.ts'
import type { SignedIn } from '#partner/desk/staff/staff.ts'
import { can } from '#partner/desk/staff/staff-act.ts'
import type { CaseView } from './read-case.ts'

type DecisionLine = Pick<RequestLine, 'decider' | 'decidedAt' | 'expiresAt' | 'decisionReason'> & { state: string }

/** The decision of a second person: state, by whom, when, why. An undecided one has expired. */
export const decisionCells = ({ state, decider, decidedAt, expiresAt, decisionReason }: DecisionLine) => [
  badge(state === 'WAITING' ? 'EXPIRED' : state),
  decider,
  when(decidedAt ?? expiresAt),
  decisionReason,
]

/** Approve or refuse, withdraw, or why not. */
export function decisionForms(request: RequestLine, who: SignedIn, limits: ApprovalLimit[]): Html {
  const { caseRef, requestId, madeBy } = request
  const action = `/desk/approvals/${encodeURIComponent(caseRef)}/${requestId}`
  if (madeBy === who.staffId)
    return html`<form method="post" action="${action}/withdraw"><button class="secondary">Withdraw</button></form>`
  const why = whyNotRefuse(limits, who, request)
  if (why === 'ONE_PERSON') return html`<span>${sentence(onePerson)}</span>`
  if (!can(who, 'REQUEST_REFUSED') || why !== null)
    return html`<span class="empty-cell">Your roles cannot decide this</span>`
  return html`<div class="decide">${
    whyNotApprove(limits, who, request) === null
      ? !who.isProven
        ? html`<p>${sentence(unproven)} <a href="/desk/me">Go to your page</a></p>`
        : html`<form method="post" action="${withVersion(`${action}/approve`, request)}"><button class="primary">Approve</button></form>`
      : html`<span>You can approve up to ${inr(approveUpTo(limits, who, request.act))}; above that, you can only refuse.</span>`
  }
<form class="inline" method="post" action="${action}/refuse"><input name="reason" aria-label="Reason for refusing" placeholder="Reason for refusing" maxlength="500" required><button class="danger">Refuse</button></form></div>`
}

/** For one case: pending requests as cards, decided ones as a table. */
export function requestsPart({ requests, limits }: CaseView, who: SignedIn, now: Date): Html {
  const waiting = requests.filter((each) => isWaiting(each, now))
  const over = requests.filter((each) => !isWaiting(each, now))
  return html`${waiting.map(
    (each) => html`<section class="card todo"><h2>Waiting for approval: ${checkedActs[each.act].label}</h2>
<p><strong>${inr(each.amountPaise)}</strong>, requested by ${each.maker} ${ageOf(each.madeAt, now)} ago. ${each.reason}</p>
${factList(each.content)}
${decisionForms(each, who, limits)}</section>`,
  )}${
    over.length > 0 &&
    html`<details class="part"><summary>Decided requests</summary>${tableOf(
      'Decided requests',
      ['What', { number: 'Amount' }, 'Requested by', 'Reason', 'State', 'Decided by', 'When', 'Why'],
      over.map((each) => [
        capital(checkedActs[each.act].label),
        inr(each.amountPaise),
        each.maker,
        each.reason,
        ...decisionCells(each),
      ]),
      { empty: 'No decided requests.' },
    )}</details>`
  }`
}
