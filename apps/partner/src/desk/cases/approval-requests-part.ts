// The approval requests of a case, with decision forms for the pending requests.

import { type Html, html } from '@lendloom/http/markup'
import { actAddress } from '#partner/desk/approval/act-address.ts'
import {
  type ApprovalLimit,
  approvalLimit,
  whyMayNotApprove,
  whyMayNotRefuse,
} from '#partner/desk/approval/approval-rules.ts'
import { offerFigures, offerGrounds } from '#partner/desk/approval/burden.ts'
import { checkedActs } from '#partner/desk/approval/checked-acts.ts'
import { refuseForm, unprovenPart } from '#partner/desk/approval/proposal-forms.ts'
import { netAmountName } from '#partner/desk/approval/request-content.ts'
import { withVersion } from '#partner/desk/approval/seen-version.ts'
import type { RequestLine } from '#partner/desk/approval/store.ts'
import { caseAddress, withPlace } from '#partner/desk/arrears/worklist.ts'
import { newsSince } from '#partner/desk/change/setting-change.ts'
import { caseLink } from '#partner/desk/frame.ts'
import { type FactLine, factList, figureList } from '#partner/desk/parts/facts.ts'
import { badge, capitalize, formatTime, inr, toSentence } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { waitText } from '#partner/desk/queue/waiting-time.ts'
import type { SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import type { IncomeData } from '#partner/origination/review/bank/review-offer.ts'
import type { LoanTerms } from '#partner/origination/terms/terms.ts'
import { onePersonMessage } from '#partner/people/one-person.ts'
import { isWaiting } from '#partner/people/proposal.ts'
import { inlineCaseNumber } from './case-number.ts'
import type { CaseView } from './case-view.ts'
import { figuredTerms, minorTerms } from './offer-parts.ts'
import { checkReason, requestedField } from './personal-data.ts'

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
  /** Whether the person has seen what they would approve; where it is not masked, they have. */
  isSeen?: boolean
  /** The names of those who may approve the request, for the person who asked. */
  approvers?: string[]
}

/** The colleagues who may approve a request by their roles and limits. */
const approversOf = (request: RequestLine, { limits, arrears }: Pick<CaseView, 'limits' | 'arrears'>): string[] =>
  arrears.staff
    .filter((each) => can(each, 'REQUEST_APPROVED') && whyMayNotApprove(limits, each, request) === null)
    .map(({ name }) => name)

/** More names than these are counted, because a large desk has many. */
const namesShown = 3

function approversText(names: string[]): string {
  if (names.length === 0) return 'No one at the desk has a limit to approve it; it waits'
  const shown = names.length > namesShown + 1 ? names.slice(0, namesShown) : names
  const more = names.length > shown.length ? [`${names.length - shown.length} others`] : []
  return `${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format([...shown, ...more])} can approve it`
}

/** Shows the forms with which this person may decide a request, or why the person cannot decide. */
export function decisionForms(
  request: RequestLine,
  who: SignedIn,
  { limits, now, place, isSeen = true, approvers }: DecisionForms,
): Html {
  const { caseRef, requestId, madeBy, expiresAt } = request
  const address = `/desk/approvals/${encodeURIComponent(caseRef)}/${requestId}`
  const action = (name: string): string => withPlace(withVersion(`${address}/${name}`, request, now), place)
  if (madeBy === who.staffId)
    return html`<form method="post" action="${action('withdraw')}"><p>You asked for this. ${approvers === undefined ? 'A second person can approve it' : approversText(approvers)} until ${formatTime(expiresAt)}.</p><button class="secondary">Withdraw</button></form>`
  const why = whyMayNotRefuse(limits, who, request)
  if (why === 'SAME_PERSON') return html`<span>${toSentence(onePersonMessage)}</span>`
  if (!can(who, 'REQUEST_REFUSED') || why !== null)
    return html`<span class="empty-cell">Your roles cannot decide this</span>`
  return html`<div class="decide">${
    whyMayNotApprove(limits, who, request) === null
      ? approvalPart(request, who, { action: action('approve'), isSeen })
      : html`<span>You can approve up to ${inr(approvalLimit(limits, who, request.act))}; above that, you can only refuse.</span>`
  }
${refuseForm(action('refuse'))}</div>`
}

/** The button that approves a request, or what the person has to do first. */
function approvalPart(
  { act, amountPaise }: RequestLine,
  { isProven }: SignedIn,
  { action, isSeen }: { action: string; isSeen: boolean },
): Html {
  if (!isProven) return unprovenPart
  if (!isSeen)
    return html`<p>You can approve it once you have seen the whole number. The audit log keeps that you revealed it.</p>`
  return html`<form method="post" action="${action}"><button class="primary">Approve the ${checkedActs[act].label}${act === 'OFFER' && ` of ${inr(amountPaise)}`}</button></form>`
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
  /** What is folded: the minor terms of an offer, or all that is requested but its amount. By default nothing. */
  folds?: 'TERMS' | 'CONTENT'
}

