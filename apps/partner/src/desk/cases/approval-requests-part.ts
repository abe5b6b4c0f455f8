// The approval requests of a case, with decision forms for the pending requests.

import { type Html, html } from '@lendloom/http/markup'
import { actAddress } from '#partner/desk/approval/act-address.ts'
import {
  type ApprovalLimit,
  approvalLimit,
  whyMayNotApprove,
  whyMayNotRefuse,
} from '#partner/desk/approval/approval-rules.ts'
import { type IncomeData, offerFigures, offerGrounds } from '#partner/desk/approval/burden.ts'
import { checkedActs } from '#partner/desk/approval/checked-acts.ts'
import { refuseForm, unprovenPart } from '#partner/desk/approval/proposal-forms.ts'
import { netAmountName } from '#partner/desk/approval/request-content.ts'
import { withVersion } from '#partner/desk/approval/seen-version.ts'
import type { RequestLine } from '#partner/desk/approval/store.ts'
import { caseAddress, withPlace } from '#partner/desk/arrears/worklist.ts'
import { type FactLine, factList } from '#partner/desk/parts/facts.ts'
import { badge, capitalize, formatTime, inr, toSentence } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { waitText } from '#partner/desk/queue/waiting-time.ts'
import type { SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import type { LoanTerms } from '#partner/origination/terms/terms.ts'
import { onePersonMessage } from '#partner/people/one-person.ts'
import { isWaiting } from '#partner/people/proposal.ts'
import type { CaseView } from './case-view.ts'
import { figuredTerms } from './offer-parts.ts'

type DecisionLine = Pick<RequestLine, 'decider' | 'decidedAt' | 'expiresAt' | 'decisionReason'> & { state: string }

/** The cells of a closed proposal: state, decider, time and reason. A proposal without a decision has expired. */
export const decisionCells = ({ state, decider, decidedAt, expiresAt, decisionReason }: DecisionLine) => [
  badge(state === 'WAITING' ? 'EXPIRED' : state),
  decider,
  formatTime(decidedAt ?? expiresAt),
  decisionReason,
]

interface DecisionForms {
  limits: ApprovalLimit[]
  now: Date
  place?: string | undefined
}

/** Shows the forms with which this person may decide a request, or why the person cannot decide. */
export function decisionForms(request: RequestLine, who: SignedIn, { limits, now, place }: DecisionForms): Html {
  const { caseRef, requestId, madeBy } = request
  const address = `/desk/approvals/${encodeURIComponent(caseRef)}/${requestId}`
  const action = (name: string): string => withPlace(withVersion(`${address}/${name}`, request, now), place)
  if (madeBy === who.staffId)
    return html`<form method="post" action="${action('withdraw')}"><button class="secondary">Withdraw</button></form>`
  const why = whyMayNotRefuse(limits, who, request)
  if (why === 'SAME_PERSON') return html`<span>${toSentence(onePersonMessage)}</span>`
  if (!can(who, 'REQUEST_REFUSED') || why !== null)
    return html`<span class="empty-cell">Your roles cannot decide this</span>`
  return html`<div class="decide">${
    whyMayNotApprove(limits, who, request) === null
      ? !who.isProven
        ? unprovenPart
        : html`<form method="post" action="${action('approve')}"><button class="primary">Approve the ${checkedActs[request.act].label}</button></form>`
      : html`<span>You can approve up to ${inr(approvalLimit(limits, who, request.act))}; above that, you can only refuse.</span>`
  }
${refuseForm(action('refuse'))}</div>`
}

/** What a request to offer is weighed by: its terms, the bank data and the rules for it. */
export interface OfferBasis extends Pick<IncomeData, 'figures' | 'rules'> {
  terms: LoanTerms
}

interface RequestGrounds {
  lead: CaseView['lead']
  content: FactLine[]
  /** Null for another act. */
  offer: OfferBasis | null
  now: Date
}

/** Who asks since when and why, and the facts of the act, with its amount once. An offer begins with its figures. */
export function requestFacts(
  { act, amountPaise, maker, madeAt, reason }: RequestLine,
  { lead, content, offer, now }: RequestGrounds,
): Html {
  const amountName = act === 'ACCOUNT' ? 'Could go to the new account, at most' : 'Amount'
  const hasAmount = content.some(([label]) => label === amountName || label === netAmountName)
  const request: FactLine[] = [
    ['Requested by', maker],
    ['Waiting', waitText('approvals', madeAt, now)],
    ['Reason', reason],
  ]
  if (offer)
    return html`${offerFigures(offer.terms, { lead, ...offer })}${factList([
      ...request,
      ...offerGrounds(lead),
      ...content.filter(([label]) => !figuredTerms.has(label)),
    ])}`
  return factList([[amountName, hasAmount ? null : html`<strong>${inr(amountPaise)}</strong>`], ...request, ...content])
}

export const waitingRequests = (view: CaseView, who: SignedIn, now: Date): Html => {
  const { requests, limits, worklist, revealed, lead, bank, bankRules: rules } = view
  const mayReveal = can(who, 'FILE_READ')
  return html`${requests
    .filter((each) => isWaiting(each, now))
    .map(
      (each) => html`<section class="card todo"><h2>Waiting for a second person: ${checkedActs[each.act].label}</h2>
${requestFacts(each, { lead, content: each.content, offer: each.terms && { terms: each.terms, figures: bank.figures, rules }, now })}${each.act === 'ACCOUNT' && mayReveal && !revealed?.has('requestedAccount') && html`<p><a href="${caseAddress(each.caseRef, worklist?.place, '?act=reveal')}#act">Reveal the account number</a></p>`}
${decisionForms(each, who, { limits, now, place: worklist?.place })}${each.act === 'OFFER' && can(who, 'OFFERED') && html`<p class="propose"><a href="${actAddress(caseAddress(each.caseRef, undefined), worklist?.place, 'offer')}">Propose other terms</a></p>`}</section>`,
    )}`
}

export function decidedRequests({ requests }: CaseView, now: Date): Html | false {
  const decided = requests.filter((each) => !isWaiting(each, now))
  return (
    decided.length > 0 &&
    html`<details class="part"><summary>Decided requests <small>${decided.length}</small></summary>${tableOf(
      'Decided requests',
      ['What', { number: 'Amount' }, 'Requested by', 'Reason', 'State', 'Decided by', 'When', 'Decision note'],
      decided.map((each) => [
        capitalize(checkedActs[each.act].label),
        inr(each.amountPaise),
        each.maker,
        each.reason,
        ...decisionCells(each),
      ]),
      { empty: 'No decided requests.' },
    )}</details>`
  )
}