/** The amount first, then who asks since when and why, and the facts of the act. An offer begins with its figures. */
export function requestFacts(
  { act, amountPaise, maker, madeAt, reason }: RequestLine,
  { lead, content, offer, now, folds }: RequestGrounds,
): Html {
  const waiting = html`${waitText('approvals', madeAt, now)} <small class="below">since ${formatTime(madeAt)}</small>`
  const amountName = act === 'ACCOUNT' ? 'Could go to the new account, at most' : 'Amount'
  const amountFact = content.find(([label]) => label === amountName || label === netAmountName)
  const facts = offer
    ? [...offerGrounds(lead), ...content.filter(([label]) => !figuredTerms.has(label))]
    : content.filter((each) => each !== amountFact)
  const isFolded = ([label]: FactLine): boolean =>
    folds === 'CONTENT' || (folds === 'TERMS' && offer !== null && minorTerms.has(label))
  const foldedFacts = facts.filter(isFolded)
  const figures = offer
    ? offerFigures(offer.terms, { lead, ...offer })
    : figureList([
        [String(amountFact?.[0] ?? amountName), html`${amountFact?.[1] ?? inr(amountPaise)}`],
        ['Waiting', waiting],
      ])
  return html`${figures}${factList([
    ['Requested by', maker],
    ['Waiting', offer && waiting],
    ['Reason', reason],
    ...facts.filter((each) => !isFolded(each)),
  ])}${foldedFacts.length > 0 && html`<details class="folded"><summary>${folds === 'TERMS' ? 'All terms' : 'Details'}</summary>${factList(foldedFacts)}</details>`}`
}

/** The button that reveals the number of a new account, with the reason for which an approver looks at it. */
const revealAccountForm = (
  { caseRef, isSeen, madeBy }: CaseView['requests'][number],
  { staffId }: SignedIn,
  place: string | undefined,
): Html =>
  html`<form method="post" action="${caseAddress(caseRef, place, '/reveal')}"><input type="hidden" name="field" value="${requestedField}"><input type="hidden" name="reason" value="${checkReason}"><button class="${isSeen || madeBy === staffId ? 'secondary' : 'primary'}">Reveal the account number</button></form>`

export const waitingRequests = (view: CaseView, who: SignedIn, now: Date): Html => {
  const { requests, limits, worklist, revealed, lead, bank, bankRules: rules } = view
  const mayReveal = can(who, 'FILE_READ')
  return html`${requests
    .filter((each) => isWaiting(each, now))
    .map(
      (each) => html`<section class="card todo"><h2>Waiting for a second person: ${checkedActs[each.act].label}</h2>
${requestFacts(each, { lead, content: each.content, offer: each.terms && { terms: each.terms, figures: bank.figures, rules }, now })}${each.act === 'ACCOUNT' && mayReveal && !revealed?.has(requestedField) && revealAccountForm(each, who, worklist?.place)}
${decisionForms(each, who, { limits, now, place: worklist?.place, isSeen: each.isSeen, approvers: approversOf(each, view) })}${each.act === 'OFFER' && can(who, 'OFFERED') && html`<p class="propose"><a href="${actAddress(caseAddress(each.caseRef, undefined), worklist?.place, 'offer')}">Propose other terms</a></p>`}</section>`,
    )}`
}

/** Tells the person who asked that a colleague refused, and why; on another page than that of the case, with a link. */
export const refusalNotice = (request: RequestLine, isLinked: boolean): Html => {
  const { act, amountPaise, decider, decidedAt, decisionReason, expiresAt, caseRef } = request
  const link = isLinked && html` · ${caseLink(caseRef, inlineCaseNumber(request))}`
  return html`<div class="notice warn"><p><strong>${decider} refused your request: ${checkedActs[act].label}, ${inr(amountPaise)}</strong>${link}</p>
<p>Reason: ${decisionReason} <small>${formatTime(decidedAt ?? expiresAt)}</small></p></div>`
}

/** The refusals that the person who asked may not know yet: of this week, and not followed by another request. */
export const refusalNotices = ({ requests }: CaseView, { staffId }: SignedIn, now: Date): Html =>
  html`${requests
    .filter(
      ({ state, madeBy, decidedBy, decidedAt }) =>
        state === 'REFUSED' && madeBy === staffId && decidedBy !== staffId && decidedAt && decidedAt > newsSince(now),
    )
    .filter(({ act, madeAt }) => !requests.some((other) => other.act === act && other.madeAt > madeAt))
    .map((each) => refusalNotice(each, false))}`

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
